import type { Config } from '../../../../config.ts';
import { mainLocation } from '../../../../events/directory/flat-members.ts';
import { assets } from '../../../pages/assets/assets.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Texts } from '../../../pages/frame/texts.ts';
import { openedFrom } from '../record-view.ts';
import type { Result } from './result.ts';

/**
 * A button that shows the results on a map, for those who have JavaScript and where MAP_TILES is set. Nothing is asked of
 * the server of the tiles before it is pressed. Places that are not public, or known by their postal code or town alone,
 * are on no map: a pin says more than is known of them.
 */
export function resultsMap(
  results: readonly Result[],
  map: Config['map'],
  via: string | undefined,
  { find }: Texts,
): Html | '' {
  const points = results.flatMap((each) => pointOf(each, via));
  if (map === undefined || points.length === 0) return '';
  const missing = results.length - points.length;
  return html`<div
    class="map-of-results unprinted"
    hidden
    data-points="${JSON.stringify(points)}"
    data-tiles="${map.tiles}"
    data-attribution="${map.attribution}"
    data-script="${assets.leaflet}"
    data-style="${assets.leafletStyle}"
    data-hide="${find.map.hide}"
  >
    <button type="button" aria-expanded="false">${find.map.show}</button>
    <div hidden>
      <div class="map" role="region" aria-label="${find.map.label}"></div>
      ${missing === 0 ? '' : html`<p class="quiet small">${find.map.missing({ count: missing })}</p>`}
    </div>
  </div>`;
}

/** Latitude and longitude in degrees (WGS 84), the name, and the page of the record. */
type Point = readonly [latitude: number, longitude: number, name: string, page: string];

function pointOf(
  { svcId, fields, location = mainLocation(fields), approximate }: Result,
  via: string | undefined,
): Point[] {
  const { latitude, longitude, confidential, virtual } = location ?? {};
  if (approximate || confidential || virtual || latitude === undefined || longitude === undefined) return [];
  return [[latitude, longitude, fields.name, openedFrom(svcId, via)]];
}
