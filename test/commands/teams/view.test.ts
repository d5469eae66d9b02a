import { describe, it } from 'vitest';
import { view, type ViewCommand } from '../../../src/commands/teams/view.ts';
import { given } from '../../support/decider.ts';

const own = { team: 'harbour', name: 'To call' } as const;
const query = 'verified=never';
const save: ViewCommand = { kind: 'save', ...own, query };
const saved = { type: 'ViewSaved', data: { ...own, query } } as const;
const removed = { type: 'ViewRemoved', data: own } as const;

describe('a saved view', () => {
  it('is saved, and saved again only where it shows something else', () => {
    given(view).when(save).then(saved);
    given(view, saved).when(save).thenNothing();
    const other = { ...save, query: 'status=submitted' };
    given(view, saved)
      .when(other)
      .then({ type: 'ViewSaved', data: { ...own, query: 'status=submitted' } });
    given(view, saved, removed).when(save).then(saved);
  });

  it('is removed under the name that it was saved with, once', () => {
    const remove: ViewCommand = { kind: 'remove', team: own.team, name: 'TO CALL' };
    given(view, saved).when(remove).then(removed);
    given(view).when(remove).thenRefused('not_found');
    given(view, saved, removed).when(remove).thenRefused('not_found');
  });
});
