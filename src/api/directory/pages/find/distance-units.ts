import { resources } from '../../../../projections/directory/resources.ts';
import { stateOtherwise } from '../../../../places/states.ts';
import { fieldsOfShown } from '../../../../projections/directory/document-fields.ts';
import type { Documents } from '../../../../stores/documents/port.ts';
import type { Texts } from '../../../pages/frame/texts.ts';

export type Unit = 'km' | 'mi';

const kmOf = { km: 1, mi: 1.609344 } as const;

/** The choices of how far, in the unit. */
const choices = { km: [2, 5, 10, 20, 40, 80, 160], mi: [1, 3, 5, 10, 25, 50, 100] } as const;

/** Records of which the countries are read. */
const sampled = 50;
/** How long the answer holds, in milliseconds. */
const keptMs = 10 * 60_000;

/**
 * The unit of distances: miles of a directory whose addresses are in the United States, as its signs and maps say in
 * every language, else kilometres. The country is that of most of its first addresses; where a source names none, a state tells it.
 */
export function distanceUnits({
  documents,
  now,
}: {
  readonly documents: Documents;
  readonly now: () => Date;
}): () => Promise<Unit> {
  const collection = documents.collection(resources.collection);
  let kept: { readonly american: boolean; readonly until: number } | undefined;

  async function isAmerican(): Promise<boolean> {
    const at = now().getTime();
    if (kept && kept.until > at) return kept.american;
    const rows = await collection.select({ where: { listed: 1 }, orderBy: ['number'], limit: sampled }, [
      'card',
    ]);
    const countries = rows.flatMap(({ card }) => {
      const { locations = [] } = fieldsOfShown(JSON.parse(`{${card}}`) as Record<string, unknown>);
      return locations.flatMap(({ country, region = '' }) => country ?? (stateOtherwise(region) ? 'US' : []));
    });
    const american = countries.filter((country) => country === 'US').length * 2 > countries.length;
    if (countries.length > 0) kept = { american, until: at + keptMs };
    return american;
  }

  return async () => ((await isAmerican()) ? 'mi' : 'km');
}

/** "1.2 miles", "12 km": with a decimal place below ten. */
export function shownDistance(distanceKm: number, unit: Unit, { find, locale }: Texts): string {
  const shown = exactAmount(distanceKm, unit);
  return find.units[unit]({ amount: numberFormat(locale).format(shown), count: shown });
}

/** The same of a distance that is only known roughly, to whole numbers: "2 miles". */
export function aboutDistance(distanceKm: number, unit: Unit, { find, locale }: Texts): string {
  const amount = roughAmount(distanceKm, unit);
  return find.units[unit]({ amount: numberFormat(locale).format(amount), count: amount });
}

function exactAmount(distanceKm: number, unit: Unit): number {
  const amount = distanceKm / kmOf[unit];
  const rounded = amount < 9.95 ? Math.round(amount * 10) / 10 : Math.round(amount);
  // A place is not nowhere: the nearest are a tenth away.
  return Math.max(0.1, rounded);
}

const roughAmount = (distanceKm: number, unit: Unit): number =>
  Math.max(1, Math.round(distanceKm / kmOf[unit]));

interface Away {
  readonly distanceKm?: number | undefined;
  readonly approximate?: boolean | undefined;
}

/** A page of what is near, in the order of the distances as they are shown: "0.8 miles" comes before "about 1 mile". */
export const inShownOrder = <One extends Away>(page: readonly One[], unit: Unit): readonly One[] => {
  const amount = ({ distanceKm = 0, approximate = false }: One): number =>
    approximate ? roughAmount(distanceKm, unit) : exactAmount(distanceKm, unit);
  return page.toSorted((one, other) => amount(one) - amount(other));
};

/** "1.2 miles away", "about 2 miles away". */
export const awayInWords = (distanceKm: number, approximate: boolean, unit: Unit, texts: Texts): string =>
  approximate
    ? texts.find.aboutAway({ distance: aboutDistance(distanceKm, unit, texts) })
    : texts.find.away({ distance: shownDistance(distanceKm, unit, texts) });

/** A radius to choose, in kilometres, and how the page writes it. */
export interface RadiusChoice {
  readonly km: number;
  readonly shown: string;
}

/** The radii to choose from, and the one that is chosen. */
export function radiusChoices(chosenKm: number, unit: Unit, texts: Texts): RadiusChoice[] {
  const usual = choices[unit].map((amount) => Math.round(amount * kmOf[unit] * 10) / 10);
  // 40 km are 25 miles: what differs by less than a tenth is one choice.
  const same = usual.find((km) => Math.abs(km - chosenKm) < km / 10);
  const all = same === undefined ? [...usual, chosenKm] : usual.map((km) => (km === same ? chosenKm : km));
  return all.sort((one, other) => one - other).map((km) => ({ km, shown: shownDistance(km, unit, texts) }));
}

const formats = new Map<string, Intl.NumberFormat>();

/** For numbers as people of a locale write them. */
export function numberFormat(locale: string): Intl.NumberFormat {
  let format = formats.get(locale);
  if (!format) {
    format = new Intl.NumberFormat(locale);
    formats.set(locale, format);
  }
  return format;
}
