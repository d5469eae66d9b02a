import { z } from 'zod';
import { commandSource } from '../../commands/directory/source.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { fieldGroup } from '../../events/directory/upkeep/precedence.ts';
import { sourceId, sourceName } from '../../events/directory/source.ts';
import { findSource, requireSource } from '../../imports/choose-source.ts';
import { sources, sourcesOf, type SourceDocument } from '../../projections/directory/sources.ts';
import { action } from '../action.ts';
import type { Listing } from '../listing.ts';

const right = 'import records';

/** Where records of a team come from. */
export const sourceList: Listing<SourceDocument, SourceDocument> = {
  name: 'directory-sources',
  right,
  readModel: sources,
  orderBy: ['source'],
  id: z.uuid(),
  none: () => new CommandRefused('not_found', 'There is no such source of your team.'),
  open: (_, docs) => Promise.resolve(docs),
};

/** Calls a source otherwise. `source`: its name or id. No record changes. */
export const renameSource = action({
  name: 'directory.rename-source',
  right,
  input: z.object({ source: sourceId, name: sourceName }),
  wrongField: { not_found: 'source', conflict: 'name' },
  async run({ store, documents }, { source: text, name }, { who: { team = '' }, context }) {
    const all = await sourcesOf(documents, team);
    const { source } = requireSource(all, text);
    const other = findSource(all, name);
    if (other && other.source !== source)
      throw new CommandRefused('conflict', `The team has a source ${other.name} already.`);
    const changes = await commandSource(store, { kind: 'rename', team, source, name }, context);
    return { changes, value: () => ({ team, source, name }) };
  },
});

/** Chooses the fields for which the word of a source counts before what people, or other sources, have changed. */
export const chooseSourcePrecedence = action({
  name: 'directory.choose-source-precedence',
  right,
  input: z.object({ source: sourceId, groups: z.array(fieldGroup) }),
  wrongField: { not_found: 'source' },
  async run({ store, documents }, { source: text, groups }, { who: { team = '' }, context }) {
    const { source, name } = requireSource(await sourcesOf(documents, team), text);
    const changes = await commandSource(store, { kind: 'precede', team, source, groups }, context);
    const counts_first = changes.state.precedence;
    return { changes, value: () => ({ team, source, name, counts_first }) };
  },
});
