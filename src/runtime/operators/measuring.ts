import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { signIns, type MeasuredSignIn } from '../../api/accounts/sign-in/measured.ts';
import { networkPauses } from '../../api/http/invalid-token-pauses.ts';
import { commands, type MeasuredCommand } from '../../commands/measured.ts';
import { attempts, type MeasuredAttempt } from '../../dispatch/measured.ts';
import { definitionOf } from '../../events/catalogue.ts';
import { Measurements } from '../../status/measurements.ts';
import type { RequestDurations } from '../../status/request-durations.ts';
import { limitRefusals, type MeasuredRefusal } from '../../stores/limits/port.ts';
import { modelNamed } from '../../projections/engine/read-model.ts';
import { rounds, type MeasuredRound } from '../../projections/engine/tail.ts';
import { StoreError, WrongExpectedRevision } from '../../stores/errors.ts';
import { appends, reconnects, type MeasuredAppend, type MeasuredReconnect } from '../../stores/measured.ts';
import { failures } from '../../ground/job-failures.ts';
import { spans, type MeasuredSpans } from '../../traces/measured.ts';

/** The measurements of this thread, while they are taken. */
export interface Measuring {
  readonly measurements: Measurements;
  readonly stop: () => void;
}

/** Measures what this thread does: listens to the channels on which its parts publish it. */
export function startMeasuring(thread: string, requests?: RequestDurations): Measuring {
  const measurements = new Measurements(thread, requests);
  const listening: (() => void)[] = [];
  const on = (channel: { readonly name: string | symbol }, record: (message: never) => void) => {
    const listener = (message: unknown) => record(message as never);
    subscribe(channel.name, listener);
    listening.push(() => void unsubscribe(channel.name, listener));
  };
  on(appends, (append: MeasuredAppend) => recordAppend(measurements, append));
  on(commands, ({ stream, outcome }: MeasuredCommand) => measurements.commands.inc({ stream, outcome }));
  on(rounds, ({ folded, seconds }: MeasuredRound) => {
    for (const [name, count] of folded) measurements.folded.inc({ projection: modelNamed(name) }, count);
    measurements.foldSeconds.observe(seconds);
  });
  on(attempts, (attempt: MeasuredAttempt) => recordAttempt(measurements, attempt));
  on(signIns, ({ method, outcome }: MeasuredSignIn) => measurements.signIns.inc({ method, outcome }));
  on(limitRefusals, ({ limit }: MeasuredRefusal) => measurements.throttled.inc({ limit }));
  on(networkPauses, () => measurements.networkPauses.inc());
  on(failures, ({ job }: { readonly job: string }) => measurements.jobFailures.inc({ background_job: job }));
  on(spans, ({ outcome, count }: MeasuredSpans) => measurements.spans.inc({ outcome }, count));
  on(reconnects, ({ store }: MeasuredReconnect) => measurements.reconnects.inc({ store }));
  return {
    measurements,
    stop: () => {
      for (const each of listening) each();
    },
  };
}

/** What is issued and revoked, by the events that say so. */
const issued: Readonly<Record<string, string>> = {
  AuthorizationCodeIssued: 'code',
  TokensIssued: 'first',
  TokensRefreshed: 'refreshed',
};
const revoked: Readonly<Record<string, string>> = {
  TokenRevoked: 'token',
  GrantRevoked: 'grant',
  ConsentRevoked: 'consent',
  ApiKeyRevoked: 'key',
};

function recordAppend(measurements: Measurements, { events, seconds, error }: MeasuredAppend): void {
  measurements.appendSeconds.observe(seconds);
  if (error !== undefined) {
    measurements.appendFailures.inc({ reason: reasonOf(error) });
    return;
  }
  measurements.appendSize.observe(events.length);
  for (const { type } of events) {
    measurements.appended.inc({ type: definitionOf(type) ? type : 'other' });
    if (issued[type] !== undefined) measurements.tokensIssued.inc({ kind: issued[type] });
    if (revoked[type] !== undefined) measurements.tokensRevoked.inc({ kind: revoked[type] });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof WrongExpectedRevision) return 'conflict';
  return error instanceof StoreError ? error.code : 'other';
}

function recordAttempt(measurements: Measurements, { sent, firstAfterSeconds }: MeasuredAttempt): void {
  const outcome = sent.kind === 'answered' ? `${Math.trunc(sent.status / 100)}xx` : sent.reason;
  measurements.attempts.inc({ outcome });
  measurements.attemptSeconds.observe(sent.durationMs / 1_000);
  if (firstAfterSeconds !== undefined) measurements.firstAttemptSeconds.observe(firstAfterSeconds);
}
