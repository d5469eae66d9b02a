import { MessageChannel, Worker, type MessagePort } from 'node:worker_threads';
import { StoreError, WrongExpectedRevision, type StoreErrorCode } from '../../errors.ts';
import type { Appended } from '../port.ts';
import type { AppendRequest } from './writer.ts';

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

/** The channel on which a process's threads tell one another that events were appended. */
export const wakeChannel = (path: string): string => `commonweal-events:${path}`;

interface Pending {
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: Error) => void;
}

/** Hands appends to the process's writer thread; those of one turn of the event loop travel together. */
export class WriterClient {
  readonly #port: MessagePort | Worker;
  readonly #owned: Worker | undefined;
  readonly #pending = new Map<number, Pending>();
  #outgoing: { call: number; request: AppendRequest }[] = [];
  #calls = 0;
  #gone: Error | undefined;

  /** Starts the writer thread of this process. */
  static start(path: string): WriterClient {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData: { path } });
    return new WriterClient(worker, worker);
  }

  /** Uses a writer thread that another thread of this process has started. */
  static attached(port: MessagePort): WriterClient {
    return new WriterClient(port, undefined);
  }

  private constructor(port: MessagePort | Worker, owned: Worker | undefined) {
    this.#port = port;
    this.#owned = owned;
    port.on('message', (replies: readonly WriterReply[]) => replies.forEach((each) => this.#settle(each)));
    owned?.on('error', (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    owned?.on('exit', () => this.#fail(new Error('the writer thread has ended')));
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
      if (this.#pending.size === 1) this.#port.ref();
      this.#outgoing.push({ call, request });
      if (this.#outgoing.length === 1) queueMicrotask(() => this.#send());
    });
  }

  /** A port through which another thread of this process can append. */
  share(): MessagePort {
    const { port1, port2 } = new MessageChannel();
    this.#port.postMessage({ kind: 'attach', port: port1 } satisfies WriterMessage, [port1]);
    return port2;
  }

  async close(): Promise<void> {
    if (!this.#owned) {
      (this.#port as MessagePort).close();
      return;
    }
    if (this.#gone) return;
    const ended = new Promise((resolve) => this.#owned?.once('exit', resolve));
    this.#port.ref();
    this.#port.postMessage({ kind: 'close' } satisfies WriterMessage);
    await ended;
  }

  #send(): void {
    const calls = this.#outgoing;
    this.#outgoing = [];
    this.#port.postMessage({ kind: 'append', calls } satisfies WriterMessage);
  }

  #settle(reply: WriterReply): void {
    const pending = this.#pending.get(reply.call);
    this.#pending.delete(reply.call);
    if (this.#pending.size === 0) this.#port.unref();
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

  #fail(error: Error): void {
    this.#gone ??= error;
    for (const pending of this.#pending.values()) {
      pending.reject(new StoreError('unavailable', error.message, { cause: error, outcome: 'unknown' }));
    }
    this.#pending.clear();
  }
}
