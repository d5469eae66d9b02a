import { loadNewest } from '../../commands/command-handler.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { subscription } from '../../commands/webhooks/subscription.ts';
import { hostOf, type SubscriptionEvent } from '../../events/webhooks/webhook.ts';
import { upcast } from '../../events/catalogue.ts';
import { uuidOf } from '../../events/ids.ts';
import type { Metadata } from '../../events/metadata.ts';
import { personOf } from '../../personal/personal-data.ts';
import { people } from '../../projections/accounts-people.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { visible } from '../../projections/engine/read-your-writes.ts';
import { members } from '../../projections/teams-members.ts';
import { mailTime } from '../../tables/shown-time.ts';
import type { HandlerResult, RecordedEvent } from '../../stores/event-store/port.ts';
import type { DispatchContext, NoticeOutbox } from '../context.ts';
import { pauseNoticeMs } from '../delivery-policy.ts';

/** The consumer group of the notices. */
export const pauseNoticeGroup = 'webhook-pause-notices';

type Part = Pick<
  DispatchContext,
  'store' | 'documents' | 'personal' | 'now' | 'onFault' | 'base' | 'timeZone'
>;

const retryMs = 30_000;

/** A notice never succeeds by being parked, and its event is too old some days later. */
const neverParked = 1_000_000_000;

/**
 * Tells the admins of a team by mail when the service has paused one of its subscriptions, once for each pause: the
 * key of a mail is derived from the event and the person, so a repeat puts no second one. A group of consumers, so that
 * neither a crash loses a notice nor a rebuild of read models sends one again.
 */
export async function sendPauseNotices(
  dispatching: Part,
  outbox: NoticeOutbox,
  signal: AbortSignal,
): Promise<void> {
  await dispatching.store.consume(pauseNoticeGroup, {
    filter: { types: ['SubscriptionAutoPaused'] },
    signal,
    maximumAttempts: neverParked,
    handle: (consumed) =>
      Promise.all(
        consumed.map(async ({ event }): Promise<HandlerResult> => {
          try {
            await noticePause(dispatching, outbox, event);
            return { kind: 'ack' };
          } catch (error) {
            dispatching.onFault(`notice of pause ${event.id}`)(error);
            return { kind: 'retry', afterMs: signal.aborted ? 0 : retryMs, reason: String(error) };
          }
        }),
      ),
  });
}

/** Puts the mails about one pause. None when it is over or long ago. */
export async function noticePause(
  { store, documents, personal, now, base = '', timeZone }: Omit<Part, 'onFault'>,
  outbox: NoticeOutbox,
  recorded: RecordedEvent,
): Promise<void> {
  const { data } = upcast(recorded) as Extract<SubscriptionEvent, { type: 'SubscriptionAutoPaused' }>;
  const { at } = recorded.metadata as unknown as Metadata;
  const until = new Date(Date.parse(at) + pauseNoticeMs);
  if (until <= now()) return;
  const current = await loadNewest(store, subscription, data.subscription);
  if (current?.status !== 'paused') return;
  await visible(documents, [members.collection.name, people.collection.name], recorded.position);
  const { name } = await requireTeam(store, data.team);
  const mail = noticeOf(data, { at, timeZone, teamName: name, page: base + pageOf(data) });
  for (const { user, to } of await adminsOf({ documents, personal }, data.team)) {
    await outbox.putOnce(
      { to, ...mail },
      { key: uuidOf('pause-notice', recorded.id, user), at: new Date(at), until },
    );
  }
}

/** The admins of a team who have a confirmed address. */
async function adminsOf({ documents, personal }: Pick<Part, 'documents' | 'personal'>, team: string) {
  const found = await paginateAll(documents.collection(members.collection), {
    where: { team, status: 'member' },
    orderBy: ['joined_at', 'user'],
  });
  const admins = found.filter(({ role }) => role === 'admin').map(({ user }) => user);
  const documentOf = await documents.collection(people.collection).getMany(admins);
  const reachable = [...documentOf.values()].filter((each) => each.email_verified && !each.email_lapsed);
  const addressed = await Promise.all(
    reachable.map(async ({ user, email_sealed }) => ({
      user,
      to: await personal.open<string>(personOf(user), email_sealed),
    })),
  );
  return addressed.flatMap(({ user, to }) => (to === undefined ? [] : [{ user, to }]));
}

/** The page of a webhook, as src/api/webhooks/addresses.ts has it. */
const pageOf = ({ subscription: id, team }: { readonly subscription: string; readonly team: string }) =>
  `/dash/t/${encodeURIComponent(team)}/integrations/webhooks/${id}`;

function noticeOf(
  data: {
    readonly subscription: string;
    readonly team: string;
    readonly origin: string;
    readonly paused_because: string;
  },
  {
    at,
    timeZone,
    teamName,
    page,
  }: {
    readonly at: string;
    readonly timeZone: string | undefined;
    readonly teamName: string;
    readonly page: string;
  },
): { readonly subject: string; readonly text: string } {
  const host = hostOf(data);
  return {
    subject: `Webhooks to ${host} are paused`,
    text: `Hello,

Commonweal has paused the webhooks that the team ${teamName} sends to ${host}.

Why:    ${data.paused_because}
Since:  ${mailTime(at, timeZone)}
Which:  webhook ${data.subscription}

Nothing is lost for now: what happens meanwhile is held for some weeks, and is sent when the subscription is active
again. What to do:

1. Make sure that the receiver works and answers with a status from 200 to 299. If it has moved, change the address in
   the settings of the webhook.
2. Open the page of this webhook, sign in, and press Confirm healthy. Commonweal sends a test, and goes on when the
   receiver accepts it:

   ${page}

If you no longer need this webhook, delete it in its settings. Whoever runs Commonweal for you can confirm as well:

   commonweal subscriptions confirm ${data.subscription}

Commonweal
`,
  };
}
