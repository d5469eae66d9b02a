import { importRunOf } from '../commands/directory/import.ts';
import type { Actor, CommandContext } from '../events/metadata.ts';
import { pause } from '../ground/back-off.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { untilShown } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { SideStore, SideTable } from '../stores/side/port.ts';
import { importKey } from './import-key.ts';
import { keptMs } from './import-state.ts';
import { undoImport, type UndoReport } from './undo-import.ts';

/** An undoing that has begun and has not ended. */
export interface UndoState {
  readonly import: string;
  readonly team: string;
  /** Who undoes it, also where another process goes on with it. */
  readonly actor: Actor;
  readonly began_at: string;
  /** Records that are done, and about how many there are. Organizations come before them. */
  readonly done: number;
  readonly total: number;
}

export interface UndoJobParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly now?: (() => Date) | undefined;
  /** Told of a fault of ours that has interrupted an undoing. */
  readonly onFault: (error: unknown) => void;
}

export interface NewUndo {
  readonly team: string;
  readonly id: string;
  readonly actor: Actor;
  /** The context of one command. */
  readonly context: () => CommandContext;
  readonly total: number;
  readonly onProgress?: (done: number) => void;
}

/** How often the others are told how far it is. */
const tellEveryMs = 500;

/**
 * Undoing imports, as jobs that outlive whoever began them. Which are under way is in the side store. Undoing needs no
 * file, so any process goes on with one whose process has gone: when the lease of its team is free, it was interrupted.
 */
export class UndoJobs {
  readonly #parts: UndoJobParts;
  readonly #states: SideTable<UndoState>;
  readonly #reports: SideTable<UndoReport>;
  readonly #stop = new AbortController();
  readonly #working = new Map<string, Promise<unknown>>();
  readonly #now: () => Date;

  constructor(parts: UndoJobParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => new Date());
    this.#states = parts.side.table('directory-import-undoing');
    this.#reports = parts.side.table('directory-import-undos');
  }

  /** An undoing that is under way. */
  get(team: string, id: string): Promise<UndoState | undefined> {
    return this.#states.get(importKey({ team, id }));
  }

  /** What undoing an import came to, with the records that stay. */
  report(team: string, id: string): Promise<UndoReport | undefined> {
    return this.#reports.get(importKey({ team, id }));
  }

  /**
   * Undoes an import. If this process stops meanwhile, another goes on with it.
   * @throws CommandRefused not_found, conflict
   */
  undo({ team, id, actor, total, context, onProgress }: NewUndo): Promise<UndoReport> {
    const began_at = this.#now().toISOString();
    return this.#carryOut({ import: id, team, actor, began_at, done: 0, total }, context, onProgress);
  }

  /** Goes on with what was interrupted. Resolves before that has ended. */
  async tend(): Promise<void> {
    for (const { id: key, value: state } of await this.#states.list()) {
      if (this.#working.has(key)) continue;
      const context = (): CommandContext => ({
        actor: state.actor,
        commandId: crypto.randomUUID(),
        at: this.#now(),
      });
      // While another process works on it, the lease of its team is not free, and it is refused.
      this.#carryOut(state, context).catch((error: unknown) => {
        if (!(error instanceof CommandRefused) && !this.#stop.signal.aborted) this.#parts.onFault(error);
      });
    }
  }

  /** Interrupts what this process undoes, and resolves when that has ended. */
  async stop(): Promise<void> {
    this.#stop.abort(stopped);
    await Promise.allSettled(this.#working.values());
  }

  async #carryOut(
    state: UndoState,
    context: () => CommandContext,
    onProgress: (done: number) => void = () => undefined,
  ): Promise<UndoReport> {
    const key = importKey({ team: state.team, id: state.import });
    const work = this.#undoAndKeep(key, state, context, onProgress);
    this.#working.set(key, work);
    try {
      return await work;
    } finally {
      this.#working.delete(key);
    }
  }

  async #undoAndKeep(
    key: string,
    state: UndoState,
    context: () => CommandContext,
    onProgress: (done: number) => void,
  ): Promise<UndoReport> {
    const { store, documents, leases } = this.#parts;
    const { team, import: id } = state;
    let done = 0;
    const telling = new AbortController();
    let progressWritten: Promise<void> | undefined;
    try {
      const report = await undoImport(
        {
          ...{ store, documents, leases, context },
          waitUntilVisible: (changes, timeoutMs) =>
            untilShown(documents, changes, timeoutMs).catch((error: unknown) => {
              if (!(error instanceof NotYetVisible)) throw error;
            }),
        },
        id,
        {
          team,
          signal: this.#stop.signal,
          beforeFirst: async () => {
            await this.#states.put(key, state, this.#until());
            progressWritten = this.#tell(key, () => ({ ...state, done }), telling.signal);
          },
          keep: (report) => this.#reports.put(key, report, this.#until()),
          onProgress: (now) => onProgress((done = now)),
        },
      );
      telling.abort();
      await progressWritten;
      await this.#states.delete(key);
      return report;
    } catch (error) {
      telling.abort();
      await progressWritten;
      // It had ended, and its process was stopped before it was forgotten.
      if (error instanceof CommandRefused && (await importRunOf(store, id))?.phase === 'undone')
        await this.#states.delete(key);
      throw error;
    }
  }

  /** Writes how far it is until the signal aborts. */
  async #tell(key: string, now: () => UndoState, until: AbortSignal): Promise<void> {
    for (;;) {
      await pause(tellEveryMs, until);
      if (until.aborted) return;
      // The side store may be away for a moment. How far it is is written again.
      await this.#states.put(key, now(), this.#until()).catch(() => undefined);
    }
  }

  #until(): Date {
    return new Date(this.#now().getTime() + keptMs);
  }
}

const stopped = new Error('The server stops.');
