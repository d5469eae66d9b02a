import { counted } from '../ground/counted.ts';
import { isOurStream } from '../events/belongs-to-installation.ts';
import { StoreError } from '../stores/errors.ts';
import type { EventStore, StreamLimit } from '../stores/event-store/port.ts';
import type { Findings } from './finding.ts';

const check = 'limits of streams';
/** How many streams are named. Of one operation on a server, the others are as many again. */
const mostNamed = 20;

const kinds = {
  maxAge: (value) => `drops its events after ${value} s ($maxAge)`,
  maxCount: (value) => `keeps only its last ${counted(value, 'event')} ($maxCount)`,
  truncateBefore: (value) => `has dropped its events before revision ${value} ($tb)`,
  deleted: () => 'was deleted',
} satisfies Record<StreamLimit['kind'], (value: number) => string>;

const remedy = {
  limit: 'Remove the limit from its metadata before the next scavenge, which destroys what it covers.',
  deleted:
    'Run `commonweal verify`, which names what is missing, and restore a backup: docs/backup.md, "Restore".',
};

/** Nothing that was recorded may be dropped. A server does so when it is told to, by hand or by another product. */
export async function checkStreamLimits(
  { store, wholeLog }: { readonly store: EventStore; readonly wholeLog: EventStore },
  findings: Findings,
): Promise<void> {
  let named = 0;
  const limits = await store.streamLimits();
  for (const [at, { stream, kind, value = 0 }] of limits.entries()) {
    if (stream !== '$all' && !(isOurStream(stream) && (await mayBeOurs(stream, store, wholeLog)))) continue;
    if (named === mostNamed) {
      findings.problem(
        check,
        `${counted(limits.length - at, 'more stream may have limits, or was', 'more streams may have limits, or were')} deleted. These are the first.`,
      );
      return;
    }
    named += 1;
    findings.problem(
      check,
      `The server ${stream === '$all' ? 'has a limit on all streams ($all) and' : `has a stream ${stream} that`} ${kinds[kind](value)}. ${remedy[kind === 'deleted' || kind === 'truncateBefore' ? 'deleted' : 'limit']}`,
    );
  }
}

/** Whether a stream is ours, by its newest event. One that can no longer be read may be. */
async function mayBeOurs(stream: string, store: EventStore, wholeLog: EventStore): Promise<boolean> {
  const newest = { direction: 'backwards', limit: 1 } as const;
  try {
    const [event] = await wholeLog.readStream(stream, newest);
    return event === undefined || (await store.readStream(stream, newest)).length > 0;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'stream_deleted') return true;
    throw error;
  }
}
