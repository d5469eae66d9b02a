import { describe, it } from 'vitest';
import { team } from '../../src/commands/team.ts';
import type { TeamEvent } from '../../src/events/team.ts';
import { given } from '../support/decider.ts';

const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
const enabled = (
  ...scopes: Extract<TeamEvent, { type: 'TeamScopesEnabled' }>['data']['scopes']
): TeamEvent => ({
  type: 'TeamScopesEnabled',
  data: { team: 'harbour', scopes },
});
const enable = (...scopes: Extract<TeamEvent, { type: 'TeamScopesEnabled' }>['data']['scopes']) =>
  ({ kind: 'enable-scopes', team: 'harbour', scopes }) as const;

describe('a team', () => {
  it('is created once', () => {
    const create = { kind: 'create', team: 'harbour', name: 'Harbour' } as const;
    given(team).when(create).then(created);
    given(team, created).when(create).thenRefused('conflict');
    given(team, created)
      .when({ ...create, name: 'Other' })
      .thenRefused('conflict');
  });

  it('is not named so that it looks like another', () => {
    given(team).when({ kind: 'create', team: 'harbour', name: 'Harb\u200Bour' }).thenRefused('invalid');
  });

  it('may use no team scope until some are enabled', () => {
    given(team, created).when(enable()).thenNothing();
    given(team, created).when(enable('audit:read')).then(enabled('audit:read'));
  });

  it('has exactly the scopes that were enabled last', () => {
    const both = [created, enabled('directory:manage', 'audit:read')];
    given(team, ...both)
      .when(enable('audit:read'))
      .then(enabled('audit:read'));
    given(team, ...both)
      .when(enable())
      .then(enabled());
  });

  it('is not enabled the same scopes again, in whatever order and however often they are named', () => {
    given(team, created, enabled('directory:manage', 'audit:read'))
      .when(enable('audit:read', 'directory:manage', 'audit:read'))
      .thenNothing();
  });

  it('keeps scopes in one order', () => {
    given(team, created)
      .when(enable('audit:read', 'directory:manage'))
      .then(enabled('directory:manage', 'audit:read'));
  });

  it('that does not exist can be given no scopes', () => {
    given(team).when(enable('audit:read')).thenRefused('not_found');
  });
});
