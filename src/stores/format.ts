import { StoreError } from './errors.ts';
import type { SideStore, SideTable } from './side/port.ts';

/**
 * The format of all that an installation stores, in the data folder or on servers. To be raised with a change after which a
 * node of an earlier release must not open the stores. It is not needed for a new version of an event or of a read
 * model, which earlier nodes meet while a release is rolled out, nor for a file, which has a format of its own.
 */
export const storedFormat = 1;

/** Which format the stores have, and the release that first wrote it. */
interface FormatMarker {
  readonly format: number;
  readonly release: string;
}

const markerId = 'format';
const markers = (side: SideStore): SideTable<FormatMarker> => side.table('stored-format');

/**
 * Refuses stores that a newer release marked with a newer format.
 * @throws StoreError incompatible
 */
export async function refuseNewerFormat(side: SideStore): Promise<void> {
  const marker = await markers(side).get(markerId);
  if (marker === undefined || marker.format <= storedFormat) return;
  throw new StoreError(
    'incompatible',
    `Release ${marker.release} of Commonweal wrote these stores in format ${marker.format}, and this release reads ${storedFormat}. Nothing was started and nothing was changed. Start that release or a newer one, or restore a backup of this one.`,
  );
}

/** Marks the stores with the format of this release, unless they have it. Call `refuseNewerFormat` before. */
export async function markFormat(side: SideStore, release: string): Promise<void> {
  const marker = await markers(side).get(markerId);
  if (marker !== undefined && marker.format >= storedFormat) return;
  await markers(side).put(markerId, { format: storedFormat, release });
}
