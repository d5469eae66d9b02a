import { describe, it } from 'vitest';
import { bulk } from '../../../src/commands/directory/bulk.ts';
import type { BulkEvent } from '../../../src/events/directory/bulk.ts';
import { given } from '../../support/decider.ts';

const change = { decision: 'reject', reason: 'Not in our county.' } as const;
const begun: BulkEvent = { type: 'BulkBegun', data: { team: 'harbor', number: 3, ...change } };
const counts = { done: 2, unchanged: 0, skipped: { state: 1 } };
const ended: BulkEvent = { type: 'BulkEnded', data: counts };
const undoing: BulkEvent = { type: 'BulkUndoBegun', data: {} };
const undone = { taken_out: 0, revised: 0, returned: 2, left: 0 };
const begin = { kind: 'begin', team: 'harbor', number: 3, change } as const;

describe('a bulk action', () => {
  it('begins once, and ends once', () => {
    given(bulk).when(begin).then(begun);
    given(bulk, begun).when(begin).thenNothing();
    given(bulk, begun).when({ kind: 'end', counts }).then(ended);
    given(bulk, begun, ended).when({ kind: 'end', counts }).thenNothing();
    given(bulk).when({ kind: 'end', counts }).thenRefused('not_found');
  });

  it('is undone when it has ended, once, and by its team alone', () => {
    given(bulk, begun).when({ kind: 'begin-undo' }).thenRefused('conflict');
    given(bulk, begun, ended).when({ kind: 'begin-undo', asTeam: 'harbor' }).then(undoing);
    given(bulk, begun, ended).when({ kind: 'begin-undo', asTeam: 'other' }).thenRefused('not_found');
    given(bulk, begun, ended, undoing).when({ kind: 'begin-undo' }).thenNothing();
    const end = { kind: 'end-undo', counts: undone } as const;
    given(bulk, begun, ended, undoing).when(end).then({ type: 'BulkUndone', data: undone });
    given(bulk, begun, ended).when(end).thenNothing();
    given(bulk, begun, ended, undoing, { type: 'BulkUndone', data: undone })
      .when({ kind: 'begin-undo' })
      .thenRefused('conflict');
  });
});
