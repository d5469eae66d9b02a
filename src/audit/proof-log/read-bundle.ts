import { entryBundle, entryOf } from './entry.ts';
import { ProofError } from './errors.ts';
import { entriesFrom, nearestPlace, type EntrySources } from './signed-entries.ts';
import { tileWidth } from './format/tiles.ts';

/**
 * The first `width` entries of a bundle, made from the events (C2SP tlog-tiles, "Log entries"). Whether they are what
 * was signed, their reader checks against the tile.
 *
 * @throws ProofError mismatch, when the event store has fewer events than were signed
 */
export async function readBundle(
  { store, proofLog }: EntrySources,
  bundle: number,
  width: number,
): Promise<Buffer> {
  const first = bundle * tileWidth;
  const entries: Buffer[] = [];
  for await (const { index, event } of entriesFrom(store, await nearestPlace(proofLog, bundle))) {
    if (index < first) continue;
    entries.push(entryOf(event));
    if (entries.length === width) return entryBundle(entries);
  }
  throw new ProofError('mismatch', `The event store lacks events of bundle ${bundle}, which were signed.`);
}
