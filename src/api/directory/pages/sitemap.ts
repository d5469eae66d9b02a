import { setImmediate } from 'node:timers/promises';
import { svcIdOf } from '../../../events/ids.ts';
import { organizations } from '../../../projections/directory/organizations.ts';
import { resources } from '../../../projections/directory/resources.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { StampedCache } from '../../http/responses/stamped-cache.ts';
import { organizationPath, recordPath } from './record-view.ts';

/** The most addresses of a part (sitemaps.org). */
const mostOfPart = 50_000;
/** How many a part has on average. Ids are hashes, so that no part comes near to the limit. */
const aimOfPart = 40_000;
/** The most parts of an index. */
const mostParts = 50_000;

/** Numbers of records are below this. */
const numbers = 2 ** 52;
/** Records read at a time. Other work of the process gets its turn in between. */
const readAtOnce = 1_000;

/** What a sitemap lists, in the order of ids. `place`: where an id is among all that there can be, from 0 to 1. */
interface Listed<Id extends string | number> {
  /** Of the addresses of its parts. */
  readonly prefix: string;
  readonly path: (id: Id) => string;
  readonly place: (id: Id) => number;
  /** The first id of a part. */
  readonly first: (part: number, parts: number) => Id;
  readonly page: (
    from: { readonly from: Id } | { readonly after: Id } | undefined,
    limit: number,
  ) => Promise<Row<Id>[]>;
}

interface Row<Id> {
  readonly id: Id;
  readonly updated_at: string;
}

/**
 * The addresses of all public records and organizations. The index names the parts, each a range of ids:
 * `/sitemap/{part}-{parts}.xml`, and `/sitemap/organizations-{part}-{parts}.xml`. So no part depends on what is in
 * another, and each is read in the order of ids from its own place.
 */
export class Sitemap {
  readonly #records: Listed<number>;
  readonly #organizations: Listed<string>;
  readonly #stamps: () => Promise<readonly (string | undefined)[]>;
  readonly #base: () => string;
  readonly #indexes = new StampedCache<{ readonly body: string } & object>({ max: 1 });

  constructor(documents: Documents, base: () => string) {
    const records = documents.collection(resources.collection);
    const offering = documents.collection(organizations.collection);
    this.#records = {
      prefix: '',
      path: (number) => recordPath(svcIdOf(number)),
      place: (number) => number / numbers,
      first: (part, parts) => Math.floor((part / parts) * numbers),
      async page(from, limit) {
        const query = { where: { listed: 1 }, orderBy: ['number'], limit, ...queryFrom(from) } as const;
        const rows = await records.select(query, ['number', 'updated_at']);
        return rows.map(({ number, updated_at }) => ({ id: number, updated_at }));
      },
    };
    this.#organizations = {
      prefix: 'organizations-',
      path: organizationPath,
      place: (id) => Number.parseInt(id.slice(2), 16) / 2 ** 64,
      first: (part, parts) => firstOrgId(part, parts),
      async page(from, limit) {
        const query = { where: { listed: 1 }, orderBy: ['org_id'], limit, ...queryFrom(from) } as const;
        const rows = await offering.select(query, ['org_id', 'updated_at']);
        return rows.map(({ org_id, updated_at }) => ({ id: org_id, updated_at }));
      },
    };
    this.#stamps = () => Promise.all([records.stamp(), offering.stamp()]);
    this.#base = base;
  }

  static isPart(part: number, parts: number): boolean {
    return parts >= 1 && parts <= mostParts && part < parts;
  }

  /** Changes when a record or an organization may have changed. */
  async stamp(): Promise<string | undefined> {
    const stamps = await this.#stamps();
    return stamps.some((each) => each === undefined) ? undefined : stamps.join('/');
  }

  /** The index, cached while nothing changes. */
  async index(stamp: string | undefined): Promise<string> {
    const before = this.#indexes.get('index', stamp);
    if (before) return before.body;
    const parts = await Promise.all([partsOf(this.#records), partsOf(this.#organizations)]);
    const addresses = parts.flat().map((part) => `${this.#base()}/sitemap/${part}.xml`);
    const body = `${start('sitemapindex')}${addresses.map((each) => `<sitemap><loc>${xml(each)}</loc></sitemap>\n`).join('')}</sitemapindex>\n`;
    this.#indexes.put('index', stamp, { body });
    return body;
  }

  /** One part of the records, as it is read. */
  part = (part: number, parts: number): AsyncGenerator<string> =>
    read(this.#records, xml(this.#base()), part, parts);

  /** One part of the organizations. */
  organizations = (part: number, parts: number): AsyncGenerator<string> =>
    read(this.#organizations, xml(this.#base()), part, parts);
}

/** The parts that hold all there is, by their names. */
async function partsOf<Id extends string | number>(listed: Listed<Id>): Promise<string[]> {
  const parts = Math.min(Math.max(Math.ceil((await about(listed)) / aimOfPart), 1), mostParts);
  return Array.from({ length: parts }, (_, part) => `${listed.prefix}${part}-${parts}`);
}

/**
 * About how many are public: told by how close together the first ids are, which are hashes. It is right to a few
 * percent, and the limit of a part leaves a quarter. Counting a million would hold up other requests.
 */
async function about<Id extends string | number>({ page, place }: Listed<Id>): Promise<number> {
  const first = await page(undefined, readAtOnce);
  const last = first.at(-1);
  return first.length < readAtOnce || !last ? first.length : first.length / place(last.id);
}

async function* read<Id extends string | number>(
  { page, path, first }: Listed<Id>,
  base: string,
  part: number,
  parts: number,
): AsyncGenerator<string> {
  const end = part + 1 === parts ? undefined : first(part + 1, parts);
  yield start('urlset');
  let from: Parameters<typeof page>[0] = { from: first(part, parts) };
  for (let written = 0; written < mostOfPart;) {
    const limit = Math.min(readAtOnce, mostOfPart - written);
    const rows: Row<Id>[] = await page(from, limit);
    const own = end === undefined ? rows : rows.filter(({ id }) => id < end);
    yield own.map(({ id, updated_at }) => entry(base, path(id), updated_at)).join('');
    written += own.length;
    const last = own.at(-1);
    if (own.length < limit || !last) break;
    from = { after: last.id };
    await setImmediate();
  }
  yield '</urlset>\n';
}

const queryFrom = <Id>(from: { readonly from: Id } | { readonly after: Id } | undefined) =>
  from && 'after' in from ? { after: [from.after] } : from;

/** Ids of organizations are hashes of 64 bits. */
const firstOrgId = (part: number, parts: number): string =>
  `o_${((BigInt(part) << 64n) / BigInt(parts)).toString(16).padStart(16, '0')}`;

const start = (element: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;

const entry = (base: string, path: string, updated_at: string): string =>
  `<url><loc>${base}${path}</loc><lastmod>${updated_at}</lastmod></url>\n`;

const xml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
