import { upcast } from '../events/catalogue.ts';
import { resourceStream, type ResourceEvent } from '../events/directory/resource.ts';
import { mergesStream, type Likeness, type MergesEvent } from '../events/directory/merges.ts';
import { streamName } from '../events/define.ts';
import type { CommandContext } from '../events/metadata.ts';
import { eventIdOf } from '../events/new-event.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';

/** One record that was merged into another. */
export interface Merge {
  readonly merge: string;
  readonly duplicate: string;
  readonly survivor: string;
}

export interface MergesState {
  /** Merges that were not undone, by the record that went. */
  readonly merged: ReadonlyMap<string, Merge>;
  /** What was dismissed last of the same records, by their ids. */
  readonly dismissed: ReadonlyMap<string, readonly Likeness[]>;
}

export type MergesCommand = { readonly team: string } & (
  | ({ readonly kind: 'begin' } & Merge)
  | { readonly kind: 'undo'; readonly duplicate: string }
  | { readonly kind: 'dismiss'; readonly records: readonly string[]; readonly inCommon: readonly Likeness[] }
);

/**
 * The merges of a team. A record is merged once, and only into one that is not merged itself: so merges form trees, and however they
 * cross, none leads in a circle.
 */
export const merges: Decider<MergesState, MergesCommand, MergesEvent> = {
  stream: mergesStream,
  initial: { merged: new Map(), dismissed: new Map() },
  evolve({ merged, dismissed }, event) {
    switch (event.type) {
      case 'MergeBegun':
        return { merged: new Map(merged).set(event.data.duplicate, event.data), dismissed };
      case 'MergeUndone': {
        const left = new Map(merged);
        left.delete(event.data.duplicate);
        return { merged: left, dismissed };
      }
      case 'DuplicatesDismissed': {
        const { records, in_common } = event.data;
        return { merged, dismissed: new Map(dismissed).set(records.join(), in_common) };
      }
    }
  },
  decide(command, state) {
    const { team } = command;
    if (command.kind === 'dismiss') {
      const records = [...new Set(command.records)].sort();
      const before = state.dismissed.get(records.join());
      if (before && command.inCommon.every((each) => before.includes(each))) return [];
      return [{ type: 'DuplicatesDismissed', data: { team, records, in_common: [...command.inCommon] } }];
    }
    const existing = state.merged.get(command.duplicate);
    if (command.kind === 'undo') {
      if (!existing) return [];
      const { merge, duplicate, survivor } = existing;
      const into = state.merged.get(survivor);
      if (into)
        throw new CommandRefused(
          'conflict',
          `${survivor}, which has its place, was merged into ${into.survivor} since. Undo that first.`,
        );
      return [{ type: 'MergeUndone', data: { team, merge, duplicate, survivor } }];
    }
    const { merge, duplicate, survivor } = command;
    if (duplicate === survivor)
      throw new CommandRefused('invalid', 'A record cannot be merged into itself. Choose another one.');
    if (existing?.survivor === survivor) return [];
    if (existing) throw alreadyMerged(existing.survivor);
    const other = state.merged.get(survivor);
    if (other)
      throw new CommandRefused(
        'conflict',
        `${survivor} was merged into ${other.survivor} meanwhile, so nothing can be merged into it. Choose that one.`,
      );
    return [{ type: 'MergeBegun', data: { team, merge, duplicate, survivor } }];
  },
};

export const alreadyMerged = (survivor: string): CommandRefused =>
  new CommandRefused(
    'conflict',
    `This record was merged into ${survivor}. Change that one, or undo the merge first.`,
  );

export const commandMerges = (
  store: EventStore,
  command: MergesCommand,
  context: CommandContext,
): Promise<Outcome<MergesState, MergesEvent>> => execute(store, merges, command.team, command, context);

/** The merge of a record that was not undone. */
export const mergeOf = async (
  store: EventStore,
  team: string,
  duplicate: string,
): Promise<Merge | undefined> => (await load(store, merges, team)).state.merged.get(duplicate);

/** The event with which a merge began, which causes those of the records. A merge is called by the command that began it. */
export const causeOfMerge = (team: string, merge: string): string =>
  eventIdOf(streamName(mergesStream, team), 0, { commandId: merge });

/**
 * The events of a record, and of every record that was ever merged into it or into which it was, by their ids: also of merges that
 * were undone since, and of those of the others. The record itself comes first.
 */
export async function recordsEverMerged(
  store: EventStore,
  svcId: string,
): Promise<ReadonlyMap<string, readonly ResourceEvent[]>> {
  const found = new Map<string, readonly ResourceEvent[]>([[svcId, []]]);
  for (const [id] of found) {
    const recorded = await store.readStream(streamName(resourceStream, id));
    const events = recorded.map((each) => upcast(each) as ResourceEvent);
    found.set(id, events);
    for (const { type, data } of events) {
      const other =
        type === 'ResourceMerged' ? data.merged_into : type === 'ResourceAbsorbed' ? data.duplicate : id;
      if (!found.has(other)) found.set(other, []);
    }
  }
  return found;
}
