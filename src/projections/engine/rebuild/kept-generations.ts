import { pause } from '../../../ground/back-off.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { noted, type RebuildNotes } from './rebuild-notes.ts';
import type { ProjectorTasks } from '../projector-tasks.ts';

interface KeptGenerationsOptions {
  readonly documents: Documents;
  readonly notes: RebuildNotes;
  readonly epoch: number;
  readonly now: () => Date;
  readonly tasks: ProjectorTasks;
  /** Whether a generation is being made ready to serve again. */
  readonly isWanted: (name: string, generation: number) => boolean;
}

const lookEveryMs = 1_000;

/** Generations that were served before and are kept for a time. They do not follow the log. */
export class KeptGenerations {
  readonly #options: KeptGenerationsOptions;
  /** When each ends, by stored name. */
  readonly #until = new Map<string, number>();

  constructor(options: KeptGenerationsOptions) {
    this.#options = options;
  }

  /** Call it before another generation is served. One that was kept earlier is then dropped. */
  async keep(name: string, generation: number, ms: number): Promise<void> {
    const until = this.#options.now().getTime() + ms;
    await this.#options.notes.kept.put(name, { generation, until: new Date(until).toISOString() });
    this.#until.set(name, until);
  }

  /** None is kept any more: it was dropped, or serves again. */
  async forget(name: string): Promise<void> {
    if (this.#until.delete(name)) await this.#options.notes.kept.delete(name);
  }

  /** Drops those whose time is over, until the signal aborts. */
  async watch(names: readonly string[]): Promise<void> {
    const { notes, now, tasks } = this.#options;
    const retried = (attempt: () => Promise<void>) => tasks.retried(() => [], 'watching', attempt);
    await retried(async () => {
      for (const name of names) {
        const note = await notes.kept.get(name);
        if (note) this.#until.set(name, Date.parse(note.until));
      }
    });
    for (;;) {
      await pause(lookEveryMs, tasks.signal);
      if (tasks.signal.aborted) return;
      for (const [name, until] of this.#until)
        if (until <= now().getTime()) await retried(() => this.#drop(name));
    }
  }

  async #drop(name: string): Promise<void> {
    const { documents, notes, epoch, isWanted } = this.#options;
    const note = await notes.kept.get(name);
    if (note && isWanted(name, note.generation)) return;
    const kept = noted(note, (await documents.generations(name)).building);
    await this.forget(name);
    if (kept) await documents.drop(name, kept.generation, epoch);
  }
}
