import { causeOf } from '../../commands/directory/import.ts';
import { importedSvcId, importResource } from '../../commands/directory/import-record.ts';
import { resource, isRecordOf } from '../../commands/directory/resource-decider.ts';
import { removeMissing } from '../../commands/directory/resource.ts';
import { load } from '../../commands/command-handler.ts';
import type { Following } from '../../commands/directory/upkeep/following.ts';
import type { ImportCounts } from '../../events/directory/import.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { Change } from '../../projections/until-shown.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { confirmedParts, followedFields, fieldsOfFollowed } from './followed-fields.ts';
import { originOf, type FeedEntry } from './feed.ts';

/** What changes are applied with. */
export interface ApplyParts {
  readonly store: EventStore;
  readonly personal: PersonalData;
  /** The context of one command. */
  readonly context: () => CommandContext;
  /** The names of the proof logs of this installation, of now and before. */
  readonly ownLogs: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Awaited before each record. */
  readonly rest: () => Promise<void> | undefined;
}

/** The import of which the changes are a part. */
export interface OfRound {
  readonly following: Following;
  /** The name of the log of the other installation. */
  readonly directory: string;
  readonly import: string;
}

/** What applying changes came to. */
export interface Applied {
  readonly counts: ImportCounts;
  /** Records that it has from here. */
  readonly ours: number;
  /** The last change of each kind. */
  readonly changes: readonly Change[];
}

export const noCounts: ImportCounts = {
  ...{ new: 0, revised: 0, approved: 0, deactivated: 0, reactivated: 0 },
  ...{ unchanged: 0, conflicts: 0, missing: 0, left_out: 0 },
};

/** Counts of parts of one import. */
export const sumOf = (one: ImportCounts, other: ImportCounts): ImportCounts => {
  const names = Object.keys(noCounts) as (keyof ImportCounts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + other[name]])) as ImportCounts;
};

/** So many records are changed at a time: they share commits. The entries of an answer are of different records. */
const atOnce = 8;

/** Applies the entries of one answer of a feed, as an import does with rows. Doing it again changes nothing more. */
export async function applyEntries(
  parts: ApplyParts,
  round: OfRound,
  entries: readonly FeedEntry[],
): Promise<Applied> {
  const tally = new Tally();
  const left = entries.values();
  const worker = async () => {
    for (const entry of left) {
      await parts.rest();
      parts.signal.throwIfAborted();
      await applyEntry(parts, round, entry, tally);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return tally.applied();
}

async function applyEntry(parts: ApplyParts, round: OfRound, entry: FeedEntry, tally: Tally): Promise<void> {
  const origin = originOf(entry);
  // What it has from here comes not back: else two that follow each other would change each other for ever.
  if (origin && parts.ownLogs.has(origin.directory)) {
    tally.ours += 1;
    return;
  }
  if (entry.change === 'removed') {
    await takeOut(parts, round, entry.svc_id, tally);
    return;
  }
  const { record } = entry;
  const fields = isObject(record) ? fieldsOfFollowed(record, () => undefined) : undefined;
  if (!isObject(record) || !fields) {
    tally.counts.left_out += 1;
    return;
  }
  const { following, directory } = round;
  const { team, source, approve } = following;
  const { svc_id } = entry;
  const context = contextOf(parts, round);
  const sourceConfirmed = confirmedParts(record, context.at);
  const outcome = await importResource(
    parts,
    {
      ...{ team, fields, approve, checked: true, active: true, covered: followedFields },
      sourceConfirmed,
      source: { system: source, id: svc_id, origin: origin ?? { directory, svc_id } },
    },
    context,
  );
  tally.add(outcome);
  if (outcome.conflicts.length > 0) tally.counts.conflicts += 1;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Takes out what is gone at the source, unless a reviewer has decided about it. */
export async function takeOut(parts: ApplyParts, round: OfRound, id: string, tally: Tally): Promise<void> {
  const svcId = await heldAs(parts.store, round.following, id);
  if (svcId === undefined) return;
  tally.counts.missing += 1;
  tally.add(await removeMissing(parts, svcId, contextOf(parts, round)));
}

/** The record here of one that is gone there. Undefined: there is none, or it is not public and does not wait. */
export async function heldAs(
  store: EventStore,
  { team, source }: Pick<Following, 'team' | 'source'>,
  id: string,
): Promise<string | undefined> {
  const of = { team, source: { system: source, id } };
  const svcId = importedSvcId(team, of.source);
  const { state } = await load(store, resource, svcId);
  if (!state || !isRecordOf(state, of) || state.mergedInto) return undefined;
  // It stands for the records that were merged into it as well, which other sources may still have.
  if ((state.absorbed?.size ?? 0) > 0) return undefined;
  return state.status === 'approved' || state.status === 'submitted' ? svcId : undefined;
}

const contextOf = ({ context }: ApplyParts, round: OfRound): CommandContext => ({
  ...context(),
  correlationId: round.import,
  causationId: causeOf(round.import, 'begin'),
});

/** Counts what becomes of records. */
export class Tally {
  readonly counts: { -readonly [Name in keyof ImportCounts]: number } = { ...noCounts };
  ours = 0;
  readonly #changes = new Map<string, Change>();

  add({ events, types, position }: Change & { readonly events: readonly { readonly type: string }[] }): void {
    const happened = new Set(events.map(({ type }) => type));
    const { counts } = this;
    if ([...happened].every((type) => type === 'ResourceReadFromSource')) counts.unchanged += 1;
    if (happened.has('ResourceSubmitted')) counts.new += 1;
    if (happened.has('ResourceRevised')) counts.revised += 1;
    if (happened.has('ResourceApproved')) counts.approved += 1;
    if (happened.has('ResourceDeactivated') || happened.has('ResourceWithdrawn')) counts.deactivated += 1;
    if (happened.has('ResourceReactivated') || happened.has('ResourceResubmitted')) counts.reactivated += 1;
    if (happened.size === 0) return;
    const former = this.#changes.get(types.join());
    if (!former || former.position < position) this.#changes.set(types.join(), { types, position });
  }

  applied(): Applied {
    return { counts: this.counts, ours: this.ours, changes: [...this.#changes.values()] };
  }
}
