import { namesOfEvents } from '../audit/names-of-events.ts';
import { shownLines } from '../audit/operation-lines.ts';
import { searchEvents, type FoundEvent } from '../audit/search.ts';
import { actorText } from '../audit/sentences/sentences.ts';
import { whatOf } from '../audit/sentences/what-happened.ts';
import { auditAccessStream } from '../events/audit.ts';
import type { Actor } from '../events/metadata.ts';
import { beginsOperation, isBulk } from '../events/operations.ts';
import { deliveryStream } from '../events/webhooks/webhook.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { bulkPath } from './directory/dash/dash-paths.ts';
import { ofTeam, paths } from './pages/paths.ts';

/** One line of what happened: one act of somebody, or several of one kind within an hour. */
export interface FeedLine {
  readonly sentence: string;
  /** When it happened last. */
  readonly at: string;
  readonly to: string;
}

/** Events that are looked at, and lines that are shown. */
const [lookedAt, mostLines] = [100, 10];
/** What one person does again within this time is one line. */
const togetherMs = 3_600_000;
/** There are many of them, and they have pages of their own: webhooks, and the audit log. */
const frequent = [deliveryStream, auditAccessStream].map(({ name }) => `${name}-`);

interface FeedGroup {
  /** The newest first. */
  readonly events: FoundEvent[];
  readonly key: string;
  readonly newest: number;
}

/**
 * What was done in a team of late, the newest first. An import, or an action over many records, is one line, which says what
 * became of it; so is all that one request did, and what one person did again within an hour.
 */
export async function feedOf(dependencies: PageDependencies, team: string): Promise<readonly FeedLine[]> {
  const { found } = await searchEvents(dependencies, {
    conditions: {},
    team,
    newestFirst: true,
    withParts: false,
    limit: lookedAt,
  });
  const rare = found.filter(({ recorded: { stream } }) => !frequent.some((each) => stream.startsWith(each)));
  const groups = grouped(firstOfRequests(rare.length > 0 ? rare : found)).slice(0, mostLines);
  const newest = groups.flatMap(({ events }) => events.slice(0, 1));
  const names = await namesOfEvents(dependencies, newest, team);
  const lines = await shownLines(dependencies, newest, names);
  return lines.map(({ sentence, at, type, correlation_id: correlation, actor }, place) => {
    const { events } = groups[place] as FeedGroup;
    const { event } = events[0] as FoundEvent;
    if (events.length === 1 || !event)
      return {
        sentence,
        at,
        to: pageOf(type, correlation, team),
      };
    const { several, value } = whatOf(type) ?? {};
    const who = actorText({ ...event, team }, names);
    return {
      sentence:
        several === undefined
          ? `${sentence.replace(/\.$/, '')}, and ${String(events.length - 1)} more.`
          : `${who} ${several.replace('#', events.length.toLocaleString('en'))}.`,
      at,
      to: ofTeam(paths.audit, team, {
        by: `${actor.kind}:${actor.id}`,
        ...(value === undefined ? {} : { what: value }),
        from: minuteOf(timeOf(events.at(-1) as FoundEvent)),
        until: minuteOf(Date.parse(at) + 60_000),
      }),
    };
  });
}

/** Where a single line leads: to the decision about many records, to the records of an import, or to the request. */
function pageOf(type: string, correlation: string, team: string): string {
  if (isBulk(type)) return ofTeam(bulkPath(correlation), team);
  return beginsOperation(type)
    ? ofTeam(paths.audit, team, { correlation })
    : ofTeam(`${paths.auditWalk}/${correlation}`, team);
}

/** The first event of each request, whose line leads to all that it caused. An undoing has a line of its own. */
function firstOfRequests(found: readonly FoundEvent[]): readonly FoundEvent[] {
  const firsts = new Map<string, FoundEvent>();
  for (const each of found) firsts.set(correlationOf(each), each);
  return found.filter(
    (each) => firsts.get(correlationOf(each)) === each || beginsOperation(each.recorded.type),
  );
}

function grouped(found: readonly FoundEvent[]): readonly FeedGroup[] {
  const groups: FeedGroup[] = [];
  for (const each of found) {
    const key = keyOf(each);
    const at = timeOf(each);
    const open = groups.find((group) => group.key === key && Math.abs(group.newest - at) < togetherMs);
    if (open) open.events.push(each);
    else groups.push({ events: [each], key, newest: at });
  }
  return groups;
}

/** What has the same key is said together. An operation stays by itself. */
function keyOf({ recorded: { id, type }, event }: FoundEvent): string {
  if (!event || beginsOperation(type)) return id;
  const { kind, id: actor, on_behalf_of: person = '' }: Actor = event.metadata.actor;
  return [type, kind, actor, person].join(' ');
}

const correlationOf = ({ recorded, event }: FoundEvent): string =>
  event?.metadata.correlation_id ?? recorded.id;
const timeOf = ({ event }: FoundEvent): number => Date.parse(event?.metadata.at ?? '');

/** As the fields of the search take a time: of the minute in which it begins. */
const minuteOf = (ms: number): string => new Date(Math.floor(ms / 60_000) * 60_000).toISOString();
