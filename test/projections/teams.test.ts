import { describe, expect, it } from 'vitest';
import type { TeamEvent } from '../../src/events/teams.ts';
import { teams } from '../../src/projections/teams.ts';
import { at, given } from '../support/fold.ts';

const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
const enabled = (...scopes: ('audit:read' | 'forms:read')[]): TeamEvent => ({
  type: 'TeamScopesEnabled',
  data: { team: 'harbour', scopes },
});

describe('the read model of teams', () => {
  it('shows a team under its slug, with no scopes at first', () => {
    expect(given(teams, ['team-harbour', created])).toEqual(
      new Map([['harbour', { team: 'harbour', name: 'Harbour', scopes: [], created_at: at(0) }]]),
    );
  });

  it('shows the name that it was given last', () => {
    const renamed: TeamEvent = { type: 'TeamRenamed', data: { team: 'harbour', name: 'Quay' } };
    const shown = given(teams, ['team-harbour', created], ['team-harbour', renamed]).get('harbour');
    expect(shown).toMatchObject({ name: 'Quay', created_at: at(0) });
  });

  it('shows since when a team is closed, until it is open again', () => {
    const closing = '00000000-0000-4000-8000-00000000000c';
    const story = (['TeamClosed', 'TeamReopened'] as const).map((type): readonly [string, TeamEvent] => [
      'team-harbour',
      { type, data: { team: 'harbour', closing } },
    ]);
    const shown = (events: number) =>
      given(teams, ['team-harbour', created], ...story.slice(0, events)).get('harbour');
    expect(shown(1)).toMatchObject({ closed_at: at(1) });
    expect(shown(2)).not.toHaveProperty('closed_at');
  });

  it('shows the time zone that was set last, and none when it was taken away', () => {
    const zone = (time_zone?: string): TeamEvent => ({
      type: 'TeamTimeZoneSet',
      data: { team: 'harbour', ...(time_zone === undefined ? {} : { time_zone }) },
    });
    const story = [created, zone('America/Chicago'), zone('America/Denver')];
    const shown = (...events: TeamEvent[]) =>
      given(teams, ...events.map((each) => ['team-harbour', each] as const)).get('harbour');
    expect(shown(...story)).toMatchObject({ time_zone: 'America/Denver' });
    expect(shown(...story, zone())).not.toHaveProperty('time_zone');
  });

  it('shows the scopes that were enabled last, and since when there is the team', () => {
    const story = [created, enabled('audit:read', 'forms:read'), enabled('forms:read')];
    const team = given(teams, ...story.map((event) => ['team-harbour', event] as const)).get('harbour');
    expect(team).toMatchObject({ scopes: ['forms:read'], created_at: at(0) });
  });

  it('knows no team that was never created', () => {
    expect(given(teams, ['team-harbour', enabled('audit:read')])).toEqual(new Map());
  });
});
