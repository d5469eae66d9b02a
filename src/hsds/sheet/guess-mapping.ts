import { contentOf, type Content, type ContentKind } from './content.ts';
import { hintIn } from '../fields/keywords.ts';
import { languageRows } from './language-words.ts';
import type { Mapping } from './mapping.ts';
import { isOnce, namesOfTargets, type SheetTarget } from './targets.ts';

/** How surely a column says something. Names of 1 and more are whole ones. */
interface Candidate {
  readonly column: number;
  readonly target: SheetTarget;
  readonly score: number;
}

/**
 * What the columns of a sheet say, by their names and by what the first rows hold. A column that says nothing which is
 * known is left out.
 */
export function guessMapping(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  sheet?: string,
): Mapping {
  const contents = header.map((_, column) => contentOf(rows.map((cells) => cells[column] ?? '')));
  const candidates = header
    .flatMap((name, column) => candidatesOf(name, column, contents[column] ?? contentOf([])))
    .sort((one, other) => other.score - one.score || one.column - other.column);
  const chosen = new Map<number, SheetTarget>();
  const taken = new Set<SheetTarget>();
  for (const { column, target } of candidates) {
    if (chosen.has(column) || (isOnce(target) && taken.has(target))) continue;
    chosen.set(column, target);
    taken.add(target);
  }
  nameTheRecord(header, contents, chosen);
  return {
    ...(sheet === undefined || sheet === '' ? {} : { sheet }),
    columns: Object.fromEntries(header.map((name, column) => [name, chosen.get(column) ?? null])),
  };
}

/** Accents, hyphens and other signs are left out; `agencyName` is two words. */
export const plainName = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(?<=\p{L})(?=\d+$)/u, ' ')
    .trim();

const targetOfName = new Map<string, { readonly target: SheetTarget; readonly place: number }>();
for (const [target, names] of namesOfTargets)
  for (const [place, name] of names.entries())
    if (!targetOfName.has(plainName(name))) targetOfName.set(plainName(name), { target, place });

/** What a column says by its name: surely where it is one that is known, less where such a name stands in it. */
export function byName(name: string): readonly Omit<Candidate, 'column'>[] {
  const words = plainName(name).split(' ').filter(Boolean).slice(0, 12);
  const found = new Map<SheetTarget, number>();
  for (let length = words.length; length > 0; length--) {
    for (let at = 0; at + length <= words.length; at++) {
      const named = targetOfName.get(words.slice(at, at + length).join(' '));
      if (!named || (found.get(named.target) ?? 0) > 0) continue;
      const whole = length === words.length;
      // Of "agency phone number", the last words say what it is.
      const atEnd = at + length === words.length;
      const part = 0.4 + 0.4 * (length / words.length) + (atEnd ? 0.15 : 0);
      found.set(named.target, (whole ? 2 : part) - named.place * 0.001);
    }
  }
  return [...found].map(([target, score]) => ({ target, score }));
}

/** Whether somebody gave a column this name to say something that is known here. */
export const isColumnName = (name: string): boolean => byName(name).some(({ score }) => score >= 0.75);

function candidatesOf(name: string, column: number, content: Content): Candidate[] {
  const named = byName(name);
  const found = new Map<SheetTarget, number>();
  for (const { target, score } of named)
    if (content.filled === 0 || fit[target]?.(content) !== false)
      found.set(target, score * weightOf(target, content));
  for (const [target, score] of byContent(name, content))
    found.set(target, Math.max(found.get(target) ?? 0, score));
  return [...found]
    .filter(([, score]) => score >= 0.55)
    .map(([target, score]) => ({ column, target, score }));
}

type Fit = (content: Content) => boolean;

const holds =
  (...kinds: readonly ContentKind[]): Fit =>
  (content) =>
    kinds.some((kind) => content.share(kind) >= 0.3);
const mostly =
  (...kinds: readonly ContentKind[]): Fit =>
  (content) =>
    kinds.some((kind) => content.share(kind) > 0.5);
const isPhone: Fit = (content) =>
  holds('phone')(content) || (hasDigits(content) && !mostly('address', 'date', 'email', 'url')(content));
const isPoint: Fit = (content) =>
  holds('degrees')(content) || content.share('number') > content.share('postal code');
const isName: Fit = (content) =>
  mostly('text', 'address', 'status')(content) &&
  !mostly('long text')(content) &&
  !mostly('languages')(content);

/** What a column must hold to say what its name says. */
const fit: Partial<Readonly<Record<SheetTarget, Fit>>> = {
  phone: isPhone,
  fax: isPhone,
  contact_phone: isPhone,
  tty: isPhone,
  text_number: isPhone,
  email: holds('email'),
  contact_email: holds('email'),
  url: (content) => !mostly('phone', 'email')(content),
  organization_url: (content) => !mostly('phone', 'email')(content),
  latitude: isPoint,
  longitude: isPoint,
  coordinates: holds('coordinates'),
  minimum_age: holds('number'),
  maximum_age: holds('number'),
  last_verified: holds('date'),
  last_modified: holds('date'),
  id: (content) => content.different > 0.99 && content.share('long text') === 0,
  contact_name: (content) => !mostly('phone', 'email', 'url', 'address', 'date')(content),
  location_name: (content) => !mostly('phone', 'email', 'url', 'address', 'date')(content),
  organization: isName,
  name: isName,
  free: holds('flag'),
  status: (content) => content.share('status') > 0.9,
};

/** Numbers to call that are short, such as 211. */
const hasDigits: Fit = (content) => content.share('text') + content.share('long text') < 0.3;

/** A name may say several things, and what the column holds tells which. */
function weightOf(target: SheetTarget, content: Content): number {
  if (content.filled === 0) return 0.9;
  if (target === 'region' && !holds('state')(content)) return 0.8;
  // A question that is answered with yes: "Bilingual?"
  return target === 'languages' && content.share('flag') > 0.7 ? 0.25 : 1;
}

/** What a column says by what it holds. Less sure than a name. */
function* byContent(name: string, content: Content): Generator<readonly [SheetTarget, number]> {
  if (content.filled === 0) return;
  const words = plainName(name);
  if (content.share('flag') > 0.9) {
    if (languageRows.has(words)) yield ['languages', 1.5];
    else if (hintIn(words) && !isColumnName(name)) yield ['category', 1.2];
    return;
  }
  if (content.share('email') > 0.7) yield [/contact/.test(words) ? 'contact_email' : 'email', 0.9];
  else if (content.share('url') > 0.7) yield ['url', 0.9];
  else if (content.share('coordinates') > 0.7) yield ['coordinates', 0.9];
  else if (content.share('phone') > 0.7)
    yield [/\bfax\b/.test(words) ? 'fax' : /contact/.test(words) ? 'contact_phone' : 'phone', 0.9];
  else if (content.share('hours') > 0.6) yield ['hours', 0.9];
  else if (content.share('state') > 0.9 && content.different < 0.5) yield ['region', 0.8];
  else if (content.share('postal code') > 0.9) yield ['postal_code', 0.8];
  else if (content.share('languages') > 0.8 && content.share('state') < 0.5) yield ['languages', 0.8];
  else if (content.share('address') > 0.6 && content.share('phone') < 0.3) yield ['address', 0.9];
  else if (content.share('long text') > 0.6) yield ['description', 0.6];
  else if (content.categories > 0.6 && content.different < 0.5 && content.filled > 4)
    yield ['category', 0.56];
}

/** A record needs a name: a column that is called so, the organization's, or the first one with a text of its own. */
function nameTheRecord(
  header: readonly string[],
  contents: readonly Content[],
  chosen: Map<number, SheetTarget>,
): void {
  const has = (target: SheetTarget): boolean => [...chosen.values()].includes(target);
  // Of "Agency" and "Name", the second is what the first offers; of "Service" and "Name", the second is who offers it.
  const other = header.findIndex(
    (name, column) => !chosen.has(column) && /^(name|nombre|title)$/.test(plainName(name)),
  );
  if (other !== -1)
    chosen.set(other, has('name') ? (has('organization') ? 'alternate_name' : 'organization') : 'name');
  if (has('name') || has('organization')) return;
  const site = [...chosen].find(([, target]) => target === 'location_name')?.[0];
  const text = contents.findIndex(
    (content, column) =>
      !chosen.has(column) && content.share('text') > 0.6 && content.different > 0.5 && content.filled > 0,
  );
  const place = site ?? (text === -1 ? undefined : text);
  if (place !== undefined) chosen.set(place, 'name');
}
