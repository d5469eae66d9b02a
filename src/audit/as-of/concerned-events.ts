import { streamName } from '../../events/define.ts';
import { resourceStream } from '../../events/directory/resource.ts';
import { svcIdOf } from '../../events/ids.ts';
import { apiKeyStream } from '../../events/keys.ts';
import { consentId, consentStream } from '../../events/oauth/consent.ts';
import { grantStream } from '../../events/oauth/grant.ts';
import { subscriptionStream } from '../../events/webhooks/webhook.ts';
import { resources } from '../../projections/directory/resources.ts';
import type { Projection } from '../../projections/engine/read-model.ts';
import { apiKeys } from '../../projections/keys.ts';
import { consents } from '../../projections/oauth-consents.ts';
import { grants } from '../../projections/oauth-grants.ts';
import { subscriptions } from '../../projections/webhooks/subscriptions.ts';
import type { Documents, Generation, PageQuery, Scalar } from '../../stores/documents/port.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import type { LogUpTo } from './log-up-to.ts';

export interface ConcernedParts {
  readonly log: LogUpTo;
  /** Today's read models. Undefined: they are not asked. */
  readonly documents?: Pick<Documents, 'collection' | 'generations'> | undefined;
}

/**
 * Streams of one kind. Its read model has one document for each, and never removes one; and the fields by which they are
 * looked for are those of its first event, which no later event changes. So the documents of today name every stream that
 * there was at any time up to their checkpoint: where a question is asked of an earlier time, they name some too many, whose
 * events up to then answer that.
 */
interface Kind<Doc extends object> {
  readonly model: Pick<Projection<Doc>, 'collection' | 'events'>;
  /** The fields that order the documents, behind those of the condition. They are unique together. */
  readonly orderBy: readonly (keyof Doc & string)[];
  readonly streamOf: (doc: Doc) => string;
}

const kind = <Doc extends object>(
  model: { readonly collection: Projection<Doc>['collection']; readonly events: readonly string[] },
  orderBy: Kind<Doc>['orderBy'],
  streamOf: Kind<Doc>['streamOf'],
): Kind<Doc> => ({ model: model as Kind<Doc>['model'], orderBy, streamOf });

/** The kinds of streams of which many can concern a question. */
export const concernedKinds = {
  resources: kind(resources, ['number'], ({ number }) => streamName(resourceStream, svcIdOf(number))),
  keys: kind(apiKeys, ['created_at', 'key_id'], ({ key_id }) => streamName(apiKeyStream, key_id)),
  subscriptions: kind(subscriptions, ['subscription'], ({ subscription }) =>
    streamName(subscriptionStream, subscription),
  ),
  consentsOfPerson: kind(consents, ['client'], ({ user, client }) =>
    streamName(consentStream, consentId(user, client)),
  ),
  consentsOfClient: kind(consents, ['user'], ({ user, client }) =>
    streamName(consentStream, consentId(user, client)),
  ),
  grantsOfPerson: kind(grants, ['client', 'issued_at', 'grant'], ({ grant }) =>
    streamName(grantStream, grant),
  ),
  grantsOfClient: kind(grants, ['issued_at', 'grant'], ({ grant }) => streamName(grantStream, grant)),
} as const;

type DocOf<Some> = Some extends Kind<infer Doc> ? Doc : never;
type Where<Doc extends object> = NonNullable<PageQuery<Doc>['where']>;

const pageSize = 2_000;

/**
 * The events of these types up to the position of `log`, of at least all streams of a kind whose documents fit: stream by
 * stream, each in its order. Other streams of the kind may be among them.
 *
 * Only the names of the streams come from today's read model, as far as it has got; streams with events after that are found
 * in the log. While it is built or has another log, and without `documents`, the whole log is read for the types.
 */
export async function* concernedEvents<Some extends Kind<never>>(
  { log, documents }: ConcernedParts,
  some: Some,
  where: Where<DocOf<Some> & object>,
  types: readonly string[],
): AsyncGenerator<readonly RecordedEvent[]> {
  const streams = documents && (await streamsOf({ log, documents }, some as unknown as Kind<object>, where));
  yield* streams ? log.eventsIn(streams, types) : log.eventsOf(types);
}

/** Undefined when the read model cannot say. */
async function streamsOf(
  { log, documents }: { readonly log: LogUpTo; readonly documents: NonNullable<ConcernedParts['documents']> },
  { model, orderBy, streamOf }: Kind<object>,
  where: Readonly<Record<string, unknown>>,
): Promise<readonly string[] | undefined> {
  const { name } = model.collection;
  // Before its documents: they may have more than the checkpoint says, and not less.
  const serving = (await documents.generations(name)).serving;
  if (!serving || !(await isOfThisLog(log, serving))) return undefined;
  const streams = new Set<string>();
  const fields = [...Object.keys(where), ...orderBy] as never[];
  for (let after: readonly Scalar[] | undefined; ;) {
    const page: object[] = await documents
      .collection(model.collection)
      .select({ where: where as never, orderBy, ...(after ? { after } : {}), limit: pageSize }, fields);
    for (const doc of page) streams.add(streamOf(doc));
    const last = page.at(-1) as Readonly<Record<string, Scalar>> | undefined;
    if (!last || page.length < pageSize) break;
    after = orderBy.map((field) => last[field] as Scalar);
    await log.rest();
  }
  // A generation that was switched meanwhile may have stood elsewhere.
  if ((await documents.generations(name)).serving?.generation !== serving.generation) return undefined;
  for await (const events of log.eventsOf(model.events, serving.checkpoint))
    for (const { stream } of events) streams.add(stream);
  // In the order in which stores keep them, which are then read from fewer places.
  return [...streams].sort();
}

/** Whether the read model was folded from this log: the last event that it has folded is where it was. */
async function isOfThisLog(log: LogUpTo, { lastEvent }: Generation): Promise<boolean> {
  return lastEvent === undefined || (await log.idAt(lastEvent.position)) === lastEvent.id;
}
