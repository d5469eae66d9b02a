import { shownHours } from '../../events/directory/flat-members.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Language } from '../pages/frame/language.ts';
import { textsIn } from '../pages/frame/texts.ts';
import { fieldsOfShown } from '../../projections/directory/document-fields.ts';
import { awayInWords, type Unit } from './pages/find/distance-units.ts';
import { wordsOf } from './pages/hours-line.ts';
import type { Circle } from './search/request.ts';
import type { Search } from './search/search.ts';

interface Listed {
  readonly distance_km?: number;
  readonly distance_approximate?: true;
}

/**
 * Adds to a record what the widget says in a language as the pages do: `hours_in_words`, where that is not `hours` itself, and
 * near a place `distance_in_words` and `nearest_location`, the place of the one that is meant in `locations`.
 */
export function inWords(
  language: Language,
  unit: Unit,
  near: Circle | undefined,
  search: Pick<Search, 'nearestLocation'>,
): (record: string) => string {
  const texts = textsIn(language);
  return (record) => {
    const shown = JSON.parse(record) as Listed & Readonly<Record<string, unknown>>;
    const fields: UnsealedFields = fieldsOfShown(shown);
    const hours = wordsOf(fields, texts);
    const { locations = [] } = fields;
    const nearest = near && search.nearestLocation(locations, near);
    const { distance_km: km, distance_approximate: approximate = false } = shown;
    const words = {
      ...(hours === '' || hours === shownHours(fields) ? {} : { hours_in_words: hours }),
      ...(km === undefined ? {} : { distance_in_words: awayInWords(km, approximate, unit, texts) }),
      ...(nearest ? { nearest_location: locations.indexOf(nearest) } : {}),
    };
    const added = JSON.stringify(words).slice(1, -1);
    return added === '' ? record : `${record.slice(0, -1)},${added}}`;
  };
}
