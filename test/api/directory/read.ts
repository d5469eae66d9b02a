import type { FastifyInstance, InjectOptions } from 'fastify';

export interface ListBody {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly total?: number;
}

export type Answer = Awaited<ReturnType<FastifyInstance['inject']>>;

/** A GET request to a server in this process. */
export const get = (
  server: FastifyInstance,
  url: string,
  headers: InjectOptions['headers'] = {},
): Promise<Answer> => server.inject({ method: 'GET', url, headers });

/** Every page of a list, from the first, as the answers' bodies. */
export async function pagesOf(
  server: FastifyInstance,
  path: string,
  query: Readonly<Record<string, string>>,
  headers: InjectOptions['headers'],
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<ListBody[]> {
  const pages: ListBody[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const asked = new URLSearchParams(cursor === '' ? query : { ...query, cursor });
    const answer = await get(server, `${path}?${asked.toString()}`, headers);
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    const page = answer.json<ListBody>();
    pages.push(page);
    cursor = page.next_cursor;
    await between();
  }
  return pages;
}

export const svcIds = (pages: readonly ListBody[]): unknown[] =>
  pages.flatMap(({ data }) => data.map(({ svc_id }) => svc_id));
