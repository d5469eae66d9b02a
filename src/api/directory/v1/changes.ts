import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import { entries } from '../../../ground/capacity.ts';
import { StoreError } from '../../../stores/errors.ts';
import { beginning, type EventPlace, type Position } from '../../../stores/event-store/port.ts';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { resourceProblem } from '../../http/responses/api-errors.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { callerOf, type Guard } from '../../http/key-guard.ts';
import { ReadOncePerTurn } from '../../http/responses/read-once-per-turn.ts';
import { ResponseCache, responseOf, type CachedResponse } from '../../http/responses/cached-response.ts';
import { etagOf } from '../../http/responses/etag.ts';
import { documentedOnly } from '../../http/read-parameters.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { sendResponse } from '../../http/responses/send-response.ts';
import { changesCursors, changesQuery, readChangesQuery, type ChangesQuery } from './changes-query.ts';
import { ResourceChanges } from '../resource-changes.ts';
import { changeList } from '../shapes.ts';

export const changesPath = '/dash/api/v1/changes';

/** Memory for pages. Mirrors that are level ask for the same one. */
const pagesBytes = 8 * 1024 * 1024;
/** Events that are known to be in the log. */
const rememberedEvents = 10_000;

/** The feed for mirrors: who follows it has the records of the list. */
export function serveChanges(
  scope: FastifyInstance,
  dependencies: ServerDependencies & { readonly guard: Guard },
  vary: string,
): void {
  const feed = feedOf(dependencies);
  scope.get(changesPath, {
    onRequest: dependencies.guard('resources:read'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Resources'],
      summary: 'Follow the changes of the public directory',
      description:
        'For mirrors. Each public resource, and each that was public once, stands at its last change, in the order of the changes. Start without a cursor, keep the cursor of each answer, and ask again with it: at once while has_more is true, later otherwise. An entry upsert holds the whole record; removed takes it out, also of a mirror that never had it. Needs resources:read.',
      security: [{ key: [] }],
      querystring: changesQuery,
      response: { 200: changeList, ...problemResponses(400, 401, 403, 410, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(
        await feed(request.raw.url ?? '', callerOf(request), request.raw.socket),
        vary,
        request,
        reply,
      ),
  });
}

/** Answers a request. @throws Problem, BadQuery */
type Feed = (target: string, caller: Caller, connection: object) => Promise<CachedResponse>;

function feedOf(dependencies: ServerDependencies): Feed {
  const { store, documents, personal, masterKey } = dependencies;
  const cursors = changesCursors(masterKey);
  const changes = new ResourceChanges(documents, personal);
  const stamps = new ReadOncePerTurn(() => changes.stamp());
  const pages = new ResponseCache(pagesBytes);
  const ids = new LRUCache<Position, string>(entries(rememberedEvents));
  const base = baseOf(dependencies) + changesPath;

  return async (target, caller, connection) => {
    const stamp = await stamps.for(connection);
    const query = readChangesQuery(target, cursors);
    const tier = tierOf(caller);
    const key = `${tier} ${query.limit} ${query.after?.position ?? ''} ${query.after?.id ?? ''}`;
    const before = pages.get(key, stamp);
    if (before) return before;
    const answer = await make(query, tier);
    pages.put(key, stamp, answer);
    return answer;
  };

  async function make({ after, limit }: ChangesQuery, tier: 'developer' | 'team'): Promise<CachedResponse> {
    if (after) await refuseOtherLog(after);
    const page = await changes.after(after?.position ?? beginning, { tier, limit });
    const cursor = cursors.seal({ after: page.last === undefined ? after : await eventAt(page.last) });
    const body = `{"data":[${page.entries.join(',')}],"has_more":${page.hasMore},"cursor":"${cursor}"}`;
    const link = page.hasMore ? `<${base}?limit=${limit}&cursor=${cursor}>; rel="next"` : undefined;
    return responseOf(body, etagOf(tier, limit, body), link);
  }

  /**
   * After another backup was restored, or a log was transferred, positions mean other events, and going on would skip
   * changes.
   */
  async function refuseOtherLog({ position, id }: EventPlace): Promise<void> {
    if ((await idAt(position)) === id) return;
    throw resourceProblem(
      'cursor_expired',
      'The directory was restored or moved since this cursor was given out. Start again without a cursor, and drop what the feed does not name as upsert.',
    );
  }

  async function eventAt(position: Position): Promise<EventPlace> {
    const id = await idAt(position);
    if (id === undefined) {
      throw new StoreError(
        'incompatible',
        `The log has no event at ${position}, which resources has folded.`,
      );
    }
    return { position, id };
  }

  /** An event stays where it is, so what was found is remembered. */
  async function idAt(position: Position): Promise<string | undefined> {
    const existing = ids.get(position);
    if (existing !== undefined) return existing;
    const found = await store.eventIdAt(position);
    if (found !== undefined) ids.set(position, found);
    return found;
  }
}
