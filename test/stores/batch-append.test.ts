import { NotLeaderError, type EventStoreDBClient } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams, { type BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { BatchAppender } from '../../src/stores/event-store/eventstoredb/batch-append.ts';
import { failureOf } from '../../src/stores/event-store/eventstoredb/client-errors.ts';

/** One call for appends, of which the test is the server: what is answered late, or by a follower, it can say. */
class Call extends EventEmitter {
  readonly requests: BatchAppendReq[] = [];
  isEnded = false;

  write(request: BatchAppendReq): boolean {
    return this.requests.push(request) > 0;
  }

  end(): void {
    this.isEnded = true;
  }

  answer(request: BatchAppendReq | undefined, revision: number): void {
    const position = new shared.AllStreamPosition().setCommitPosition('70').setPreparePosition('70');
    const success = new streams.BatchAppendResp.Success().setCurrentRevision(String(revision));
    const correlation = request?.getCorrelationId();
    const answer = new streams.BatchAppendResp().setSuccess(success.setPosition(position));
    this.emit('data', answer.setCorrelationId(correlation));
  }
}

describe('the call that appends share', () => {
  const opened = () => {
    const calls: Call[] = [];
    const open = (_stubs: unknown, _name: string, creator: (stubs: unknown) => unknown) => async () => {
      const call = new Call();
      calls.push(call);
      return creator({ batchAppend: () => call });
    };
    const client = { GRPCStreamCreator: open, callArguments: () => [] } as unknown as EventStoreDBClient;
    const appender = new BatchAppender(() => client);
    const append = (withinMs = 60_000) =>
      appender.append(
        { stream: 'a-1', events: [{ id: randomUUID(), type: 'A', data: {}, metadata: {} }], expected: 'any' },
        withinMs,
      );
    return { calls, append };
  };
  const nextTick = () => new Promise((resolve) => setImmediate(resolve));

  it('answers each append, in whatever order the server does', async () => {
    const { calls, append } = opened();
    const both = Promise.all([append(), append()]);
    await nextTick();
    const [call] = calls;
    call?.answer(call.requests[1], 9);
    call?.answer(call.requests[0], 4);
    expect(await both).toEqual([
      { revision: 4, position: 70n },
      { revision: 9, position: 70n },
    ]);
    expect(calls).toHaveLength(1);
  });

  it('gives up one append for itself, passes over its late answer, and sends later ones by a new call', async () => {
    const { calls, append } = opened();
    const patient = append();
    await expect(append(1)).rejects.toThrow(/no answer/);
    const later = append();
    await nextTick();
    const [first, second] = calls;
    expect(first?.isEnded).toBe(false);
    first?.answer(first.requests[1], 5);
    first?.answer(first.requests[0], 4);
    second?.answer(second.requests[0], 6);
    expect((await patient).revision).toBe(4);
    expect((await later).revision).toBe(6);
    expect(first?.isEnded).toBe(true);
  });

  it('says that every outcome is unknown when it breaks, also where a follower ended it', async () => {
    const { calls, append } = opened();
    const both = Promise.allSettled([append(), append()]);
    await nextTick();
    type ServiceError = ConstructorParameters<typeof NotLeaderError>[0];
    const metadata = {
      getMap: () => ({
        exception: 'not-leader',
        'leader-endpoint-host': 'b',
        'leader-endpoint-port': '2113',
      }),
    };
    const error = Object.assign(new Error('not leader'), { code: 5, details: '', metadata });
    calls[0]?.emit('error', new NotLeaderError(error as unknown as ServiceError));
    for (const each of await both) {
      const failure = each.status === 'rejected' ? failureOf(each.reason) : undefined;
      expect(failure).toMatchObject({ kind: 'away', arrived: true });
    }
  });
});
