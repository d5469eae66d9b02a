import { z } from 'zod';
import { timeZone } from '../events/directory/opening-hours.ts';
import { listCell, readTable } from '../tables/read-table.ts';
import { stateCodes } from './states.ts';

const rows = readTable(
  'state-zones.tsv',
  {
    state: z.string().refine((state) => stateCodes.includes(state), 'must be the abbreviation of a state'),
    zones: listCell.pipe(z.array(timeZone)),
    alone: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  },
  ['state'],
);
const byState = new Map(rows.map((row) => [row.state, row]));

/** The zones of a state, that of most people first. `alone`: the name of the state tells the zone. */
export const stateZones = (
  state: string,
): { readonly zones: readonly string[]; readonly alone: boolean } | undefined => byState.get(state);
