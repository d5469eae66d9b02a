import { describe, it } from 'vitest';
import { mistake, type MistakeCommand } from '../../../../src/commands/directory/upkeep/mistake.ts';
import type { MistakeEvent } from '../../../../src/events/directory/upkeep/mistake.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import { given } from '../../../support/decider.ts';

const data = {
  report: '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01',
  svc_id: svcIdOf(7),
  team: 'harbour',
  kind: 'phone',
  said: 'c2VhbGVk',
} as const;
const reported: MistakeEvent = { type: 'MistakeReported', data };
const fixed: MistakeEvent = { type: 'MistakeResolved', data: { outcome: 'fixed' } };
const erased: MistakeEvent = { type: 'MistakeReportErased', data: {} };
const others: readonly MistakeCommand[] = [{ kind: 'resolve', outcome: 'fixed' }, { kind: 'erase' }];

describe('a report of a mistake', () => {
  it('is made once', () => {
    given(mistake).when({ kind: 'report', data }).then(reported);
    given(mistake, reported).when({ kind: 'report', data }).thenRefused('conflict');
  });

  it('that was never made can be asked nothing', () => {
    for (const command of others) given(mistake).when(command).thenRefused('not_found');
  });

  it('is resolved once, and a repeat is no change', () => {
    given(mistake, reported).when({ kind: 'resolve', outcome: 'fixed' }).then(fixed);
    given(mistake, reported, fixed).when({ kind: 'resolve', outcome: 'fixed' }).thenNothing();
    given(mistake, reported, fixed).when({ kind: 'resolve', outcome: 'dismissed' }).thenRefused('conflict');
  });

  it('is erased once, resolved or not, and can be resolved after it', () => {
    given(mistake, reported).when({ kind: 'erase' }).then(erased);
    given(mistake, reported, fixed).when({ kind: 'erase' }).then(erased);
    given(mistake, reported, erased).when({ kind: 'erase' }).thenNothing();
    given(mistake, reported, erased).when({ kind: 'resolve', outcome: 'fixed' }).then(fixed);
  });

  it('exists for its own team alone', () => {
    for (const command of others) {
      given(mistake, reported)
        .when({ ...command, asTeam: 'library' } as MistakeCommand)
        .thenRefused('not_found');
    }
    given(mistake, reported).when({ kind: 'resolve', outcome: 'fixed', asTeam: 'harbour' }).then(fixed);
  });
});
