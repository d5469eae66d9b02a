import { randomInt } from 'node:crypto';
import { messageOf } from '../ground/store-error.ts';
import { projections } from '../projections/all.ts';
import { FirstEvents } from '../projections/engine/fold-batch.ts';
import {
  modelOf,
  nameOf,
  type AnyProjection,
  type ProjectedEvent,
} from '../projections/engine/read-model.ts';
import { IndependentFold } from '../projections/engine/rebuild/independent-fold.ts';
import { differenceOf } from '../projections/engine/rebuild/verification.ts';
import { failuresTable } from '../projections/engine/stalled-projections.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore, Position } from '../stores/event-store/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Findings } from './finding.ts';

/** Documents of a sample: up to so many of each read model while it is taken. */
const sampleSize = 500;
/** Documents in memory at a time, when all are compared. Each further part reads the log again. */
const partSize = 20_000;
/** Documents read at a time. */
const comparedAtOnce = 500;
/** A document that differs is looked at again, as the service may have changed it meanwhile. */
const looks = 5;

interface Parts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
}

interface Compared {
  readonly projection: AnyProjection;
  readonly types: ReadonlySet<string>;
  readonly fold: IndependentFold;
  /** Up to here the log is read, and the read model had folded it when the reading began. */
  readonly upTo: Position;
}

/** Compares documents of the read models that serve with a fold of the log that shares nothing with them but the rule. */
export class ReadModels {
  readonly #parts: Parts;
  readonly #full: boolean;
  readonly #salt = randomInt(2 ** 31);
  readonly #firsts: FirstEvents;
  readonly #compared: readonly Compared[];
  /** Read models that the log as it is cannot be folded for, with why. */
  readonly #unfoldable = new Map<AnyProjection, string>();

  private constructor(parts: Parts, full: boolean, models: readonly Pick<Compared, 'projection' | 'upTo'>[]) {
    this.#parts = parts;
    this.#full = full;
    this.#firsts = new FirstEvents(parts.store);
    this.#compared = models.map(({ projection, upTo }) => ({
      projection,
      upTo,
      types: new Set<string>(projection.events),
      fold: this.#foldOf(projection, 0),
    }));
  }

  /** Those that have failed or were not built yet are left out: other findings say so. */
  static async begin(
    parts: Parts,
    { full, head }: { readonly full: boolean; readonly head: Position },
  ): Promise<ReadModels> {
    const progress = await parts.documents.progress();
    const failed = new Set((await parts.side.table(failuresTable).list()).map(({ id }) => id));
    return new ReadModels(
      parts,
      full,
      projections.flatMap((projection) => {
        const serving = progress.get(nameOf(projection));
        if (!serving || failed.has(nameOf(projection))) return [];
        return [{ projection, upTo: serving.checkpoint < head ? serving.checkpoint : head }];
      }),
    );
  }

  /** Takes a page of events. They must come in order and without gaps. */
  async take(events: readonly ProjectedEvent[]): Promise<void> {
    for (const { projection, types, fold, upTo } of this.#compared) {
      if (this.#unfoldable.has(projection)) continue;
      try {
        const sampled = events.filter(
          (event) => event.position <= upTo && types.has(event.type) && fold.concerns(event),
        );
        if (sampled.length === 0) continue;
        await this.#firsts.tell(projection, sampled);
        for (const event of sampled) fold.take(event);
      } catch (error) {
        this.#unfoldable.set(projection, messageOf(error));
      }
    }
  }

  async report(findings: Findings): Promise<void> {
    for (const { projection, fold, upTo } of this.#compared) {
      const why = this.#unfoldable.get(projection);
      if (why !== undefined) {
        findings.problem(
          'read models',
          `The read model ${modelOf(projection)} cannot be compared, because the log cannot be folded for it any more (${why}). Run \`commonweal verify\`, which says whether the log was changed.`,
        );
        continue;
      }
      fold.advance(upTo);
      await findings.attempt('read models', () => this.#compare(projection, fold, findings));
    }
  }

  #foldOf(projection: AnyProjection, from: number): IndependentFold {
    const atMost = this.#full ? partSize : sampleSize;
    return new IndependentFold(projection, { salt: this.#salt, atMost, from });
  }

  async #compare(projection: AnyProjection, first: IndependentFold, findings: Findings): Promise<void> {
    for (let fold = first; ;) {
      const difference = await this.#differenceIn(projection, fold);
      if (difference !== undefined) {
        findings.found(
          'read-model-changed',
          `The read model ${modelOf(projection)} differs from the log: ${difference}.`,
        );
        return;
      }
      if (!this.#full || fold.below === undefined) return;
      const next = this.#foldOf(projection, fold.below);
      await next.readUpTo(this.#parts.store, fold.position, rest);
      fold = next;
    }
  }

  /** What a document differs in, by names of fields alone: their values may be about a person. */
  async #differenceIn(projection: AnyProjection, fold: IndependentFold): Promise<string | undefined> {
    const { store, documents } = this.#parts;
    let ids = [...fold.documents.keys()];
    let difference: string | undefined;
    for (let look = 0; look < looks; look += 1) {
      ({ ids, difference } = await this.#differing(projection, fold, ids));
      if (difference === undefined) return undefined;
      const checkpoint = (await documents.progress()).get(nameOf(projection))?.checkpoint;
      if (checkpoint === undefined) return undefined;
      await fold.readUpTo(store, checkpoint, rest);
      ids = ids.filter((id) => fold.documents.has(id));
    }
    return difference;
  }

  async #differing(projection: AnyProjection, fold: IndependentFold, ids: readonly string[]) {
    const collection = this.#parts.documents.collection(projection.collection);
    const found: string[] = [];
    let difference: string | undefined;
    for (let from = 0; from < ids.length; from += comparedAtOnce) {
      const some = ids.slice(from, from + comparedAtOnce);
      const stored = await collection.getMany(some);
      for (const id of some) {
        const what = differenceOf(fold.documents.get(id), stored.get(id));
        if (what === undefined) continue;
        found.push(id);
        difference ??= `document ${id} ${what}`;
      }
    }
    const more = found.length > 1 ? `, and ${found.length - 1} more of those compared` : '';
    return { ids: found, difference: difference === undefined ? undefined : difference + more };
  }
}

const rest = () => Promise.resolve();
