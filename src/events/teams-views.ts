import { z } from 'zod';
import { event, slug, stream, type EventOf } from './define.ts';
import { displayName } from './display-name.ts';
import { uuidOf } from './ids.ts';

/** What a saved view is called. It stands in a list of links, where no name must look like another. */
export const viewName = displayName(60);

/** The filter, order and columns of a table of records, as they stand in its address. */
export const viewQuery = z.string().max(2_000).meta({ title: 'a query string' });

const named = { team: slug, name: viewName } as const;

/** A view of its directory that a team has saved. Its id follows from the team and the name. */
export const viewStream = stream('view', {
  ViewSaved: event(
    'A view of the team’s directory was saved: its filter, order and columns. One of the same name is replaced.',
    z.strictObject({
      ...named,
      query: viewQuery.describe(
        'As in the address of the table. A release that no longer knows a part of it shows the rest.',
      ),
    }),
  ),
  ViewRemoved: event('A saved view was removed.', z.strictObject(named)),
});
export type ViewEvent = EventOf<typeof viewStream>;

/** The id of a view. Names that differ in case alone are one. */
export const viewIdOf = (team: string, name: string): string => uuidOf('view', team, name.toLowerCase());
