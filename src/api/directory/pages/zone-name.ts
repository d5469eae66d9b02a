import { z } from 'zod';
import { cell, readTable } from '../../../tables/read-table.ts';
import { textsIn, type Texts } from '../../pages/frame/texts.ts';

type ZoneName = keyof Texts['zones'];

const names = Object.keys(textsIn('en').zones) as [ZoneName, ...ZoneName[]];
const nameOf = new Map(
  readTable('zone-names.tsv', { zone: cell, name: z.enum(names) }, ['zone']).map(({ zone, name }) => [
    zone,
    name,
  ]),
);

/** A time zone as people call it: "Eastern time"; one without such a name by its city: "Port-au-Prince". */
export function zoneName(zone: string, { zones }: Texts): string {
  const name = nameOf.get(zone);
  if (name !== undefined) return zones[name];
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ');
}
