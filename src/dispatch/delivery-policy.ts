/**
 * The policy of webhook deliveries: every table, delay and limit that is a decision, each with its reason.
 * The parts of the dispatcher read them from here.
 */
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Jitter: each delay varies by up to a fifth, so that attempts that failed together are not retried together. */
export const jitter = 0.2;

/** How much a Retry-After can extend a delay. Bounded, because the schedule is documented to subscribers. */
export const retryAfterStretch = 2;

/**
 * The limit for a whole attempt, from the DNS lookup to the last byte of the response. A receiver should store the
 * event and answer; what takes longer belongs behind its own queue.
 */
export const attemptTimeoutMs = 10 * second;

/** For name, TCP and TLS. A receiver that is reachable at all connects within this from anywhere. */
export const connectTimeoutMs = 3 * second;

/** How much of a response is kept: enough for a stack trace, too little to use us as a store. */
export const keptResponseBytes = 16_384;

/** How long the request and response of an attempt are kept. They can hold anything, so they are not in the log. */
export const attemptsKeptMs = 30 * day;

/** The most concurrent attempts of one subscription: enough for a fast receiver without flooding a slow one. */
export const laneConcurrency = 10;

/**
 * The most attempts under way in one dispatcher, when WEBHOOK_CONCURRENCY does not say otherwise. One team has at most
 * half of them: 100 keep a dispatcher's core busy, and what another team sends then waits behind no more than these.
 */
export const attemptsUnderWay = 200;

/**
 * The most of them that do not wait for their receivers: they keep the dispatcher's core and the disk busy, and more only
 * wait for each other.
 */
export const attemptsAtWork = 50;

/**
 * Slow start: the concurrency after a receiver was overloaded, or when a subscription becomes active again. Each
 * success multiplies it, up to `laneConcurrency`, so that a recovered receiver does not get its backlog at once.
 */
export const slowStart = { concurrency: 1, growth: 2 } as const;

/**
 * When a subscription is paused automatically: every attempt has failed for `afterMs`, in at least `deliveries`
 * deliveries.
 */
export interface PauseRule {
  readonly afterMs: number;
  readonly deliveries: number;
}

/** A day rides out an outage that somebody is repairing. Ten deliveries: one poisonous event alone pauses nothing. */
export const pauseRule: PauseRule = { afterMs: 1 * day, deliveries: 10 };

/** HTTP 410 pauses a subscription at once: the URL is gone for good (RFC 9110, section 15.5.11). */
export const goneStatus = 410;

/** The reason that is shown after a 410. */
export const goneReason = 'The receiver answered 410 Gone.';

/**
 * How long a delivery waits while its subscription is paused, when WEBHOOK_HELD_DAYS does not say otherwise. A month
 * covers a holiday of the one person who could resume it; later, the news is old and a replay is the better way.
 */
export const heldMs = 30 * day;

/** Until when after a pause its admins are told of it: what is older is no news, as after an upgrade or an outage. */
export const pauseNoticeMs = 7 * day;

/**
 * The job that ends what was held for too long: how often it looks, how many deliveries it ends in a round, and how
 * long it rests when there were more, so that a million of them do not crowd out other appends.
 */
export const expiryRound = { everyMs: 10 * minute, deliveries: 1_000, pauseMs: 1 * second } as const;

/** An event that cannot be fanned out, or a delivery that cannot be attempted, for our own reasons is parked after this many tries. */
export const triesUntilParked = 10;

/**
 * The delay before an attempt is repeated that failed for our own reasons (a store is down, a bug). It doubles, so
 * that repeats do not overload a recovering store.
 */
export const ownFaultRetry = { firstMs: 5 * second, longestMs: 1 * minute } as const;

/**
 * The most deliveries of one replay, unless the person who asks says another number: a wrong position should not send
 * years of events. It tells where to continue.
 */
export const replayedAtMost = 10_000;

/**
 * What the test receiver keeps: of each team the newest `requests`, a day long, and of each body the first `bytes`. Enough
 * to look at an afternoon of tests; what arrives beyond it replaces the oldest, so a flood of it takes no more room.
 */
export const testReceiverKeeps = { requests: 100, bytes: 65_536, forMs: 1 * day } as const;

/** The most subscriptions of one team: an event is sent once to each. */
export const subscriptionsPerTeam = 1_000;

/** How long a confirmation waits for the outcome of its test delivery: one attempt, and the way there and back. */
export const confirmationWaitMs = attemptTimeoutMs + 20 * second;
