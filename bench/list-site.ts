import { randomBytes } from 'node:crypto';
import { createApiKey } from '../src/commands/keys.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { ensureCommons } from '../src/commands/teams/ensure-commons.ts';
import { categories } from '../src/events/directory/category.ts';
import type { ResourceFields } from '../src/events/directory/resource.ts';
import { seedResource, seedResources } from './seed.ts';

/** A directory, and what it is asked with. */
export interface Directory {
  /** A developer's key, for reading and submitting. */
  readonly reader: string;
  /** A team's key that may approve what was submitted to it. */
  readonly reviewer: string;
  /** What waits for approval, by svc_id. */
  readonly submitted: readonly string[];
}

/**
 * A log of so many public resources, and some that wait; the read models are the server's to build. `fields`: as in
 * `seedResources`.
 */
export async function seedDirectory(
  settings: Readonly<Record<string, string>>,
  {
    listed,
    submitted,
    fields,
  }: {
    readonly listed: number;
    readonly submitted: number;
    readonly fields?: (index: number) => ResourceFields;
  },
): Promise<Directory> {
  const system = await openSystem(readConfig(settings));
  const { store } = system;
  const context = () => ({
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  });
  const team = 'commons';
  await ensureCommons(store, context());
  await commandTeam(store, { kind: 'enable-scopes', team, scopes: ['directory:manage'] }, context());
  const keyOf = async (wish: Parameters<typeof createApiKey>[1]) =>
    (await createApiKey(system, wish, randomBytes(32), context())).key ?? '';
  const reader = await keyOf({
    kind: 'developer',
    scopes: ['resources:read', 'resources:submit'],
    domains: [],
  });
  const reviewer = await keyOf({ kind: 'team', team, scopes: ['directory:manage'], domains: [] });
  await seedResources(store, team, listed, fields);
  const waiting = await Promise.all(
    Array.from({ length: submitted }, async (_, n) => {
      const { svc_id } = await seedResource(store, team, listed + n, 'submitted', fields);
      return svc_id;
    }),
  );
  await system.close();
  return { reader, reviewer, submitted: waiting };
}

const listPath = '/dash/api/v1/resources';
/** The longest page of `freshPages`; on average they have half of it, as the pages of the other rows do. */
const longestPage = 39;
/** Cursors that are walked to for `freshPages`. */
const walked = 1_000;

export const pageSize = 20;
export const firstPage = `${listPath}?limit=${pageSize}`;

export type Ask = (path: string) => Promise<string>;

/** GET with a key; answers the body. */
export function askWith(origin: string, key: string): Ask {
  return async (path) => {
    const response = await fetch(origin + path, { headers: { authorization: `Bearer ${key}` } });
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
    return response.text();
  };
}

/** Cursors, each `step` records after the one before, up to so many; of one category or of all. */
export async function walk(ask: Ask, step: number, atMost: number, category?: string): Promise<string[]> {
  const cursors: string[] = [];
  const filter = category === undefined ? '' : `&category=${category}`;
  for (let cursor: string | null = ''; cursor !== null && cursors.length < atMost;) {
    const from: string = cursor === '' ? filter : `&cursor=${encodeURIComponent(cursor)}`;
    const page = JSON.parse(await ask(`${listPath}?limit=${step}${from}`)) as { next_cursor: string | null };
    cursor = page.next_cursor;
    if (cursor !== null) cursors.push(cursor);
  }
  return cursors;
}

/** The pages of a walk through the directory, as most who read all of it take them. */
export const pagesAt = (cursors: readonly string[]): string[] => [
  firstPage,
  ...cursors.map((cursor) => `${firstPage}&cursor=${encodeURIComponent(cursor)}`),
];

/**
 * Pages of which each is asked for once: every combination of a cursor, of all resources or of one category, and a
 * limit from 1 to 39, in random order. `resources`: how many there are.
 */
export async function freshPages(ask: Ask, resources: number): Promise<string[]> {
  const cursors = await walk(ask, Math.max(1, Math.min(100, Math.floor(resources / walked))), walked);
  for (const category of categories) {
    const inEach = Math.ceil(walked / categories.length);
    const step = Math.max(1, Math.min(100, Math.floor(resources / categories.length / inEach)));
    cursors.push(...(await walk(ask, step, inEach, category)));
  }
  const paths: string[] = [];
  for (const cursor of cursors) {
    for (let limit = 1; limit <= longestPage; limit++)
      paths.push(`${listPath}?limit=${limit}&cursor=${encodeURIComponent(cursor)}`);
  }
  for (let at = paths.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [paths[at], paths[other]] = [paths[other] as string, paths[at] as string];
  }
  return paths;
}

/** 80 % of requests for 20 % of the pages. */
export function skewed(pages: readonly string[], count: number): string[] {
  const popular = Math.max(1, Math.floor(pages.length / 5));
  return Array.from({ length: count }, () => {
    const isPopular = Math.random() < 0.8;
    const at = isPopular ? Math.random() * popular : popular + Math.random() * (pages.length - popular);
    return pages[Math.floor(at)] ?? firstPage;
  });
}
