import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';

/**
 * The day for `assured_date` of HSDS 3, "the date that the information about the service was last checked": that of the last
 * confirmation of the whole record by people here, else the one that its source gives. YYYY-MM-DD.
 */
export const assuredDate = (
  { last_verified }: Pick<UnsealedFields, 'last_verified'>,
  { on, by }: Partial<Pick<Confirmed, 'on' | 'by'>> = {},
): string | undefined => (on === undefined || by === 'source' ? last_verified : on.slice(0, 10));
