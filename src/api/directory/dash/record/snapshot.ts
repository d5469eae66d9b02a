import { CommandRefused } from '../../../../ground/refusals.ts';
import { upcast } from '../../../../events/catalogue.ts';
import type { EventStore, Position } from '../../../../stores/event-store/port.ts';

/** A record or an organization as its stream has it. `position`: of its newest event. Forms carry it. */
export interface Snapshot<Fields> {
  readonly fields: Fields;
  readonly position: Position;
}

/** The position that a form carries. */
export function positionIn(form: URLSearchParams): Position {
  const text = form.get('revision') ?? '';
  return /^\d{1,20}$/.test(text) ? BigInt(text) : -1n;
}

/** What it said, up to a position. Undefined where it said nothing yet. */
export async function snapshotUpTo<Fields>(
  store: EventStore,
  stream: string,
  upTo?: Position,
): Promise<Snapshot<Fields> | undefined> {
  const history = await store.readStream(stream);
  const read = upTo === undefined ? history : history.filter(({ position }) => position <= upTo);
  const written = read.findLast(({ type }) => /(?:Submitted|Revised)$/.test(type));
  const newest = read.at(-1);
  if (!written || !newest) return undefined;
  const { data } = upcast(written) as { readonly data: unknown };
  return { fields: (data as { readonly fields: Fields }).fields, position: newest.position };
}

/** The same now. @throws CommandRefused not_found */
export async function requireSnapshot<Fields>(store: EventStore, stream: string): Promise<Snapshot<Fields>> {
  const snapshot = await snapshotUpTo<Fields>(store, stream);
  if (!snapshot) throw new CommandRefused('not_found', 'There is no such record in your directory.');
  return snapshot;
}
