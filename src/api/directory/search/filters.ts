import {
  cityKey,
  languageKey,
  organizationKey,
  postalCodeKey,
} from '../../../projections/directory/search-keys.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import type { SearchFilters } from './request.ts';

/** The filters of a search as groups of terms. */
export function filterGroups(filters: SearchFilters): TermQuery['every'] {
  const { category, city, postalCode, language, organization, free } = filters;
  return [
    ...(category === undefined ? [] : [[`k${category}`]]),
    ...(city === undefined ? [] : [[`y${cityKey(city)}`]]),
    ...(postalCode === undefined ? [] : [[`z${postalCodeKey(postalCode)}`]]),
    ...(language === undefined ? [] : [[`l${languageKey(language)}`]]),
    ...(organization === undefined ? [] : [[`o${organizationKey(organization)}`]]),
    ...(free === true ? [['f1']] : []),
  ];
}
