import { fieldsOf } from '../src/commands/directory/field-changes.ts';
import type { ResourceFields } from '../src/events/directory/resource-fields.ts';
import { cities, descriptionWords, organizationWords, services, syllables } from './search-words.ts';

/** A record as a directory has it, always the same for its index: about 1.2 kB of JSON. */
export function searchedFieldsOf(index: number): ResourceFields {
  const random = randomFrom(index);
  const service = frequent(services, random);
  const { city, region, postalCode, latitude, longitude } = frequent(cities, random);
  const place = properName(random);
  const organization = `${random() < 0.5 ? city : place} ${frequent(organizationWords, random)}`;
  const number = Math.floor(random() * 9_000_000) + 1_000_000;
  const area = 200 + Math.floor(random() * 700);
  const opens = 7 + Math.floor(random() * 4);
  // The name of a record is that of its service alone as often as not.
  const shape = random();
  const name =
    shape < 0.4 ? service.name : shape < 0.7 ? `${place} ${service.name}` : `${service.name} of ${city}`;
  return fieldsOf({
    name: `${name}${random() < 0.2 ? `, ${properName(random)}` : ''}`,
    category: service.category,
    organization: { name: organization },
    description: `${organization} offers ${service.name.toLowerCase()}. ${textOf(30 + Math.floor(random() * 50), random)}`,
    url: `https://r${index}.example.org/`,
    eligibility: textOf(8, random),
    how_to_apply: random() < 0.5 ? 'Walk in or call for an appointment.' : 'Call, or apply online.',
    free: random() < 0.4,
    languages: random() < 0.5 ? ['English', 'Spanish'] : random() < 0.3 ? ['English', 'Kreyòl'] : ['English'],
    phones: [{ number: `(${area}) ${String(number).slice(0, 3)}-${String(number).slice(3)}` }],
    time_zone: 'America/New_York',
    opening_hours: [
      {
        days: ['mon', 'tue', 'wed', 'thu', 'fri'],
        opens: `${String(opens).padStart(2, '0')}:00`,
        closes: `${opens + 8}:00`,
      },
    ],
    locations: [
      {
        street: `${1 + Math.floor(random() * 9_000)} ${properName(random)} Street`,
        city,
        region,
        postal_code: String(postalCode + Math.floor(random() * random() * 60)).padStart(5, '0'),
        // Most are near the middle of the city. As in the export of a 211, 45 % have no coordinates.
        ...(index % 20 < 9
          ? {}
          : { latitude: latitude + scattered(random), longitude: longitude + scattered(random) }),
      },
    ],
  });
}

/** Zipf's law: the word at place n is written as often as 1/n of the first. */
function frequent<Of>(ranked: readonly Of[], random: () => number): Of {
  return ranked[Math.min(ranked.length - 1, Math.floor((ranked.length + 1) ** random()) - 1)] as Of;
}

function textOf(words: number, random: () => number): string {
  const text = Array.from({ length: words }, () =>
    random() < 0.02 ? properName(random) : frequent(descriptionWords, random),
  );
  return `${text.join(' ')}.`;
}

/** The first hundreds of names are in many records, most of the others in a few. */
function properName(random: () => number): string {
  const mostNames = syllables.length ** 3;
  let n = Math.floor(mostNames ** random());
  let name = '';
  for (let part = 0; part < 3; part++) {
    name += syllables[n % syllables.length] ?? '';
    n = Math.floor(n / syllables.length);
  }
  return name.slice(0, 1).toUpperCase() + name.slice(1);
}

const scattered = (random: () => number): number =>
  Math.round((random() + random() + random() - 1.5) * 0.2 * 1e5) / 1e5;

/** Mulberry32 by Tommy Ettinger: the same numbers for the same seed. */
function randomFrom(seed: number): () => number {
  let state = (seed * 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
