import { hash } from 'node:crypto';
import { causeOf, commandImport, importRunOf } from '../../commands/directory/import.ts';
import { refuseClosed } from '../../commands/teams/team.ts';
import {
  commandFollowing,
  followingKey,
  followingOf,
  readSoFar,
  recordRead,
  type Following,
  type FollowingCommand,
  type ReadState,
} from '../../commands/directory/upkeep/following.ts';
import { followingStreamId, type PauseReason } from '../../events/directory/upkeep/following.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { backOff, jittered } from '../../ground/back-off.ts';
import { counted } from '../../ground/counted.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { throttle } from '../../ground/throttle.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { resources, sourceKey } from '../../projections/directory/resources.ts';
import { pages } from '../../projections/engine/paginate.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Leases } from '../../stores/leases/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { mostGone } from '../missing-records.ts';
import { oneAtATime } from '../team-jobs.ts';
import {
  applyEntries,
  heldAs,
  noCounts,
  sumOf,
  takeOut,
  Tally,
  type ApplyParts,
  type OfRound,
} from './apply-entries.ts';
import { checkCheckpoint, openedWith } from './check-checkpoint.ts';
import {
  FeedError,
  readChanges,
  type FeedEntry,
  type FeedPage,
  type Other,
  type ReadAddress,
} from './feed.ts';
import { FollowingContacts, type FollowingContact } from './following-contacts.ts';

// Over 300 lines: one round, whose steps share what was checked, read and applied so far.

/** What followed directories are read with. */
export interface FollowParts {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly read: ReadAddress;
  /** The names of the proof logs of this installation, of now and before. */
  readonly ownLogs: () => Promise<ReadonlySet<string>>;
  readonly settings: FollowSettings;
  readonly now?: (() => Date) | undefined;
}

export interface FollowSettings {
  /** How often a directory is read, in milliseconds. */
  readonly everyMs: number;
  /** After so long without an answer, or without a new checkpoint, it is paused. */
  readonly silentMs: number;
}

/** Who records what was read. */
const followingJob = { kind: 'system', id: 'following' } as const;
/** The longest wait between attempts that fail: so many times the usual one, and this at most. */
const longestWait = { times: 15, ms: 60 * 60_000 };
/** So few may always be gone. */
const fewGone = 5;
/** Within which time a fifth of a directory may not be gone. */
const goneWithinMs = 24 * 60 * 60_000;
/** How long is waited for read models before they are compared with. */
const shownWithinMs = 60_000;

/** The directory cannot be followed any further before somebody has looked at it. */
class Stop extends Error {
  readonly why: PauseReason;

  constructor(why: PauseReason, detail: string) {
    super(detail);
    this.why = why;
  }
}

/**
 * Reads a followed directory once: checks that its proof log goes on as it was, and applies the changes of its feed up to the
 * newest. Never throws for what the other one does: that is in the contact, and pauses the following where somebody has to look.
 * Killed anywhere, it goes on with the last answer that was not recorded, and nothing is doubled.
 *
 * @throws the reason of the signal; faults of ours
 */
export async function follow(
  parts: FollowParts,
  of: { readonly team: string; readonly source: string },
  signal: AbortSignal,
): Promise<void> {
  const now = parts.now ?? (() => new Date());
  const id = followingStreamId(of.team, of.source);
  const contacts = new FollowingContacts(parts.side);
  const state = await followingOf(parts.store, of);
  if (!state || !isRead(state)) return;
  const turn = new Turn(parts, state, await contacts.get(id), signal, now);
  const dueIn = (ms: number) => new Date(now().getTime() + ms).toISOString();
  const { everyMs } = parts.settings;
  const longestMs = Math.max(everyMs, Math.min(longestWait.ms, longestWait.times * everyMs));
  try {
    await turn.run();
    const wait = state.paused ? longestMs : everyMs;
    const { problem: _, ...contact } = turn.contact;
    await contacts.put(id, { ...contact, failures: 0, due_at: dueIn(wait) }, now());
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Stop) {
      await turn.command({ kind: 'pause', why: error.why, detail: error.message });
      await contacts.put(id, turn.contact, now());
    } else if (error instanceof FeedError || error instanceof CommandRefused) {
      const failures = turn.contact.failures + 1;
      const waited = jittered(backOff(failures, { firstMs: everyMs, longestMs }));
      const wait = Math.max(waited, error instanceof FeedError ? (error.afterMs ?? 0) : 0);
      await contacts.put(
        id,
        { ...turn.contact, failures, problem: error.message.slice(0, 600), due_at: dueIn(wait) },
        now(),
      );
      await turn.pauseIfSilent();
    } else throw error;
  }
}

/** What is silent is read as well, to hear when it answers again. */
const isRead = ({ phase, paused }: Following): boolean =>
  phase === 'following' || (phase === 'paused' && paused?.why === 'silent');

/** One time that a directory is read. */
class Turn {
  contact: FollowingContact;
  readonly #parts: FollowParts;
  #state: Following;
  #read: ReadState;
  readonly #signal: AbortSignal;
  readonly #now: () => Date;
  /** The checkpoint that was checked in this turn, as a signed note. */
  #checkpoint = '';
  #directory = '';

  constructor(
    parts: FollowParts,
    state: Following,
    contact: FollowingContact,
    signal: AbortSignal,
    now: () => Date,
  ) {
    this.#parts = parts;
    this.#state = state;
    this.#signal = signal;
    this.#now = now;
    const at = now().toISOString();
    this.contact = { answered_at: at, signed_at: at, ...contact };
  }

  async run(): Promise<void> {
    const { team, address } = this.#state;
    await refuseClosed(this.#parts.store, team);
    const key = await followingKey(this.#parts.vault, this.#state);
    const other: Other = { address, key, read: this.#parts.read, signal: this.#signal };
    this.#read = await readSoFar(this.#parts.store, this.#state);
    await this.#checkLog(other);
    await this.pauseIfSilent();
    if (this.#state.phase !== 'following') return;
    await this.#endRound();
    await this.#readOn(other);
  }

  /** Records what was decided, and goes on with the state after it. */
  async command(command: FollowingCommand): Promise<void> {
    const { state } = await commandFollowing(this.#parts.store, this.#state, command, this.#context());
    if (state) this.#state = state;
  }

  /** Nothing was heard for so long that somebody should know. */
  async pauseIfSilent(): Promise<void> {
    const { answered_at = '', signed_at = '' } = this.contact;
    const longAgo = new Date(this.#now().getTime() - this.#parts.settings.silentMs).toISOString();
    if (this.#state.phase !== 'following' || (answered_at > longAgo && signed_at > longAgo)) return;
    const detail =
      answered_at > longAgo
        ? `Its proof log has signed nothing new since ${signed_at.slice(0, 10)}.`
        : `It has not answered since ${answered_at.slice(0, 10)}: ${this.contact.problem ?? 'no answer'}`;
    await this.command({ kind: 'pause', why: 'silent', detail: detail.slice(0, 600) });
  }

  /** Checks that its log continues what was seen of it, and signs with its key. */
  async #checkLog(other: Other): Promise<void> {
    const checked = await checkCheckpoint(other, { vkey: this.#state.vkey, before: this.#newestSeen() });
    if (checked.kind === 'stop') throw new Stop(checked.why, checked.detail);
    const at = this.#now().toISOString();
    const { note, isNew, vkey } = checked;
    this.#checkpoint = note;
    const { signed_at = at } = this.contact;
    this.contact = { ...this.contact, answered_at: at, signed_at: isNew ? at : signed_at, checkpoint: note };
    if (isNew) await this.command({ kind: 'answers-again' });
    if (vkey !== undefined) await this.command({ kind: 'replace-key', vkey });
    this.#directory = openedWith(note, this.#state.vkey)?.origin ?? '';
  }

  /** The side store has one for each turn, the log one for each change: it may have been restored without the other. */
  #newestSeen(): string | undefined {
    const { vkey } = this.#state;
    const recorded = this.#read?.checkpoint;
    const { checkpoint: seen } = this.contact;
    const sizeOf = (note: string | undefined) => (note === undefined ? -1 : sizeIn(note));
    if (seen === undefined || sizeOf(seen) <= sizeOf(recorded)) return recorded;
    // Where another past was accepted, what was seen before is of the former one.
    return isOfLog(seen, vkey) ? seen : recorded;
  }

  /** Ends the import of a round of which all was read, where the process was killed before. */
  async #endRound(): Promise<void> {
    const read = this.#read;
    if (!read || read.more) return;
    const run = await importRunOf(this.#parts.store, read.import);
    if (run?.phase === 'begun') await this.#commandImport(read.import, { kind: 'end', counts: read.counts });
  }

  async #readOn(other: Other): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      const cursor = this.#read?.cursor;
      const { etag: before } = this.contact;
      const etag = before !== undefined && before.cursor === cursor ? before.tag : undefined;
      const outcome = await readChanges(other, { cursor, etag });
      if (outcome.kind === 'stop') throw new Stop(outcome.why, outcome.detail);
      if (outcome.kind === 'unchanged') return;
      const { page } = outcome;
      if (page.data.length === 0 && !this.#isComparing) {
        if (cursor !== undefined && page.etag !== undefined)
          this.contact = { ...this.contact, etag: { cursor, tag: page.etag } };
        return;
      }
      const goesOn = await oneAtATime(this.#parts.leases, this.#state.team, (lost) =>
        this.#take(other, page, AbortSignal.any([lost, this.#signal])),
      );
      if (!goesOn) return;
    }
  }

  /** Another past was accepted, and what the feed does not name has not been taken out yet. */
  get #isComparing(): boolean {
    return this.#state.epoch > 0 && !this.#read?.compared;
  }

  /** Applies an answer of the feed and records it. Whether there is more to read. */
  async #take(other: Other, page: FeedPage, signal: AbortSignal): Promise<boolean> {
    const before = this.#read;
    const round = await this.#roundOf();
    const parts: ApplyParts = {
      store: this.#parts.store,
      personal: this.#parts.personal,
      context: () => this.#context(),
      ownLogs: await this.#parts.ownLogs(),
      signal,
      rest: throttle(),
    };
    await this.#refuseEmptying(page.data);
    const applied = await applyEntries(parts, round, page.data);
    const compares = this.#isComparing && !page.has_more;
    const unnamed = compares ? await this.#takeOutUnnamed(other, parts, round) : noCounts;
    signal.throwIfAborted();
    const counts = [before?.import === round.import ? before.counts : noCounts, applied.counts, unnamed];
    const { state, events } = await recordRead(
      this.#parts.store,
      this.#state,
      {
        after: before?.cursor,
        data: {
          ...{ team: this.#state.team, source: this.#state.source },
          ...{ import: round.import, cursor: page.cursor, entries: page.data.length, ours: applied.ours },
          ...(page.has_more ? { more: true } : {}),
          ...(compares || before?.compared ? { compared: true } : {}),
          counts: counts.reduce(sumOf),
          answer_sha256: hash('sha256', page.bytes),
          checkpoint: this.#checkpoint,
        },
      },
      this.#context(),
    );
    this.#read = state;
    if (events.length === 0) return false;
    await this.#endRound();
    // Somebody may have paused it, or stopped following, meanwhile.
    const now = await followingOf(this.#parts.store, this.#state);
    return page.has_more && now?.phase === 'following' && now.epoch === this.#state.epoch;
  }

  /** The import that takes the answer: the one under way, or another one where that was undone meanwhile. */
  async #roundOf(): Promise<OfRound> {
    const { team, source, epoch } = this.#state;
    const { more, import: before, cursor = '' } = this.#read ?? {};
    const candidates = function* () {
      if (more && before !== undefined) yield before;
      for (let draw = 0; ; draw++)
        yield uuidOf('followed changes', team, source, String(epoch), cursor, String(draw));
    };
    for (const id of candidates()) {
      const run = await importRunOf(this.#parts.store, id);
      if (run && run.phase !== 'begun') continue;
      await this.#commandImport(id, { kind: 'begin', team, source });
      return { following: this.#state, directory: this.#directory, import: id };
    }
    throw new Error('There is always another id.');
  }

  /** @throws Stop when more than a fifth of the records would be gone within a day */
  async #refuseEmptying(entries: readonly FeedEntry[]): Promise<void> {
    if (this.#mayTakeMany) return;
    const removed = entries.filter(({ change }) => change === 'removed');
    const held = await Promise.all(
      removed.map(({ svc_id }) => heldAs(this.#parts.store, this.#state, svc_id)),
    );
    await this.#countGone(held.filter((svcId) => svcId !== undefined).length);
  }

  get #mayTakeMany(): boolean {
    return (this.#state.manyGoneUntil ?? '') > this.#now().toISOString();
  }

  async #countGone(number: number): Promise<void> {
    if (number === 0) return;
    const now = this.#now();
    const { gone: before } = this.contact;
    const isLately = before && now.getTime() - Date.parse(before.since) < goneWithinMs;
    const gone = isLately
      ? { ...before, count: before.count + number }
      : { since: now.toISOString(), count: number };
    const { team, source } = this.#state;
    const where = { source_key: sourceKey(team, source) };
    const of = await this.#parts.documents.collection(resources.collection).count({ where });
    if (gone.count > fewGone && gone.count > of * mostGone)
      throw new Stop(
        'many-gone',
        `${counted(gone.count, 'record')} of ${of.toLocaleString('en')} would be gone within a day. None of the last ${number.toLocaleString('en')} was taken out.`,
      );
    this.contact = { ...this.contact, gone };
  }

  /**
   * After another past was accepted, the feed names only what it has and had. What came from it before and is not named
   * is gone. Its feed is read once more for that, so that a process that is killed need not remember anything.
   */
  async #takeOutUnnamed(other: Other, parts: ApplyParts, round: OfRound): Promise<Tally['counts']> {
    const named = new Set<string>();
    for (let cursor: string | undefined; ;) {
      parts.signal.throwIfAborted();
      const outcome = await readChanges(other, { cursor });
      if (outcome.kind === 'stop') throw new Stop(outcome.why, outcome.detail);
      if (outcome.kind === 'unchanged') throw new FeedError('Its feed of changes does not go on.');
      for (const { svc_id, change } of outcome.page.data) if (change === 'upsert') named.add(svc_id);
      if (!outcome.page.has_more) break;
      cursor = outcome.page.cursor;
    }
    const { store, documents } = this.#parts;
    const { team, source } = this.#state;
    await untilShown(
      documents,
      { types: ['ResourceSubmitted'], position: await store.head() },
      shownWithinMs,
    );
    const unnamed: string[] = [];
    const query = { where: { source_key: sourceKey(team, source) }, orderBy: ['number'] } as const;
    for await (const page of pages(documents.collection(resources.collection), query))
      for (const { source: from, status } of page)
        if (from && (status === 'approved' || status === 'submitted') && !named.has(from.id))
          unnamed.push(from.id);
    if (!this.#mayTakeMany) await this.#countGone(unnamed.length);
    const tally = new Tally();
    for (const id of unnamed) {
      await parts.rest();
      parts.signal.throwIfAborted();
      await takeOut(parts, round, id, tally);
    }
    return tally.counts;
  }

  #commandImport(id: string, command: Parameters<typeof commandImport>[2]): Promise<unknown> {
    const cause = command.kind === 'end' ? { causationId: causeOf(id, 'begin') } : {};
    return commandImport(this.#parts.store, id, command, { ...this.#context(), ...cause });
  }

  #context(): CommandContext {
    return { actor: followingJob, commandId: crypto.randomUUID(), at: this.#now() };
  }
}

/** Of a note that was checked before. */
const sizeIn = (note: string): number => Number(note.split('\n')[1]);
const isOfLog = (note: string, vkey: string): boolean => note.split('\n')[0] === vkey.split('+')[0];
