import type { ExpandedQuery } from './words/expand.ts';
import { combined, type Least } from './levels.ts';
import type { Agreement, SearchRequest, WordsRead } from './request.ts';

/** One way to answer a request: with all that was typed, or with less. */
export interface Try {
  readonly agreement: Agreement;
  readonly request: SearchRequest;
  readonly query: ExpandedQuery | undefined;
  readonly least: Least | undefined;
}

/** What is tried one after the other until something is found. The first one takes all that was typed. */
export function* triesOf(
  request: SearchRequest,
  query: ExpandedQuery | undefined,
  read: WordsRead | undefined,
): Generator<Try> {
  const { openAt, openOn, around } = read ?? {};
  const timed = {
    ...request,
    ...(openAt === undefined ? {} : { openAt }),
    ...(openOn === undefined ? {} : { openOn }),
  };
  yield { agreement: 'all', request: timed, query, least: undefined };
  if (!query) return;
  if (openAt !== undefined || openOn !== undefined)
    yield { agreement: 'without time', request, query, least: undefined };
  const placeless = withoutPlace(query);
  if (around && placeless && !request.near)
    yield { agreement: 'around', request: { ...request, near: around }, query: placeless, least: undefined };
  for (let least = combined(query) - 1; least >= 1; least--)
    yield { agreement: 'part', request, query, least };
}

/** The query without the words that name a place. Undefined where it has no other. */
function withoutPlace(query: ExpandedQuery): ExpandedQuery | undefined {
  const concepts = query.concepts.filter(({ isPlace }) => isPlace !== true);
  return concepts.length === 0 || concepts.length === query.concepts.length
    ? undefined
    : { ...query, concepts, whole: '', pairs: [] };
}
