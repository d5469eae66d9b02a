import { z } from 'zod';
import { commandView, noView } from '../../commands/teams/view.ts';
import { viewIdOf, viewName, viewQuery } from '../../events/teams.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { mostViews, viewOrder, views, type ViewDocument } from '../../projections/teams.ts';
import { action } from '../action.ts';
import type { Listing } from '../listing.ts';
import { recordFilter } from './record-filter.ts';
import { recordColumnsIn, recordOrder } from './record-table.ts';
import { reviewed } from './records.ts';

/** The views of its directory that a team has saved. */
export const viewList: Listing<ViewDocument, ViewDocument> = {
  name: 'directory-views',
  right: 'see the team',
  scope: 'directory:manage',
  readModel: views,
  orderBy: viewOrder,
  id: z.uuid(),
  none: noView,
  open: (_, docs) => Promise.resolve(docs),
};

/** Saves what a table shows, for everybody in the team. Parts of the query that mean nothing are not saved. */
export const saveView = action({
  name: 'directory.save-view',
  ...reviewed,
  input: z.object({ name: viewName, query: viewQuery }),
  wrongField: { conflict: 'name' },
  async run({ store, documents }, { name, query }, { who: { team = '' }, context }) {
    const saved = documents.collection(views.collection);
    const isNew = (await saved.get(viewIdOf(team, name))) === undefined;
    if (isNew && (await saved.count({ where: { team }, atMost: mostViews })) >= mostViews)
      throw new CommandRefused('conflict', `A team has at most ${mostViews} saved views.`);
    const meant = meaningOf(query);
    const changes = await commandView(store, { kind: 'save', team, name, query: meant }, context);
    return { changes, value: () => ({ id: viewIdOf(team, name), team, name, query: meant }) };
  },
});

/** Removes one by its name. */
export const removeView = action({
  name: 'directory.remove-view',
  ...reviewed,
  input: z.object({ name: viewName }),
  wrongField: { not_found: 'name' },
  async run({ store }, { name }, { who: { team = '' }, context }) {
    const changes = await commandView(store, { kind: 'remove', team, name }, context);
    return { changes, value: () => ({ team, name }) };
  },
});

/** The filter, order and columns of a query, as they are written. */
function meaningOf(query: string): string {
  const parsed = new URLSearchParams(query);
  const order = recordOrder.parse(parsed.get('sort') ?? '');
  const { columns, isChosen } = recordColumnsIn(parsed);
  return new URLSearchParams({
    ...recordFilter.toQuery(recordFilter.parse(parsed).filter),
    ...(order && { sort: recordOrder.toText(order) }),
    ...(isChosen && { columns: columns.join(',') }),
  }).toString();
}
