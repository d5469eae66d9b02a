import { CommandRefused } from '../../ground/refusals.ts';
import { clients } from '../../projections/oauth-clients.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { documentsUpTo } from './documents-up-to.ts';
import type { LogUpTo } from './log-up-to.ts';
import { shownDocuments, type ShownDocument } from './personal-members.ts';
import { documentsOf, kindOf, type FoldedDocument } from './read-models.ts';
import { validityOf, type Validity } from './validity.ts';
import type { AsOfReader } from './reader.ts';

export interface StreamThen {
  readonly stream: string;
  /** How many events it had. */
  readonly events: number;
  /** What the read models said of it; for a stream that none folds by itself, what commands decided on. */
  readonly documents: readonly (ShownDocument & { readonly standing?: Validity })[];
  /** A page of the events, oldest first. */
  readonly page: readonly RecordedEvent[];
  readonly hasMore: boolean;
}

/** Documents of one stream that an answer shows: a team may have many members. */
const shownAtMost = 1_000;

/**
 * The state of a stream: its events, and what is folded from them.
 * @throws CommandRefused not_found, for a stream that there is not, that began later, or that is not the reader's
 */
export async function streamThen(
  {
    store,
    log,
    personal,
  }: { readonly store: EventStore; readonly log: LogUpTo; readonly personal: PersonalData },
  { stream, at }: { readonly stream: string; readonly at: Date },
  reader: AsOfReader,
  { after = -1, limit }: { readonly after?: number | undefined; readonly limit: number },
): Promise<StreamThen> {
  const kind = kindOf(stream);
  if (!kind) throw noStream(stream);
  const events = await log.readStream(stream);
  const newest = events.at(-1);
  if (!newest) throw await notThen(store, stream, at, reader);
  const documents = documentsOf(kind, events);
  if (reader.team !== undefined && !(await isOfTeam(log, reader.team, stream, documents)))
    throw noStream(stream);
  const some = documents.slice(0, shownAtMost);
  const shown = await shownDocuments(personal, some, reader);
  const validities = await Promise.all(some.map((each) => validityOf(log, at, each, newest)));
  const page = events.slice(after + 1, after + 1 + limit);
  return {
    stream,
    events: events.length,
    documents: shown.map((each, place) => {
      const validity = validities[place];
      return validity ? { ...each, standing: validity } : each;
    }),
    page,
    hasMore: after + 1 + limit < events.length,
  };
}

const noStream = (stream: string): CommandRefused =>
  new CommandRefused('not_found', `There is no stream ${stream.slice(0, 200)}.`);

/** A key of a team does not learn what began later: it might be another team's. */
async function notThen(
  store: EventStore,
  stream: string,
  at: Date,
  { team }: AsOfReader,
): Promise<CommandRefused> {
  const [first] = team === undefined ? await store.readStream(stream, { limit: 1 }) : [];
  if (!first) return noStream(stream);
  return new CommandRefused(
    'not_found',
    `The stream ${stream} did not exist as of ${at.toISOString()}: it began at position ${first.position}, at ${String(first.metadata['at'])}.`,
  );
}

/** Whether what a stream is about belongs to a team: what is folded from it says so, or the site that it is about. */
async function isOfTeam(
  log: LogUpTo,
  team: string,
  stream: string,
  documents: readonly FoldedDocument[],
): Promise<boolean> {
  if (stream === `team-${team}`) return true;
  for (const { document } of documents) {
    const { team: of, client } = document as { readonly team?: unknown; readonly client?: unknown };
    if (of !== undefined) return of === team;
    if (typeof client !== 'string') continue;
    const site = await documentsUpTo(log).collection(clients.collection).get(client);
    return site?.team === team;
  }
  return false;
}
