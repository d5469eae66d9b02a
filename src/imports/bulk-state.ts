import type { BulkChange, BulkCounts, BulkDecision, BulkSkip } from '../events/directory/bulk.ts';
import { InvalidEvent } from '../events/new-event.ts';
import { CommandRefused, ConcurrencyConflict } from '../ground/refusals.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { type JobState, keptMs, workKey, type WorkOfTeam } from './team-jobs.ts';

/** What somebody is asked about: a decision about the records that were ticked, or about all that fit a filter. */
export interface BulkDraft extends WorkOfTeam {
  readonly decision: BulkDecision;
  /** How many records the person has been shown. */
  readonly total: number;
  /** The query of the table, where all that fit it are meant. Else they were ticked. */
  readonly filter?: string;
  /** In which the days of the filter begin. */
  readonly zone?: string;
}

/** A bulk action that is under way. */
export interface BulkRun extends JobState {
  readonly change: BulkChange;
}

/** A record that was skipped. */
export interface SkippedRecord {
  readonly svc_id: string;
  readonly name: string;
  readonly why: BulkSkip;
  /** A sentence. */
  readonly cause: string;
}

/** What a bulk action came to, with the records that were skipped. */
export interface BulkReport extends BulkCounts {
  readonly skipped_records: readonly SkippedRecord[];
  readonly not_listed: number;
}

/** What some of the records came to. */
export interface PartOutcome {
  readonly done: number;
  readonly unchanged: number;
  readonly skipped: readonly SkippedRecord[];
}

/** So many records are one entry of the side store: what was done before a process was killed is passed over by entry. */
const perPart = 500;
/** A question waits so long for its answer. */
const draftKeptMs = 24 * 60 * 60_000;
/** Whoever begins it has written its records down long before. */
const claimedMs = 60_000;

/** The records of bulk actions: those that are asked about, and those that are done. */
export class BulkRecords {
  readonly #drafts: SideTable<BulkDraft>;
  readonly #parts: SideTable<readonly string[] | PartOutcome>;
  readonly #cancelled: SideTable<string>;
  readonly #claims: SideTable<true>;
  readonly #now: () => Date;

  constructor(side: SideStore, now: () => Date) {
    this.#drafts = side.table('directory-bulk-drafts');
    this.#parts = side.table('directory-bulk-records');
    this.#cancelled = side.table('directory-bulk-cancelled');
    this.#claims = side.table('directory-bulk-claims');
    this.#now = now;
  }

  draft(of: WorkOfTeam): Promise<BulkDraft | undefined> {
    return this.#drafts.get(workKey(of));
  }

  putDraft(draft: BulkDraft): Promise<void> {
    return this.#drafts.put(workKey(draft), draft, this.#in(draftKeptMs));
  }

  /** Keeps which records it is about. Replaces those from before. */
  async putIds(of: WorkOfTeam, ids: readonly string[]): Promise<void> {
    await this.#forgetParts(of);
    const parts = Array.from({ length: Math.ceil(ids.length / perPart) }, (_, part) =>
      this.#parts.put(partKey(of, part), ids.slice(part * perPart, (part + 1) * perPart), this.#in(keptMs)),
    );
    await Promise.all(parts);
  }

  /** Whether this request alone begins it now. Two that are sent at once are one. */
  claim(of: WorkOfTeam): Promise<boolean> {
    return this.#claims.putIfAbsent(workKey(of), true, this.#in(claimedMs));
  }

  /** Some of its records, or what they came to. Undefined after the last. */
  part(of: WorkOfTeam, part: number): Promise<readonly string[] | PartOutcome | undefined> {
    return this.#parts.get(partKey(of, part));
  }

  putOutcome(of: WorkOfTeam, part: number, outcome: PartOutcome): Promise<void> {
    return this.#parts.put(partKey(of, part), outcome, this.#in(keptMs));
  }

  /** Asks whichever process does it to stop. */
  cancel(of: WorkOfTeam, by: string): Promise<void> {
    return this.#cancelled.put(workKey(of), by, this.#in(keptMs));
  }

  async isCancelled(of: WorkOfTeam): Promise<boolean> {
    return (await this.#cancelled.get(workKey(of))) !== undefined;
  }

  /** It has ended. */
  async forget(of: WorkOfTeam): Promise<void> {
    const key = workKey(of);
    await Promise.all([this.#drafts.delete(key), this.#cancelled.delete(key), this.#forgetParts(of)]);
  }

  async #forgetParts(of: WorkOfTeam): Promise<void> {
    const all: Promise<void>[] = [];
    for (let part = 0; await this.part(of, part); part += 1) all.push(this.#parts.delete(partKey(of, part)));
    await Promise.all(all);
  }

  #in(ms: number): Date {
    return new Date(this.#now().getTime() + ms);
  }
}

const partKey = (of: WorkOfTeam, part: number): string => `${workKey(of)}/${String(part)}`;

export const isOutcome = (kept: readonly string[] | PartOutcome): kept is PartOutcome => !Array.isArray(kept);

/** Why a record is skipped. Undefined for a fault of ours. */
export function skipFor(error: unknown): BulkSkip | undefined {
  if (error instanceof ConcurrencyConflict) return 'state';
  if (error instanceof InvalidEvent) return 'refused';
  if (!(error instanceof CommandRefused)) return undefined;
  if (error.code === 'not_found') return 'missing';
  return error.code === 'conflict' ? 'state' : 'refused';
}

const mostListed = 10_000;

/** What the parts of a bulk action came to, together. */
export class BulkTally {
  readonly #total: number;
  readonly #skipped: Partial<Record<BulkSkip, number>> = {};
  readonly #listed: SkippedRecord[] = [];
  #done = 0;
  #unchanged = 0;
  #skips = 0;
  stopped: BulkCounts['stopped'];

  constructor(total: number) {
    this.#total = total;
  }

  add({ done, unchanged, skipped }: PartOutcome, stopped?: BulkCounts['stopped']): void {
    this.#done += done;
    this.#unchanged += unchanged;
    this.#skips += skipped.length;
    for (const each of skipped) {
      this.#skipped[each.why] = (this.#skipped[each.why] ?? 0) + 1;
      if (this.#listed.length < mostListed) this.#listed.push(each);
    }
    this.stopped = stopped;
  }

  /** How many it has come to. */
  get counted(): number {
    return this.#done + this.#unchanged + this.#skips;
  }

  get counts(): BulkCounts {
    const left = this.#total - this.counted;
    return {
      done: this.#done,
      unchanged: this.#unchanged,
      skipped: this.#skipped,
      ...(this.stopped && { stopped: this.stopped, left }),
    };
  }

  get report(): BulkReport {
    const not_listed = this.#skips - this.#listed.length;
    return { ...this.counts, skipped_records: this.#listed, not_listed };
  }
}
