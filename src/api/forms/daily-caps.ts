import { dailyCountId, dayOf, formDailyCounts } from '../../projections/forms/daily-counts.ts';
import type { FormDocument } from '../../projections/forms/forms.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Position } from '../../stores/event-store/port.ts';

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
  free(): void;
}

interface Held {
  readonly form: string;
  readonly team: string;
  position?: Position;
}

/**
 * The daily caps of forms and teams. The read model counts what is in the log, so no restart forgets it; this process
 * counts beside it what the read model does not have yet. Several nodes may together exceed a cap by what they append
 * in the moment in which their read models follow.
 */
export class DailyCaps {
  readonly #documents: Documents;
  readonly #caps: Caps;
  #day = '';
  #held = new Set<Held>();

  constructor(documents: Documents, caps: Caps) {
    this.#documents = documents;
    this.#caps = caps;
  }

  /** Takes a place for a submission. Undefined when the day is full. */
  async take(form: FormDocument, now: Date): Promise<Place | undefined> {
    const day = dayOf(now.toISOString());
    if (day !== this.#day) {
      this.#day = day;
      this.#held = new Set();
    }
    const all = this.#held;
    // What is folded between the two reads of an attempt counts twice. So a full day is counted once more.
    const held = (await this.#tryTake(form, day, all)) ?? (await this.#tryTake(form, day, all));
    return (
      held && {
        taken(position) {
          held.position = position;
        },
        free() {
          all.delete(held);
        },
      }
    );
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
    if (ofForm.length + (doc?.forms[form] ?? 0) >= (definition.daily_cap ?? this.#caps.form))
      return undefined;
    if (ofTeam.length + (doc?.total ?? 0) >= this.#caps.team) return undefined;
    const held: Held = { form, team };
    all.add(held);
    return held;
  }
}

/** The seconds until the next day (UTC) begins. */
export function untilTomorrow(now: Date): number {
  const day = 86_400_000;
  return Math.max(1, Math.ceil((day - (now.getTime() % day)) / 1_000));
}
