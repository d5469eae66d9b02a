import { limitTable } from '../../tables/limits.ts';
import { dailyCountId, dayOf, formDailyCounts, type FormDocument } from '../../projections/forms.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Position } from '../../stores/event-store/port.ts';
import type { Count, Limits, Taken } from '../../stores/limits/port.ts';
import type { Networks } from '../../ground/network.ts';

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

/**
 * The daily caps of forms and teams. The read model counts what is in the log, so nothing forgets it; this process
 * counts beside it what the read model does not have yet, and all nodes together count in the store of their limits, so
 * that they do not exceed a cap while their read models follow.
 */
export class DailyCaps {
  readonly #documents: Documents;
  readonly #limits: Limits;
  #day = '';
  #held = new Set<Held>();

  constructor(documents: Documents, limits: Limits) {
    this.#documents = documents;
    this.#limits = limits;
  }

  /** Takes a place for a submission. `share`: its network has had its part of the day. */
  async take(form: FormDocument, networks: Networks, now: Date): Promise<Place | 'full' | 'share'> {
    const day = dayOf(now.toISOString());
    if (day !== this.#day) {
      this.#day = day;
      this.#held = new Set();
    }
    const all = this.#held;
    // What is folded between the two reads of an attempt counts twice. So a full day is counted once more.
    const held = (await this.#tryTake(form, day, all)) ?? (await this.#tryTake(form, day, all));
    if (!held) return 'full';
    const { refused, giveBack } = await this.#takeOfAll(form, networks, day, held);
    if (refused !== undefined) {
      all.delete(held);
      await giveBack();
      return refused === 'share-of-day' || refused === 'wide-share-of-day' ? 'share' : 'full';
    }
    return {
      taken(position) {
        held.position = position;
      },
      async free() {
        all.delete(held);
        await giveBack();
      },
    };
  }

  /**
   * Counts it with those of all nodes, and with those of its network. Of the places that are left in a day, one network
   * takes no more than a part.
   */
  #takeOfAll(
    { form, team, definition }: FormDocument,
    [narrow, wide]: Networks,
    day: string,
    { leftOfForm, leftOfTeam }: Held,
  ): Promise<Taken> {
    const shares = [
      [`${day} form ${form}`, leftOfForm],
      [`${day} team ${team}`, leftOfTeam],
    ] as const;
    return this.#limits.take(
      ...shares.flatMap(([of, left]): Count[] => [
        ['share-of-day', [of, narrow], shareOf('share-of-day', left)],
        ['wide-share-of-day', [of, wide], shareOf('wide-share-of-day', left)],
      ]),
      ['team-forms-day', [day, team]],
      ['form-day', [day, form], this.#capOf(definition)],
    );
  }

  #capOf(definition: FormDocument['definition']): number {
    return definition.daily_cap ?? this.#limits.pointsOf('form-day');
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
    const leftOfTeam = this.#limits.pointsOf('team-forms-day') - ofTeam.length - (doc?.total ?? 0);
    if (leftOfForm <= 0 || leftOfTeam <= 0) return undefined;
    const held: Held = { form, team, leftOfForm, leftOfTeam };
    all.add(held);
    return held;
  }
}

/** The part of the places that are left which one network may take, in steps: so there are few different limits. */
function shareOf(limit: 'share-of-day' | 'wide-share-of-day', left: number): number {
  const points = Math.max(1, Math.ceil(left / limitTable[limit].part));
  // Three binary digits.
  const unit = 2 ** Math.max(0, Math.floor(Math.log2(points)) - 2);
  return Math.floor(points / unit) * unit;
}

/** The seconds until the next day (UTC) begins. */
export function untilTomorrow(now: Date): number {
  const day = 86_400_000;
  return Math.max(1, Math.ceil((day - (now.getTime() % day)) / 1_000));
}
