import type { ResourceFields } from './resource-fields.ts';

/** The longest name that is shown: as long as a stored one may be. */
const longest = 300;
/** A name with fewer letters says nothing. */
const fewestLetters = 3;

type Named = Pick<
  ResourceFields,
  'name' | 'category' | 'categories' | 'organization' | 'locations' | 'service_area'
>;

/**
 * The name under which a resource is shown: its own, and with it the organization's where its own does not tell what
 * it is: `Miami (Salvation Army)`. The stored name stays as it is.
 */
export function shownName(fields: Named): string {
  const { name, organization } = fields;
  if (organization === undefined || isTelling(fields)) return name;
  const both = `${name} (${organization.name})`;
  return plain(name) === plain(organization.name) || both.length > longest ? name : both;
}

/** Whether a name is more than a place, a category, or a few letters. */
function isTelling({ name, category, categories = [], locations = [], service_area = [] }: Named): boolean {
  const own = plain(name);
  if (own.replaceAll(' ', '').length < fewestLetters) return false;
  const places = locations.flatMap(({ city = '', region = '' }) => [city, region, `${city} ${region}`]);
  return ![category, ...categories, ...places, ...service_area].some((word) => plain(word) === own);
}

/** Without case, accents and punctuation. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
