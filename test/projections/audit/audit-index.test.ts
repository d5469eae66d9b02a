import { describe, expect, it } from 'vitest';
import { streams } from '../../../src/events/catalogue.ts';
import { auditIndex } from '../../../src/projections/audit/audit-index.ts';
import { projections } from '../../../src/projections/all.ts';
import { at, given } from '../../support/fold.ts';
import { aResource } from '../../support/samples.ts';

const pantry = aResource();

describe('the audit index', () => {
  it('has an entry for every event: who, what, where, when, in which connection and which order', () => {
    const entries = [
      ...given(
        auditIndex,
        ['team-harbour', { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } }],
        [`resource-${pantry.svc_id}`, pantry.submitted(), { kind: 'key', id: 'AAAAAAAAAAAA' }],
        [
          `resource-${pantry.svc_id}`,
          pantry.approved(),
          { kind: 'user', id: 'reviewer', on_behalf_of: 'harbour' },
        ],
      ).values(),
    ];
    expect(entries).toMatchObject([
      {
        order: 0,
        stream: 'team-harbour',
        revision: 0,
        type: 'TeamCreated',
        actor: 'user:somebody',
        at: at(0),
      },
      {
        order: 1,
        stream: `resource-${pantry.svc_id}`,
        revision: 0,
        type: 'ResourceSubmitted',
        actor: 'key:AAAAAAAAAAAA',
      },
      { order: 2, revision: 1, type: 'ResourceApproved', actor: 'user:reviewer', at: at(2) },
    ]);
    expect(new Set(entries.map(({ correlation }) => correlation)).size).toBe(3);
  });

  it('has nothing of what the events say', () => {
    const [entry] = given(auditIndex, [`resource-${pantry.svc_id}`, pantry.submitted()]).values();
    expect(JSON.stringify(entry)).not.toContain('Pantry');
  });

  it('leaves no event type out', () => {
    expect(auditIndex.events).toBeUndefined();
  });
});

describe('the read models', () => {
  it('have names of their own', () => {
    const names = projections.map(({ collection }) => collection.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('fold only event types that there are, and each type is folded by some beside the index of all', () => {
    const known = streams.flatMap(({ events }) => Object.keys(events));
    const folded = projections.flatMap(({ events }) => events ?? []);
    expect(folded.filter((type) => !known.includes(type))).toEqual([]);
    const ofNoReadModel = known.filter((type) => !(folded as readonly string[]).includes(type));
    expect(ofNoReadModel).toEqual([
      'InstallationNamed',
      'VaultReplaced',
      'SetUpClosed',
      'EmailClaimed',
      'EmailReleased',
      'MemberInvited',
      'RebuildStarted',
      'GenerationSwitched',
    ]);
  });
});
