import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';
import { shownHours } from '../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Language } from '../pages/frame/language.ts';
import { textsIn } from '../pages/frame/texts.ts';
import { fieldsOfShown } from '../../projections/directory/document-fields.ts';
import { awayInWords, inShownOrder, type Unit } from './pages/find/distance-units.ts';
import { wordsOf } from './pages/hours-line.ts';
import type { Circle } from './search/request.ts';
import type { Search } from './search/search.ts';
import { confirmedInWords, type StaleAfter } from './upkeep/confirmed-line.ts';

interface Listed {
  readonly confirmed?: Confirmed;
  readonly distance_km?: number;
  readonly distance_approximate?: true;
}

/**
 * Adds to the records of a page what the widget says in a language as the pages do: `hours_in_words`, where that is not `hours` itself,
 * `confirmed_in_words` where somebody has confirmed the record, and
 * near a place `distance_in_words` and `nearest_location`, the place of the one that is meant in `locations`. Near a place
 * they come in the order of the distances as they are shown.
 */
export function inWords(
  records: readonly string[],
  language: Language,
  unit: Unit,
  near: Circle | undefined,
  search: Pick<Search, 'nearestLocation'>,
  { staleAfter, now }: { readonly staleAfter: StaleAfter; readonly now: Date },
): string[] {
  const texts = textsIn(language);
  const read = records.map((record) => {
    const shown = JSON.parse(record) as Listed & Readonly<Record<string, unknown>>;
    return { record, shown, distanceKm: shown.distance_km, approximate: shown.distance_approximate ?? false };
  });
  return (near ? inShownOrder(read, unit) : read).map(({ record, shown, distanceKm: km, approximate }) => {
    const fields: UnsealedFields = fieldsOfShown(shown);
    const hours = wordsOf(fields, texts);
    const { locations = [] } = fields;
    const nearest = near && search.nearestLocation(locations, near);
    const confirmed = confirmedInWords({ confirmed: shown.confirmed, staleAfter }, now, texts);
    const words = {
      ...(confirmed === '' ? {} : { confirmed_in_words: confirmed }),
      ...(hours === '' || hours === shownHours(fields) ? {} : { hours_in_words: hours }),
      ...(km === undefined ? {} : { distance_in_words: awayInWords(km, approximate, unit, texts) }),
      ...(nearest ? { nearest_location: locations.indexOf(nearest) } : {}),
    };
    const added = JSON.stringify(words).slice(1, -1);
    return added === '' ? record : `${record.slice(0, -1)},${added}}`;
  });
}
