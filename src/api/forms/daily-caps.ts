import { LRUCache } from 'lru-cache';
import { entries } from '../../ground/capacity.ts';
import { dailyCountId, dayOf, formDailyCounts } from '../../projections/forms/daily-counts.ts';
import type { FormDocument } from '../../projections/forms/forms.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Position } from '../../stores/event-store/port.ts';
import type { AttemptLimiter, AttemptLimiterOf } from '../../stores/limits/port.ts';
import type { NetworkShares } from './network-shares.ts';

export interface Caps {
  /** Of a form that names none. */
  readonly form: number;
  /** Of all forms of a team, whatever they name. */
  readonly team: number;
}

/** A submission that this process takes, until the read model counts it. */
export interface Place {
  /** It was appended here. */
  taken(position: Position): void;
  /** Nothing was appended. */
  free(): Promise<void>;
}

interface Held {
  readonly form: string;
  readonly team: string;
  /** The places that were left when this one was taken, with it. */
  readonly leftOfForm: number;
  readonly leftOfTeam: number;
  position?: Position;
}

/** Each day of a form or team has a window of its own, by its key. */
const windowSeconds = 86_400;
/** Forms name their own caps, so there can be many. */
const rememberedLimiters = 500;

/**
 * The daily caps of forms and teams. The read model counts what is in the log, so nothing forgets it; this process
 * counts beside it what the read model does not have yet, and all nodes together count in the store of their limits, so
 * that they do not exceed a cap while their read models follow.
 */
export class DailyCaps {
  readonly #documents: Documents;
  readonly #caps: Caps;
  readonly #limiterOf: AttemptLimiterOf;
  readonly #shares: NetworkShares;
  readonly #limiters = new LRUCache<string, AttemptLimiter>(entries(rememberedLimiters));
  #day = '';
  #held = new Set<Held>();

  constructor(documents: Documents, caps: Caps, limiterOf: AttemptLimiterOf, shares: NetworkShares) {
    this.#documents = documents;
    this.#shares = shares;
    this.#caps = caps;
    this.#limiterOf = limiterOf;
  }

  /** Takes a place for a submission from an address. `share`: its network has had its part of the day. */
  async take(form: FormDocument, address: string, now: Date): Promise<Place | 'full' | 'share'> {
    const day = dayOf(now.toISOString());
    if (day !== this.#day) {
      this.#day = day;
      this.#held = new Set();
    }
    const all = this.#held;
    // What is folded between the two reads of an attempt counts twice. So a full day is counted once more.
    const held = (await this.#tryTake(form, day, all)) ?? (await this.#tryTake(form, day, all));
    if (!held) return 'full';
    const giveShareBack = await this.#shares.take(address, [
      { of: `${day} form ${form.form}`, left: held.leftOfForm },
      { of: `${day} team ${form.team}`, left: held.leftOfTeam },
    ]);
    const giveBack = giveShareBack && (await this.#takeOfAll(form, day));
    if (!giveBack) {
      all.delete(held);
      await giveShareBack?.();
      return giveShareBack ? 'full' : 'share';
    }
    return {
      taken(position) {
        held.position = position;
      },
      async free() {
        all.delete(held);
        await Promise.all([giveBack(), giveShareBack()]);
      },
    };
  }

  /**
   * Counts it with those of all nodes. Returns how to take that back; undefined when the day is full. On MongoDB what is
   * refused here counts too: few, because the read model refuses before.
   */
  async #takeOfAll(
    { team, form, definition }: FormDocument,
    day: string,
  ): Promise<(() => Promise<void>) | undefined> {
    const ofTeam = this.#limiter('team-forms-day', this.#caps.team);
    const ofForm = this.#limiter('form-day', this.#capOf(definition));
    const [teamDay, formDay] = [`${day} ${team}`, `${day} ${form}`];
    if ((await ofTeam.take(teamDay)) > 0) return undefined;
    if ((await ofForm.take(formDay)) > 0) {
      await ofTeam.giveBack(teamDay);
      return undefined;
    }
    return async () => {
      await Promise.all([ofTeam.giveBack(teamDay), ofForm.giveBack(formDay)]);
    };
  }

  /** Counts of one name are shared, whatever the limit: a form whose cap is changed keeps its count. */
  #limiter(name: string, points: number): AttemptLimiter {
    const key = `${name} ${points}`;
    const known = this.#limiters.get(key) ?? this.#limiterOf(name, { points, windowSeconds });
    this.#limiters.set(key, known);
    return known;
  }

  #capOf(definition: FormDocument['definition']): number {
    return definition.daily_cap ?? this.#caps.form;
  }

  async #tryTake(
    { team, form, definition }: FormDocument,
    day: string,
    all: Set<Held>,
  ): Promise<Held | undefined> {
    const counts = this.#documents.collection(formDailyCounts.collection);
    const checkpoint =
      (await this.#documents.progress()).get(formDailyCounts.collection.name)?.checkpoint ?? -1n;
    const doc = await counts.get(dailyCountId(team, day));
    // Nothing is awaited from here on, so that two submissions do not take the same place.
    for (const each of all) if (each.position !== undefined && each.position <= checkpoint) all.delete(each);
    const ofTeam = [...all].filter((each) => each.team === team);
    const ofForm = ofTeam.filter((each) => each.form === form);
    const leftOfForm = this.#capOf(definition) - ofForm.length - (doc?.forms[form] ?? 0);
    const leftOfTeam = this.#caps.team - ofTeam.length - (doc?.total ?? 0);
    if (leftOfForm <= 0 || leftOfTeam <= 0) return undefined;
    const held: Held = { form, team, leftOfForm, leftOfTeam };
    all.add(held);
    return held;
  }
}

/** The seconds until the next day (UTC) begins. */
export function untilTomorrow(now: Date): number {
  const day = 86_400_000;
  return Math.max(1, Math.ceil((day - (now.getTime() % day)) / 1_000));
}
