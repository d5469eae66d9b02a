import { describe, expect, it } from 'vitest';
import type { Location } from '../../../../src/events/directory/location.ts';
import { openDatapackage } from '../../../../src/hsds/package.ts';
import { publicFields } from '../../../../src/projections/directory/shown-fields.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { commons } from '../../../../src/events/teams.ts';
import { distanceKm } from '../../../../src/ground/earth.ts';
import { addressKey, addressOf } from '../../../../src/places/address-key.ts';
import { gazetteerPlace } from '../../../../src/places/gazetteer-place.ts';
import { context, startSystem, v1 } from '../../harness.ts';
import { pagesOf } from '../read.ts';

/** Folders of datapackages, separated by colons. */
const folders = (process.env['NEAR_DATA'] ?? '').split(':').filter(Boolean);
/** Of the records with a public address, so many are near something. */
const expectedShare = 0.95;

const isPublicAddress = ({ city, postal_code, street, confidential, virtual }: Location): boolean =>
  !confidential && !virtual && [city, postal_code, street].some((part) => part !== undefined);
const hasPoint = ({ latitude }: Location): boolean => latitude !== undefined;

/**
 * How many records of a package can be found near something, with what the gazetteer and their neighbours tell, as v1
 * answers it. Where a location has both, how far its address is from its coordinates.
 */
describe.skipIf(folders.length === 0)('near, on real packages (NEAR_DATA names their folders)', () => {
  it.each(folders)(
    'finds nearly every record with a public address of %s',
    async (folder) => {
      const running = await startSystem();
      try {
        const { bearer } = await running.key();
        const datapackage = await openDatapackage(folder);
        const addressed = new Set<string>();
        const exact = new Set<string>();
        const apart: number[] = [];
        let records = 0;
        for await (const item of datapackage.records()) {
          if (item.kind !== 'record') continue;
          const { fields, source_id: id, status } = item;
          const source = { system: datapackage.name, id };
          const record = { team: commons.team, source, fields, active: status === 'active', approve: true };
          const { state } = await importResource(running.system, record, context());
          if (state?.status !== 'approved') continue;
          records++;
          const { locations = [] } = publicFields(fields);
          if (locations.some(isPublicAddress)) addressed.add(state.svc_id);
          if (locations.some(hasPoint)) exact.add(state.svc_id);
          for (const location of locations) {
            const key = addressKey(location);
            const place = key === undefined ? undefined : gazetteerPlace(addressOf(key));
            const { latitude, longitude } = location;
            if (place && latitude !== undefined && longitude !== undefined)
              apart.push(distanceKm(place, { latitude, longitude }));
          }
        }
        datapackage.close();
        await running.caughtUp();
        const pages = await pagesOf(
          running.server,
          v1,
          { near: '39.8,-98.6', radius_km: '20000', limit: '100' },
          bearer,
        );
        const near = new Set(pages.flatMap(({ data }) => data.map(({ svc_id }) => String(svc_id))));
        const found = [...addressed].filter((id) => near.has(id)).length;
        const sorted = apart.toSorted((one, other) => one - other);
        const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1);
        const percent = (part: number, of: number) => `${((part / Math.max(of, 1)) * 100).toFixed(1)} %`;
        console.log(
          `${folder.split('/').at(-1) ?? ''} | ${records} | ${addressed.size} | ` +
            `${percent([...addressed].filter((id) => exact.has(id)).length, addressed.size)} | ` +
            `${percent(found, addressed.size)} | ${at(0.5)} km | ${at(0.95)} km`,
        );
        expect(found / Math.max(addressed.size, 1)).toBeGreaterThanOrEqual(expectedShare);
      } finally {
        await running.stop();
      }
    },
    900_000,
  );
});
