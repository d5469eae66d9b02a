import type { ExpandedQuery } from './words/expand.ts';
import { combined, type Least } from './ranking.ts';
import type { Agreement, SearchRequest } from './request.ts';
import type { Understood } from './understood.ts';

/** One way to answer a request: with all that was typed, or with less. */
export interface Try {
  readonly agreement: Agreement;
  readonly request: SearchRequest;
  readonly query: ExpandedQuery | undefined;
  readonly least: Least | undefined;
}

/** A way that may turn out to be none: where a place is, is looked up when nothing else has found enough. */
export type Trying = () => Try | undefined | Promise<Try | undefined>;

/** What is tried one after the other until something is found, after all that was typed. */
export interface Tries {
  readonly all: Try;
  readonly others: readonly Trying[];
}

export function triesOf(request: SearchRequest, { query, read, around }: Understood): Tries {
  const [all, ...others] = [...waysOf(request, query, read, around)] as [Try, ...(Try | Trying)[]];
  return { all, others: others.map((each) => (typeof each === 'function' ? each : () => each)) };
}

function* waysOf(
  request: SearchRequest,
  query: Understood['query'],
  read: Understood['read'],
  around: Understood['around'],
): Generator<Try | Trying> {
  const { openAt, openOn } = read ?? {};
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
    yield async () => {
      const near = await around();
      return (
        near && { agreement: 'around', request: { ...request, near }, query: placeless, least: undefined }
      );
    };
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
