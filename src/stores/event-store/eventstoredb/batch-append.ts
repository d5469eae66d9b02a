import { convertToCommandError, NotLeaderError, type EventStoreDBClient } from '@eventstore/db-client';
import { unpackToCommandError } from '@eventstore/db-client/dist/streams/appendToStream/unpackError.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { randomInt } from 'node:crypto';
import type { Position } from '../port.ts';
import { batchAppendRequests } from './append-messages.ts';
import { noPosition } from './entry.ts';
import { Unanswered, ignored } from './client-errors.ts';
import type { BatchAppend } from './append-messages.ts';

export interface Written {
  readonly revision: number;
  /** Sometimes missing in the answer to a repeated append. */
  readonly position: Position | undefined;
}

/** An append that waits for its answer. */
interface Waiting {
  readonly resolve: (written: Written) => void;
  readonly reject: (error: unknown) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Appends over one long call to the server (BatchAppend of its protocol), each with an answer and a deadline of its
 * own. A call for each append takes 3.6 times the CPU.
 *
 * The client library has such a call, too. It is not used: there one append that times out at the transport rejects
 * all others of the process, and a late answer for one of those throws where nobody can catch it.
 */
export class BatchAppender {
  readonly #client: () => EventStoreDBClient;
  #call: BatchAppendCall | undefined;

  /** `client` returns the client in use. A new one gets a new call. */
  constructor(client: () => EventStoreDBClient) {
    this.#client = client;
  }

  /**
   * @throws errors of the client library, and Unanswered. When the call breaks, the outcome of every append that
   * was sent over it and not answered is unknown.
   */
  append(append: BatchAppend, withinMs: number): Promise<Written> {
    const client = this.#client();
    if (!this.#call?.isGoodFor(client)) {
      this.#call?.retire();
      this.#call = new BatchAppendCall(client);
    }
    return this.#call.append(append, withinMs);
  }
}

type Duplex = ReturnType<InstanceType<typeof streamsService.StreamsClient>['batchAppend']>;

/** One call: appends go out in order, answers come back in any order. */
class BatchAppendCall {
  readonly #client: EventStoreDBClient;
  readonly #waiting = new Map<string, Waiting>();
  readonly #opening: Promise<Duplex>;
  #duplex: Duplex | undefined;
  readonly #number = String(randomInt(2 ** 47));
  #sent = 0;
  #state: 'good' | 'retired' | 'over' = 'good';

  constructor(client: EventStoreDBClient) {
    this.#client = client;
    this.#opening = this.#open();
    this.#opening.catch((error: unknown) => this.#end(error));
  }

  /** Whether new appends may go over this call. */
  isGoodFor(client: EventStoreDBClient): boolean {
    return this.#state === 'good' && this.#client === client;
  }

  append(append: BatchAppend, withinMs: number): Promise<Written> {
    this.#sent += 1;
    const id = String(this.#sent);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(id, withinMs), withinMs);
      this.#waiting.set(id, { resolve, reject, timer });
      if (this.#duplex) this.#send(this.#duplex, id, append);
      else this.#opening.then((duplex) => this.#send(duplex, id, append)).catch(ignored);
    });
  }

  /** Takes no new appends. Those under way keep the call until they are answered. */
  retire(): void {
    if (this.#state === 'good') this.#state = 'retired';
    // The server drops the answers of what is under way when its client ends the call.
    if (this.#state === 'retired' && this.#waiting.size === 0) this.#duplex?.end();
  }

  async #open(): Promise<Duplex> {
    const client = this.#client;
    // The library's way to open a stream on its channel. It follows the leader and reconnects.
    this.#duplex = await client['GRPCStreamCreator'](streamsService.StreamsClient, 'batchAppend', (stubs) =>
      stubs
        .batchAppend(...client['callArguments']({ requiresLeader: true }, { deadline: Infinity }))
        .on('data', (answer: BatchAppendResp) => this.#answered(answer))
        .on('error', (error: Error) => this.#end(convertToCommandError(error)))
        .on('end', () => this.#end(new Error('the server ended the call for appends'))),
    )();
    return this.#duplex;
  }

  #send(duplex: Duplex, id: string, append: BatchAppend): void {
    if (!this.#waiting.has(id)) return;
    try {
      const requests: Iterable<BatchAppendReq> = batchAppendRequests(
        { call: this.#number, append: id },
        append,
      );
      for (const request of requests) duplex.write(request);
    } catch (error) {
      this.#take(id)?.reject(error);
    }
  }

  #answered(answer: BatchAppendResp): void {
    const id = answer.getCorrelationId()?.getStructured()?.getLeastSignificantBits() ?? '';
    // Undefined when it was given up: its answer is late.
    const waiting = this.#take(id);
    const [success, error] = [answer.getSuccess(), answer.getError()];
    if (success) {
      const commit = success.getPosition()?.getCommitPosition();
      const position = commit === undefined ? noPosition : BigInt(commit);
      waiting?.resolve({
        revision: Number(success.getCurrentRevision()),
        position: position === noPosition ? undefined : position,
      });
    } else if (error?.hasDetails()) {
      const stream = Buffer.from(answer.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
      waiting?.reject(unpackToCommandError(error, stream));
    } else {
      waiting?.reject(new Error(error?.getMessage() ?? 'the server answered an append with nothing'));
    }
    if (this.#state === 'retired') this.retire();
  }

  /** No answer in time. The call may be stuck, so later appends get a new one. */
  #giveUp(id: string, ms: number): void {
    const wasSent = this.#duplex !== undefined;
    this.#take(id)?.reject(wasSent ? new Unanswered(ms) : new Error(`no connection: none within ${ms} ms`));
    this.retire();
  }

  #take(id: string): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    if (!waiting) return undefined;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    return waiting;
  }

  /** The call is over. What became of unanswered appends is unknown, unless the error says that they never left. */
  #end(error: unknown): void {
    this.#state = 'over';
    // One append that met a follower ends the call. Others may have been written while the node was the leader.
    const reason = error instanceof NotLeaderError ? new Error('the leader has changed') : error;
    for (const id of [...this.#waiting.keys()]) this.#take(id)?.reject(reason);
  }
}
