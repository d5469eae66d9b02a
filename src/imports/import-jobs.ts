import type { Readable } from 'node:stream';
import { FairShare } from '../ground/fair-share.ts';
import { defined } from '../ground/defined.ts';
import type { Lease } from '../stores/leases/port.ts';
import type { ImportReport } from './report.ts';
import { carryOut, limits, nameOf } from './carry-out.ts';
import {
  fileKeptMs,
  ImportRecords,
  isUnderWay,
  keepsFile,
  keptOfTeam,
  type ImportChoices,
  waitsForAnswer,
  type ImportPhase,
  type ImportRequest,
  type ImportState,
} from './import-state.ts';
import { RememberedColumns, sampleOf, type SheetColumns, type SheetSample } from './sheet-columns.ts';
import { importLeaseOf as leaseOf, leaseWaitMs, workKey } from './team-jobs.ts';
import { UndoJobs } from './undo-records.ts';
import { Uploads } from './uploads.ts';
import type { ImportJobParts } from './carry-out.ts';

// Over 300 lines: one life cycle, whose steps share the lease, the file and the state.

/** An import that somebody begins with a file. */
export type NewImport = Pick<ImportState, 'id' | 'team' | 'file' | 'source' | 'approve' | 'by'>;

/** What somebody chose: the columns, or another sheet. */
type ChosenColumns = { readonly compares: boolean } & (
  | { readonly columns: SheetColumns['columns']; readonly sheet?: undefined }
  | { readonly sheet: string; readonly columns?: undefined }
);

/** An import on which this process works. */
interface Work {
  readonly lease: Lease;
  readonly stop: AbortController;
  ended: Promise<void>;
}

/** So many imports are carried out at a time by one process: each has a thread that reads its file. */
const atATime = 2;

/**
 * Imports that people start in a browser, as jobs that outlive the request. The states are in the side store, so every
 * node shows them; the file is on the node that took it, which alone carries the import out. Of a team one import runs
 * at a time, under a lease: when the lease is free and the state says that it runs, it was interrupted.
 *
 * Over 300 lines: one life cycle, whose steps share the lease, the file and the state.
 */
export class ImportJobs {
  readonly undos: UndoJobs;
  readonly #parts: ImportJobParts;
  readonly #records: ImportRecords;
  readonly #uploads: Uploads;
  readonly #turns = new FairShare({ atOnce: atATime });
  readonly #samples = new FairShare({ atOnce: atATime });
  readonly #columns: RememberedColumns;
  readonly #working = new Map<string, Work>();
  readonly #now: () => Date;

  constructor(parts: ImportJobParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => new Date());
    this.#records = new ImportRecords(parts.side, this.#now);
    this.#columns = new RememberedColumns(parts.side, this.#now);
    this.#uploads = new Uploads(parts.config.dataDir);
    this.undos = new UndoJobs(parts);
  }

  /**
   * Takes the file and begins to compare. An import of the team that waits for a decision is given up when this one
   * could be compared, not before. The same id again is the same import, and its file is not read.
   * @throws UploadRefused
   */
  async begin(input: NewImport, file: Readable): Promise<'begun' | 'repeated' | 'busy'> {
    const { team, id } = input;
    if (await this.get(team, id)) return 'repeated';
    const work = await this.#take(input);
    if (!work) return (await this.get(team, id)) ? 'repeated' : 'busy';
    // The same form may have been sent twice, and the first one may have ended while this one waited for the lease.
    if (await this.#records.get(team, id)) {
      await this.#leave(input, work);
      return 'repeated';
    }
    const at = this.#now().toISOString();
    const state: ImportState = {
      ...input,
      phase: 'receiving',
      done: 0,
      total: 0,
      uploaded_at: at,
      began_at: at,
    };
    try {
      await this.#records.put(state);
      const kind = await this.#uploads.receive(input, file, {
        signal: work.stop.signal,
        mostBytes: this.#parts.mostBytes,
      });
      const received = this.#at({ ...state, kind }, 'comparing');
      await this.#records.put(received);
      work.ended = this.#run(received, work);
      return 'begun';
    } catch (error) {
      await this.#records.forget(state);
      this.#uploads.remove(state);
      await this.#leave(state, work);
      throw error;
    }
  }

  /** An import as it is now. One whose process has gone is interrupted. */
  async get(team: string, id: string): Promise<ImportState | undefined> {
    const state = await this.#records.get(team, id);
    if (!state || !isUnderWay(state) || this.#working.has(workKey(state))) return state;
    const lease = await this.#parts.leases.tryAcquire(leaseOf(team));
    if (!lease) return state;
    try {
      // It may have ended before the lease was free.
      const still = await this.#records.get(team, id);
      if (!still || !isUnderWay(still)) return still;
      if (still.phase !== 'receiving') return await this.#end(still, 'interrupted');
      this.#uploads.remove(still);
      await this.#records.forget(still);
      return undefined;
    } finally {
      await lease.release();
    }
  }

  /** The newest imports of a team, newest first. */
  async ofTeam(team: string): Promise<readonly ImportState[]> {
    const states = await this.#records.ofTeam(team);
    const now = await Promise.all(states.slice(0, keptOfTeam).map(({ id }) => this.get(team, id)));
    return now.filter((state) => state !== undefined);
  }

  /** The conflicts of its report, which leaves them out. */
  get conflicts(): ImportRecords['conflicts'] {
    return this.#records.conflicts;
  }

  /** What the import has changed, or would change, without its conflicts. */
  report(state: ImportState): Promise<ImportReport | undefined> {
    return this.#records.report(state);
  }

  /** What somebody has chosen for the import. */
  choices(state: ImportState): Promise<ImportChoices> {
    return this.#records.choices(state);
  }

  choose(state: ImportState, choices: ImportChoices): Promise<void> {
    return this.#records.putChoices(state, choices);
  }

  /** What somebody wants of an import and the node with its file has not taken up. */
  request(state: ImportState): Promise<ImportRequest | undefined> {
    return this.#records.request(state);
  }

  /** Imports what was compared, or begins again what was interrupted. Another node does it when that has the file. */
  async start(state: ImportState, by: string): Promise<void> {
    if (!keepsFile(state) || state.phase === 'asking' || state.phase === 'columns') return;
    const wanted = state.phase === 'interrupted' ? 'again' : 'import';
    await this.#records.putRequest(state, { wanted, by, at: this.#now().toISOString() });
    if (this.#uploads.has(state)) await this.#takeUp(state);
  }

  /** Compares a file with the source that somebody has said it is of. Another node does it when that has the file. */
  async answerSource(
    state: ImportState,
    { source, same, by }: { readonly source: string; readonly same: boolean; readonly by: string },
  ): Promise<void> {
    if (state.phase !== 'asking') return;
    const at = this.#now().toISOString();
    await this.#records.putRequest(state, { wanted: 'compare', source, same_source: same, by, at });
    if (this.#uploads.has(state)) await this.#takeUp(state);
  }

  /**
   * Says what the columns of a spreadsheet are. `compares`: it is compared with them, which another node does when that has the
   * file. `sheet`: another one, into which is looked first.
   */
  async chooseColumns(
    state: ImportState,
    { sheet, columns, compares, by }: ChosenColumns & { readonly by: string },
  ): Promise<void> {
    const { sheet: current } = state;
    if (state.phase !== 'columns' || !current) return;
    const { remembered: _, ...kept } = current;
    const next =
      sheet === undefined
        ? { ...kept, columns, ...(compares ? { chosen: true as const } : {}) }
        : { ...kept, sheet, header: [], columns: {} };
    await this.#records.put({ ...state, sheet: next });
    if (sheet === undefined && !compares) return;
    if (sheet === undefined) await this.#columns.put(state.team, current.source, columns);
    await this.#records.putRequest(state, { wanted: 'compare', by, at: this.#now().toISOString() });
    if (this.#uploads.has(state)) await this.#takeUp(state);
  }

  /** The first services of a spreadsheet as they will be. Undefined where another node has the file. */
  async sample(state: ImportState): Promise<SheetSample | undefined> {
    const { sheet } = state;
    if (!sheet || !this.#uploads.has(state)) return undefined;
    return this.#samples.run('', () => sampleOf(this.#uploads.path(state), nameOf(state), sheet, limits));
  }

  /** Ends an import that runs, or gives up one that waits. What was imported stays. */
  async cancel(state: ImportState, by: string): Promise<void> {
    const work = this.#working.get(workKey(state));
    if (work) {
      work.stop.abort(cancelled);
      await work.ended;
      // It may have ended by itself just before.
      const now = await this.#records.get(state.team, state.id);
      if (now && keepsFile(now)) await this.#giveUp(now);
    } else if (isUnderWay(state)) {
      await this.#records.putRequest(state, { wanted: 'cancel', by, at: this.#now().toISOString() });
    } else if (keepsFile(state)) await this.#giveUp(state);
  }

  /**
   * Sees to the files of this node: begins or cancels what was asked for through another node, and removes files that
   * nobody has decided about, or that a crash has left. Goes on with undoings that were interrupted.
   */
  async tend(): Promise<void> {
    await this.undos.tend();
    for (const { team, id, writtenAt } of this.#uploads.all()) {
      const work = this.#working.get(workKey({ team, id }));
      if (work) {
        // Somebody may have cancelled it at another node, also while it waits for its turn.
        if ((await this.#records.request({ team, id }))?.wanted === 'cancel') work.stop.abort(cancelled);
        continue;
      }
      const state = await this.get(team, id);
      if (state && isUnderWay(state)) continue;
      if (!state || !keepsFile(state)) this.#uploads.remove({ team, id });
      else if (this.#now().getTime() - writtenAt > fileKeptMs) await this.#giveUp(state);
      else await this.#takeUp(state);
    }
  }

  /** Interrupts the imports and undoings of this process, and resolves when they have ended. */
  async stop(): Promise<void> {
    const all = [...this.#working.values()];
    for (const { stop } of all) stop.abort(stopped);
    await Promise.all([this.undos.stop(), ...all.map(({ ended }) => ended)]);
  }

  async #takeUp(state: ImportState): Promise<void> {
    const request = await this.#records.request(state);
    if (!request || request.wanted === 'cancel') return;
    const work = await this.#take(state);
    if (!work) return;
    await this.#records.forgetRequest(state);
    const now = await this.#records.get(state.team, state.id);
    if (!now || !keepsFile(now)) {
      await this.#leave(state, work);
      return;
    }
    const begun = this.#begunFor(request, now);
    await this.#records.put(begun);
    work.ended = this.#run(begun, work);
  }

  #begunFor({ wanted, by, source, same_source: same }: ImportRequest, now: ImportState): ImportState {
    if (wanted === 'compare') {
      const { question: _, same_source: _same, ...rest } = now;
      const answer = { ...defined({ source }), ...(same ? { same_source: true as const } : {}) };
      return this.#at({ ...rest, ...answer }, 'comparing');
    }
    const phase = wanted === 'again' ? (now.during ?? 'comparing') : 'importing';
    return this.#at({ ...now, ...(phase === 'importing' ? { imported_by: by } : {}) }, phase);
  }

  /** Carries out the phase that the state is at. Never rejects. */
  async #run(state: ImportState, work: Work): Promise<void> {
    const signal = AbortSignal.any([work.stop.signal, work.lease.lost]);
    const progress = { ...state };
    try {
      const ended = await this.#turns.run(
        '',
        () =>
          carryOut(this.#parts, {
            state,
            path: this.#uploads.path(state),
            records: this.#records,
            columns: this.#columns,
            signal,
            onProgress: (now) => Object.assign(progress, now),
          }),
        signal,
      );
      await this.#records.put(ended);
      if (!keepsFile(ended)) this.#uploads.remove(ended);
      if (waitsForAnswer(ended)) await this.#giveUpOthers(ended);
    } catch (error) {
      const reason: unknown = signal.aborted ? signal.reason : error;
      if (!signal.aborted) this.#parts.onFault(error);
      await this.#end(progress, reason === cancelled ? 'cancelled' : 'interrupted').catch(
        this.#parts.onFault,
      );
    } finally {
      await this.#leave(state, work).catch(this.#parts.onFault);
      await this.#forgetOld(state.team).catch(this.#parts.onFault);
    }
  }

  /** Undefined while another import of the team runs. */
  async #take(of: Pick<ImportState, 'team' | 'id'>): Promise<Work | undefined> {
    const lease = await this.#parts.leases.acquire(leaseOf(of.team), AbortSignal.timeout(leaseWaitMs));
    if (!lease) return undefined;
    const work: Work = { lease, stop: new AbortController(), ended: Promise.resolve() };
    this.#working.set(workKey(of), work);
    return work;
  }

  async #leave(of: Pick<ImportState, 'team' | 'id'>, { lease }: Work): Promise<void> {
    this.#working.delete(workKey(of));
    await lease.release();
  }

  /** One import of a team waits for a decision. One that somebody has decided about meanwhile is carried out. */
  async #giveUpOthers({ team, id }: ImportState): Promise<void> {
    for (const other of await this.#records.ofTeam(team))
      if (other.id !== id && keepsFile(other) && !(await this.#records.request(other)))
        await this.#giveUp(other);
  }

  async #giveUp(state: ImportState): Promise<void> {
    await this.#end(state, 'cancelled');
    await this.#records.forgetRequest(state);
  }

  async #end(state: ImportState, phase: 'cancelled' | 'interrupted'): Promise<ImportState> {
    const during = state.phase === 'interrupted' ? (state.during ?? 'comparing') : state.phase;
    const ended: ImportState = { ...state, phase, during };
    await this.#records.put(ended);
    if (!keepsFile(ended)) this.#uploads.remove(ended);
    return ended;
  }

  async #forgetOld(team: string): Promise<void> {
    const old = (await this.#records.ofTeam(team)).slice(keptOfTeam);
    for (const state of old.filter((each) => !isUnderWay(each))) await this.#records.forget(state);
  }

  #at(state: ImportState, phase: ImportPhase): ImportState {
    return { ...state, phase, done: 0, total: 0, began_at: this.#now().toISOString() };
  }
}

/** Why an import is ended before its end. */
const cancelled = new Error('The import was cancelled.');
const stopped = new Error('The server stops.');
