import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { StoreError, WrongExpectedRevision, type StoreErrorCode } from '../../errors.ts';
import { endThread, smallYoungGeneration } from '../../thread-memory.ts';
import type { Appended } from '../port.ts';
import type { AppendRequest } from './writer.ts';
import { messageOf } from '../../../ground/store-error.ts';

export type WriterMessage =
  | {
      readonly kind: 'append';
      readonly calls: readonly { readonly call: number; readonly request: AppendRequest }[];
    }
  | { readonly kind: 'attach'; readonly port: MessagePort }
  | { readonly kind: 'close' };

export type WriterReply =
  | { readonly call: number; readonly revision: number; readonly position: number }
  | {
      readonly call: number;
      readonly conflict: {
        readonly stream: string;
        readonly expected: number | 'no_stream';
        readonly actual: number;
      };
    }
  | {
      readonly call: number;
      readonly error: {
        readonly code: StoreErrorCode;
        readonly message: string;
        readonly outcome: 'none' | 'unknown';
      };
    };

/** Longer than any wait for a lock. A writer that is silent for so long is lost. */
const answerWithinMs = 60_000;
/** Counted in steps, so that a process that was suspended does not mistake the pause for silence. */
const lookMs = 5_000;
/** How long a closing writer may take to write its pending appends. */
const endWithinMs = 20_000;

interface Pending {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Sends appends to the process's writer thread, those of one turn of the event loop in one message. When the thread
 * has died or does not answer, pending appends fail with outcome unknown and new ones are refused.
 */
export class WriterClient {
  readonly #port: MessagePort | Worker;
  readonly #owned: Worker | undefined;
  readonly #pending = new Map<number, Pending>();
  #outgoing: { call: number; request: AppendRequest }[] = [];
  readonly #onLost: (why: Error) => void;
  #calls = 0;
  #watch: NodeJS.Timeout | undefined;
  #silentMs = 0;
  #gone: Error | undefined;
  #closing = false;

  /** Starts the writer thread of this process. `onLost` is called when it can take no more appends. */
  static start(path: string, onLost: (why: Error) => void): WriterClient {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      name: 'writer',
      workerData: { path },
      resourceLimits: smallYoungGeneration,
    });
    return new WriterClient(worker, worker, onLost);
  }

  /** Uses a writer thread that another thread of this process has started. */
  static attached(port: MessagePort, onLost: (why: Error) => void): WriterClient {
    return new WriterClient(port, undefined, onLost);
  }

  private constructor(port: MessagePort | Worker, owned: Worker | undefined, onLost: (why: Error) => void) {
    this.#port = port;
    this.#owned = owned;
    this.#onLost = onLost;
    port.on('message', (replies: readonly WriterReply[]) => replies.forEach((each) => this.#settle(each)));
    owned?.on('error', (error) => this.#fail(`the writer thread has died: ${messageOf(error)}`, error));
    owned?.on('exit', () => this.#fail('the writer thread has ended'));
    // A port closes when the thread at its other end ends.
    if (!owned) port.on('close', () => this.#fail('the writer thread has ended'));
    port.unref();
  }

  append(request: AppendRequest): Promise<Appended> {
    return new Promise((resolve, reject) => {
      if (this.#gone) {
        reject(new StoreError('unavailable', `Nothing can be appended: ${this.#gone.message}`));
        return;
      }
      const call = ++this.#calls;
      this.#pending.set(call, { resolve, reject });
      if (this.#pending.size === 1) {
        this.#port.ref();
        this.#watchForAnswers();
      }
      this.#outgoing.push({ call, request });
      // A message for each callback was ten times as many, with twice as many commits and a tenth more CPU of a webhook.
      if (this.#outgoing.length === 1) setImmediate(() => this.#send());
    });
  }

  /** A port through which another thread of this process can append. @throws StoreError unavailable */
  share(): MessagePort {
    if (this.#gone) throw new StoreError('unavailable', `Nothing can be appended: ${this.#gone.message}`);
    const { port1, port2 } = new MessageChannel();
    this.#port.postMessage({ kind: 'attach', port: port1 } satisfies WriterMessage, [port1]);
    return port2;
  }

  async close(): Promise<void> {
    this.#send();
    this.#closing = true;
    const worker = this.#owned;
    if (!worker) {
      (this.#port as MessagePort).close();
      return;
    }
    if (this.#gone) {
      await worker.terminate();
      return;
    }
    await endThread(worker, { kind: 'close' } satisfies WriterMessage, endWithinMs);
  }

  #send(): void {
    const calls = this.#outgoing;
    if (calls.length === 0) return;
    this.#outgoing = [];
    this.#port.postMessage({ kind: 'append', calls } satisfies WriterMessage);
  }

  #settle(reply: WriterReply): void {
    const pending = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    this.#silentMs = 0;
    if (this.#pending.size === 0) {
      clearInterval(this.#watch);
      this.#port.unref();
    }
    if ('position' in reply) {
      pending?.resolve({ revision: reply.revision, position: BigInt(reply.position) });
    } else if ('conflict' in reply) {
      const { stream, expected, actual } = reply.conflict;
      pending?.reject(new WrongExpectedRevision(stream, expected, actual));
    } else {
      const { code, message, outcome } = reply.error;
      pending?.reject(new StoreError(code, message, { outcome }));
    }
  }

  #watchForAnswers(): void {
    this.#silentMs = 0;
    this.#watch = setInterval(() => {
      this.#silentMs += lookMs;
      if (this.#silentMs >= answerWithinMs)
        this.#fail(`the writer thread has not answered for ${answerWithinMs / 1_000} s`);
    }, lookMs);
  }

  #fail(why: string, cause?: unknown): void {
    if (this.#gone) return;
    clearInterval(this.#watch);
    this.#gone = new Error(why, { cause });
    for (const pending of this.#pending.values()) {
      pending.reject(new StoreError('unavailable', why, { cause, outcome: 'unknown' }));
    }
    this.#pending.clear();
    if (!this.#closing) this.#onLost(this.#gone);
  }
}
