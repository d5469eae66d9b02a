import { createHash, createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { receiver, type Received, type Receiver } from '../../dispatch/receivers.ts';
import type { Chance } from '../seeded-random.ts';

/** What the receiver has seen of one delivery, and what it has said. */
export interface Seen {
  /** The SHA-256 of each body, in hex. */
  readonly bodies: Set<string>;
  /** How many requests came, and which statuses were sent. A reset or a silent answer has none. */
  requests: number;
  readonly statuses: number[];
  unsigned: number;
}

/** What the receiver does with a request, and how often. */
const moods: readonly { readonly share: number; readonly what: Mood }[] = [
  { share: 0.6, what: 'accept' },
  { share: 0.1, what: 'accept slowly' },
  { share: 0.12, what: 'refuse with 5xx' },
  { share: 0.1, what: 'refuse with 4xx' },
  { share: 0.07, what: 'reset' },
  { share: 0.01, what: 'say nothing' },
];
type Mood = 'accept' | 'accept slowly' | 'refuse with 5xx' | 'refuse with 4xx' | 'reset' | 'say nothing';

/** 410 is not among them: it pauses a subscription, which is another rule. */
const refusals = { '4xx': [400, 403, 404, 413, 422, 429], '5xx': [500, 502, 503, 504] };

export interface ChaosReceiver extends AsyncDisposable {
  /** The URL of one subscription, whose secret is added under the same number. */
  url(subscription: number): string;
  readonly secrets: string[];
  /** By delivery id. */
  readonly seen: ReadonlyMap<string, Seen>;
}

/** A receiver that answers anything at random, and remembers what it has seen and said. */
export async function chaosReceiver(chance: Chance): Promise<ChaosReceiver> {
  const seen = new Map<string, Seen>();
  const secrets: string[] = [];
  const to: Receiver = await receiver((response, request) => {
    const of = take(seen, request, secrets);
    void answer(response, of, chance).catch(() => undefined);
  });
  return {
    url: (subscription) => to.url.replace('/hook', `/${subscription}`),
    secrets,
    seen,
    [Symbol.asyncDispose]: () => to[Symbol.asyncDispose](),
  };
}

async function answer(response: ServerResponse, of: Seen, chance: Chance): Promise<void> {
  const say = (status: number) => {
    of.statuses.push(status);
    response.writeHead(status).end();
  };
  switch (moodOf(chance)) {
    case 'accept':
      say(chance.happens(0.5) ? 200 : 204);
      return;
    case 'accept slowly':
      await sleep(chance.between(20, 1_500));
      say(202);
      return;
    case 'refuse with 4xx':
      say(oneOf(refusals['4xx'], chance));
      return;
    case 'refuse with 5xx':
      say(oneOf(refusals['5xx'], chance));
      return;
    case 'reset':
      response.destroy();
      return;
    case 'say nothing':
      // The attempt ends by its own limit of time.
      return;
  }
}

function moodOf(chance: Chance): Mood {
  let left = chance.number();
  for (const { share, what } of moods) {
    left -= share;
    if (left < 0) return what;
  }
  return 'accept';
}

const oneOf = (values: readonly number[], chance: Chance): number =>
  values[chance.count(0, values.length - 1)] ?? 500;

function take(seen: Map<string, Seen>, { headers, body, path }: Received, secrets: readonly string[]): Seen {
  const id = String(headers['x-service-delivery']);
  const of = seen.get(id) ?? { bodies: new Set(), requests: 0, statuses: [], unsigned: 0 };
  seen.set(id, of);
  of.requests += 1;
  of.bodies.add(createHash('sha256').update(body).digest('hex'));
  const secret = secrets[Number(path?.slice(1))] ?? '';
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  if (headers['x-service-signature'] !== signature) of.unsigned += 1;
  return of;
}
