import { z } from 'zod';
import { svcId } from '../../events/directory/resource.ts';
import { tilePath, hashBytes, type TileSource } from '../../audit/proof-log/format/tiles.ts';

/** One answer of the other installation. */
export interface FeedAnswer {
  readonly status: number;
  readonly body: Buffer;
  readonly etag?: string | undefined;
  /** The Retry-After field, in seconds. */
  readonly retryAfterSeconds?: number | undefined;
}

export interface FeedRequest {
  /** An API key of the other installation. */
  readonly key?: string | undefined;
  readonly etag?: string | undefined;
  /** A longer answer is refused. */
  readonly mostBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** One GET without redirects. @throws FeedError when there is no answer, or a longer one, or the address is refused */
export type ReadAddress = (url: string, request: FeedRequest) => Promise<FeedAnswer>;

/** The other installation did not answer, or not as it should. It is read again later. */
export class FeedError extends Error {
  /** Not before so many milliseconds. */
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.name = 'FeedError';
    this.afterMs = afterMs;
  }
}

/** The followed installation, as it is read. */
export interface Other {
  /** Its base address, without a slash at the end. */
  readonly address: string;
  readonly key: string | undefined;
  readonly read: ReadAddress;
  readonly signal?: AbortSignal | undefined;
}

/** So many changes are read at a time: of records of 10 kB, a megabyte. */
const entriesAtATime = 100;
/** A record has at most some 700 kB, and most have 3. */
const mostPageBytes = 32 * 1024 * 1024;
const mostNoteBytes = 64 * 1024;
const mostListBytes = 1024 * 1024;

const origin = z.object({ directory: z.string().min(1).max(300), svc_id: svcId });

const entry = z.object({
  svc_id: svcId,
  change: z.enum(['upsert', 'removed']),
  changed_at: z.iso.datetime(),
  /** What it holds is checked record by record: one that is wrong does not hold up the others. */
  record: z.unknown().optional(),
});
export type FeedEntry = z.output<typeof entry>;

const ofElsewhere = z.object({ origin });

/** Where a record was written first. Undefined: there, or nobody can tell. */
export const originOf = ({ record }: FeedEntry): z.output<typeof origin> | undefined =>
  ofElsewhere.safeParse(record).data?.origin;

const page = z.object({
  data: z.array(entry).max(1_000),
  has_more: z.boolean(),
  cursor: z.string().min(1).max(1_000),
});

export interface FeedPage extends z.output<typeof page> {
  readonly bytes: Buffer;
  readonly etag: string | undefined;
}

/** What the feed answers, or why it cannot go on from the cursor. */
export type FeedOutcome =
  | { readonly kind: 'page'; readonly page: FeedPage }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'stop'; readonly why: 'cursor' | 'refused'; readonly detail: string };

/** The changes after the cursor. Undefined: from the beginning. @throws FeedError */
export async function readChanges(
  other: Other,
  { cursor, etag }: { readonly cursor: string | undefined; readonly etag?: string | undefined },
): Promise<FeedOutcome> {
  const query = new URLSearchParams({
    limit: String(entriesAtATime),
    ...(cursor === undefined ? {} : { cursor }),
  });
  const answer = await get(other, `/dash/api/v1/changes?${query.toString()}`, {
    mostBytes: mostPageBytes,
    etag,
  });
  const { status } = answer;
  if (status === 304) return { kind: 'unchanged' };
  if (status === 401 || status === 403)
    return {
      kind: 'stop',
      why: 'refused',
      detail: `It answered with ${status}: it asks for another API key.`,
    };
  if (status === 410 || (status === 400 && cursor !== undefined))
    return {
      kind: 'stop',
      why: 'cursor',
      detail: `It answered with ${status}: it was restored or moved since its changes were read last.`,
    };
  if (status !== 200) throw unexpected(answer, 'Its feed of changes');
  const found = page.safeParse(jsonIn(answer.body));
  if (!found.success) throw new FeedError('Its feed of changes answered something else than changes.');
  const { data, has_more, cursor: next } = found.data;
  if ((has_more && data.length === 0) || (data.length > 0 && next === cursor))
    throw new FeedError('Its feed of changes does not go on.');
  return { kind: 'page', page: { ...found.data, bytes: answer.body, etag: answer.etag } };
}

/**
 * The newest checkpoint, as a signed note. `after`: the size that was seen before; by it no cache has an older answer.
 * @throws FeedError
 */
export async function readCheckpoint(other: Other, after = 0): Promise<string> {
  const answer = await get(other, `/audit/log/checkpoint?after=${after}`, { mostBytes: mostNoteBytes });
  if (answer.status !== 200) throw unexpected(answer, 'Its proof log');
  return answer.body.toString('utf8');
}

/** A list of its proof log in JSON, checked by a schema. Undefined: it has none. @throws FeedError */
export async function readList<Schema extends z.ZodType>(
  other: Other,
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const answer = await get(other, path, { mostBytes: mostListBytes });
  if (answer.status !== 200) return undefined;
  return schema.safeParse(jsonIn(answer.body)).data;
}

/** The verifier key that it publishes. @throws FeedError */
export async function readVkey(other: Other): Promise<string> {
  const answer = await get(other, '/audit/log/vkey', { mostBytes: mostNoteBytes });
  if (answer.status !== 200) throw unexpected(answer, 'Its proof log');
  return answer.body.toString('utf8').trim();
}

const services = z.object({ total_items: z.int().min(0) });

/** How many public records it has. Undefined: it does not say. @throws FeedError */
export async function countServices(other: Other): Promise<number | undefined> {
  const answer = await get(other, '/hsds/services?per_page=1', { mostBytes: mostListBytes });
  return answer.status === 200 ? services.safeParse(jsonIn(answer.body)).data?.total_items : undefined;
}

/** The tiles of its proof log. @throws FeedError */
export const tilesOf = (other: Other): TileSource => ({
  tiles: (tiles) =>
    Promise.all(
      tiles.map(async (tile) => {
        const most = tile.width * hashBytes;
        const answer = await get(other, `/audit/log/tile/${tilePath(tile)}`, { mostBytes: most });
        if (answer.status === 200 && answer.body.length === most) return answer.body;
        throw unexpected(answer, `The tile ${tilePath(tile)} of its proof log`);
      }),
    ),
});

const get = (
  { address, key, read, signal }: Other,
  path: string,
  request: { readonly mostBytes: number; readonly etag?: string | undefined },
): Promise<FeedAnswer> => read(address + path, { ...request, key, signal });

/** A wait that is asked for counts up to a day. */
const longestRetryMs = 86_400_000;

const unexpected = ({ status, retryAfterSeconds }: FeedAnswer, what: string): FeedError =>
  new FeedError(
    `${what} answered with ${status}.`,
    retryAfterSeconds === undefined ? undefined : Math.min(retryAfterSeconds * 1_000, longestRetryMs),
  );

function jsonIn(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
