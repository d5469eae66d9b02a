import { setImmediate } from 'node:timers/promises';
import { svcIdOf } from '../../../events/ids.ts';
import { organizations, type OrganizationDocument } from '../../../projections/directory/organizations.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Collection, Documents } from '../../../stores/documents/port.ts';
import { StampedCache } from '../../http/responses/stamped-cache.ts';
import { organizationPath } from './organization/organization-path.ts';
import { recordPath } from './record-view.ts';

/** The most addresses of a part (sitemaps.org). */
const mostOfPart = 50_000;
/** How many a part has on average. Ids are hashes, so that no part comes near to the limit. */
const aimOfPart = 40_000;
/** The most parts of an index. */
const mostParts = 50_000;
export const organizationsSitemapPath = '/sitemap/organizations.xml';

/** Numbers of records are below this. */
const numbers = 2 ** 52;
/** Records read at a time. Other work of the process gets its turn in between. */
const readAtOnce = 1_000;

/**
 * The addresses of all public records and organizations. The index names the parts, each a range of ids:
 * `/sitemap/{part}-{parts}.xml`. So
 * no part depends on what is in another, and each is read in the order of ids from its own place.
 */
export class Sitemap {
  readonly #collection: Collection<ResourceDocument>;
  readonly #organizations: Collection<OrganizationDocument>;
  readonly #base: () => string;
  readonly #indexes = new StampedCache<{ readonly body: string } & object>({ max: 1 });

  constructor(documents: Documents, base: () => string) {
    this.#collection = documents.collection(resources.collection);
    this.#organizations = documents.collection(organizations.collection);
    this.#base = base;
  }

  static isPart(part: number, parts: number): boolean {
    return parts >= 1 && parts <= mostParts && part < parts;
  }

  /** Changes when a record may have changed. */
  stamp(): Promise<string | undefined> {
    return this.#collection.stamp();
  }

  /** Changes when an organization may have changed. */
  stampOfOrganizations(): Promise<string | undefined> {
    return this.#organizations.stamp();
  }

  /** The index, cached while no record changes. */
  async index(stamp: string | undefined): Promise<string> {
    const before = this.#indexes.get('index', stamp);
    if (before) return before.body;
    const parts = Math.min(Math.max(Math.ceil((await this.#about()) / aimOfPart), 1), mostParts);
    const addresses = [
      ...Array.from({ length: parts }, (_, part) => `${this.#base()}/sitemap/${part}-${parts}.xml`),
      this.#base() + organizationsSitemapPath,
    ];
    const body = `${start('sitemapindex')}${addresses.map((each) => `<sitemap><loc>${xml(each)}</loc></sitemap>\n`).join('')}</sitemapindex>\n`;
    this.#indexes.put('index', stamp, { body });
    return body;
  }

  /**
   * About how many records are public: told by how close together the first ids are, which are hashes. It is right to a
   * few percent, and the limit of a part leaves a quarter. Counting a million would hold up other requests.
   */
  async #about(): Promise<number> {
    const query = { where: { listed: 1 }, orderBy: ['number'], limit: readAtOnce } as const;
    const first = await this.#collection.select(query, ['number']);
    const last = first.at(-1)?.number ?? 0;
    return first.length < readAtOnce ? first.length : (first.length * numbers) / last;
  }

  /** The addresses of all public organizations: those of a large state are a tenth of a part. */
  async *organizations(): AsyncGenerator<string> {
    const base = xml(this.#base());
    yield start('urlset');
    let after: string | undefined;
    for (let written = 0; written < mostOfPart;) {
      const rows = await this.#organizations.select(
        {
          where: { listed: 1 },
          orderBy: ['org_id'],
          limit: Math.min(readAtOnce, mostOfPart - written),
          ...(after === undefined ? {} : { after: [after] }),
        },
        ['org_id', 'updated_at'],
      );
      yield rows.map(({ org_id, updated_at }) => entry(base, organizationPath(org_id), updated_at)).join('');
      written += rows.length;
      after = rows.at(-1)?.org_id;
      if (rows.length < readAtOnce) break;
      await setImmediate();
    }
    yield '</urlset>\n';
  }

  /** One part, as it is read. */
  async *part(part: number, parts: number): AsyncGenerator<string> {
    const [from, to] = [boundary(part, parts), boundary(part + 1, parts)];
    const base = xml(this.#base());
    yield start('urlset');
    let after: number | undefined;
    for (let written = 0; written < mostOfPart;) {
      const rows = await this.#collection.select(
        {
          where: { listed: 1 },
          orderBy: ['number'],
          limit: Math.min(readAtOnce, mostOfPart - written),
          ...(after === undefined ? { from } : { after: [after] }),
        },
        ['number', 'updated_at'],
      );
      const own = rows.filter(({ number }) => number < to);
      yield own
        .map(({ number, updated_at }) => entry(base, recordPath(svcIdOf(number)), updated_at))
        .join('');
      written += own.length;
      after = own.at(-1)?.number;
      if (own.length < readAtOnce) break;
      await setImmediate();
    }
    yield '</urlset>\n';
  }
}

/** The first number of a part. */
const boundary = (part: number, parts: number): number => Math.floor((part / parts) * numbers);

const start = (element: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;

const entry = (base: string, path: string, updated_at: string): string =>
  `<url><loc>${base}${path}</loc><lastmod>${updated_at}</lastmod></url>\n`;

const xml = (text: string): string => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
