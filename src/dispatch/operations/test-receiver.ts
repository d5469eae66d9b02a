import type { ScheduledDelivery } from '../../commands/webhooks/delivery.ts';
import type { WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { NoDataKey, type Holder, type SealedValue } from '../../personal/personal-data.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import type { DispatchContext } from '../context.ts';
import { testReceiverKeeps } from '../delivery-policy.ts';
import { isSigned } from '../signature.ts';
import type { Recipient } from '../attempts/recipient.ts';
import type { Sending, SendOutcome } from '../attempts/sender.ts';

/** A request at the test receiver, as the list of a team has it. */
export interface ReceivedRequest {
  readonly delivery: string;
  readonly attempt: number;
  readonly subscription: string;
  readonly event: WebhookEvent;
  readonly test?: true;
  /** ISO 8601 UTC. */
  readonly received_at: string;
  /** The length of the body in bytes. */
  readonly bytes: number;
  /** Whether the signatures were those of the secret. */
  readonly signed: boolean;
}

/** What came with it. */
export interface ReceivedContent {
  readonly headers: Readonly<Record<string, string>>;
  /** The first bytes of the body, as `testReceiverKeeps` has it. */
  readonly body: string;
}

type Stored = { readonly content: ReceivedContent } | { readonly sealed: SealedValue };

/** Apart from what the list shows, because old entries are looked for in the list with each request. */
const listOf = (side: SideStore): SideTable<ReceivedRequest> => side.table('test-receiver-requests');
const contentsOf = (side: SideStore): SideTable<Stored> => side.table('test-receiver-contents');

/** The ids of a team follow each other in the order of their arrival: no slug has a slash. */
const prefixOf = (team: string): string => `${team}/`;

/**
 * Our own test receiver takes what would be sent, in the process: there is no address and no request, so nothing here
 * passes the check of addresses. Keeps it, as long and as much as `testReceiverKeeps` says. Personal data is sealed for
 * its person, so that it is erased with them wherever it stands, also in a backup.
 */
export async function receive(
  { side, personal, now }: Pick<DispatchContext, 'side' | 'personal' | 'now'>,
  {
    scheduled,
    attempt,
    holder,
    recipient,
    sending: { headers, body, mayStart },
  }: {
    readonly scheduled: ScheduledDelivery;
    readonly attempt: number;
    readonly holder: Holder | undefined;
    readonly recipient: Extract<Recipient, { kind: 'active' }>;
    readonly sending: Omit<Sending, 'url'>;
  },
): Promise<SendOutcome> {
  const begun = performance.now();
  if (mayStart?.() === false)
    return { kind: 'failed', reason: 'aborted', message: 'The lease was lost.', durationMs: 0 };
  const { delivery, subscription, team, event, test } = scheduled;
  const bytes = Buffer.from(body);
  const at = now();
  const request: ReceivedRequest = {
    delivery,
    attempt,
    subscription,
    event,
    ...(test && { test }),
    received_at: at.toISOString(),
    bytes: bytes.length,
    signed: isSigned(headers, body, recipient),
  };
  const content: ReceivedContent = { headers, body: beginningOf(bytes) };
  const id = `${prefixOf(team)}${request.received_at}_${delivery}_${attempt}`;
  const until = new Date(at.getTime() + testReceiverKeeps.forMs);
  const stored = await storedOf(personal, holder, content);
  if (stored) {
    // The content first: whoever finds a request in the list finds what came with it.
    await contentsOf(side).put(id, stored, until);
    await listOf(side).put(id, request, until);
    await dropOldest(side, team);
  }
  return {
    kind: 'answered',
    status: 200,
    durationMs: Math.round(performance.now() - begun),
    responseHeaders: { 'content-type': 'text/plain' },
    responseText: 'The test receiver has it.',
    truncated: false,
  };
}

/** The part of a body that is kept, without half a character at its end. */
const beginningOf = (bytes: Buffer): string =>
  new TextDecoder().decode(bytes.subarray(0, testReceiverKeeps.bytes), {
    stream: bytes.length > testReceiverKeeps.bytes,
  });

/** Undefined when the person is erased: nothing of them is kept. */
async function storedOf(
  personal: DispatchContext['personal'],
  holder: Holder | undefined,
  content: ReceivedContent,
): Promise<Stored | undefined> {
  if (holder === undefined) return { content };
  try {
    return { sealed: { holder, sealed: await personal.seal(holder, content) } };
  } catch (error) {
    if (error instanceof NoDataKey) return undefined;
    throw error;
  }
}

/** Drops what the newest have replaced. Those who receive at once see each other, so that the last of them drops it all. */
async function dropOldest(side: SideStore, team: string): Promise<void> {
  const all = await idsAndRequests(side, team);
  for (const { id } of all.slice(0, Math.max(0, all.length - testReceiverKeeps.requests))) {
    await listOf(side).delete(id);
    await contentsOf(side).delete(id);
  }
}

async function idsAndRequests(side: SideStore, team: string) {
  const prefix = prefixOf(team);
  // More than are kept, for those that were put at the same time.
  const found = await listOf(side).list({ after: prefix, limit: 3 * testReceiverKeeps.requests });
  return found.filter(({ id }) => id.startsWith(prefix));
}

/** A request with its place in the list, which names it. */
export interface ListedRequest extends ReceivedRequest {
  readonly id: string;
}

/** What the test receiver of a team has, the newest first. */
export async function receivedRequests(side: SideStore, team: string): Promise<ListedRequest[]> {
  const found = await idsAndRequests(side, team);
  return found
    .reverse()
    .slice(0, testReceiverKeeps.requests)
    .map(({ id, value }) => ({ ...value, id: id.slice(prefixOf(team).length) }));
}

/** A request and what came with it. `content`: undefined when its person was erased since. */
export interface OpenedRequest extends ListedRequest {
  readonly content: ReceivedContent | undefined;
}

/** One request at the test receiver of a team. Undefined when it has none of this id any more. */
export async function openRequest(
  { side, personal }: Pick<DispatchContext, 'side' | 'personal'>,
  team: string,
  id: string,
): Promise<OpenedRequest | undefined> {
  const key = prefixOf(team) + id;
  const [request, stored] = await Promise.all([listOf(side).get(key), contentsOf(side).get(key)]);
  if (!request || !stored) return undefined;
  if ('content' in stored) return { ...request, id, content: stored.content };
  const [opened] = await personal.openMany([stored.sealed]);
  return { ...request, id, content: opened as ReceivedContent | undefined };
}
