import type { ServerProcess } from './process.ts';

/** How far apart decisions are. */
const everyMs = 100;

type Action = 'approve' | 'deactivate' | 'reactivate';
const nextAction = { approve: 'deactivate', deactivate: 'reactivate', reactivate: 'deactivate' } as const;

/**
 * Changes what the public sees, ten times a second, while something is measured: approves what waits. A slow server is
 * measured for longer than that lasts: then what was approved is taken out of the directory and put back, which changes as
 * much.
 */
export class Approvals {
  readonly #server: ServerProcess;
  readonly #key: string;
  readonly #queue: { readonly svcId: string; readonly action: Action }[];

  /** `key`: of those who manage the directory; `waiting`: what was submitted to it, by svc_id. */
  constructor(server: ServerProcess, key: string, waiting: readonly string[]) {
    this.#server = server;
    this.#key = key;
    if (waiting.length === 0) throw new RangeError('Nothing waits that could be decided.');
    this.#queue = waiting.map((svcId) => ({ svcId, action: 'approve' }));
  }

  /** Decides beside that, and returns what it returns. @throws Error, when a decision failed */
  async beside<Result>(measured: () => Promise<Result>): Promise<Result> {
    const under = new Set<Promise<void>>();
    const failures: unknown[] = [];
    const timer = setInterval(() => {
      const one = this.#decideNext().catch((error: unknown) => void failures.push(error));
      under.add(one);
      void one.then(() => under.delete(one));
    }, everyMs);
    const result = await measured().finally(() => clearInterval(timer));
    await Promise.all(under);
    if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be decided on.');
    return result;
  }

  async #decideNext(): Promise<void> {
    const next = this.#queue.shift();
    // A busy server answers later than the next decision is due: whatever was submitted is being decided on.
    if (next === undefined) return;
    const { svcId, action } = next;
    const response = await fetch(`${this.#server.origin}/dash/api/v1/resources/${svcId}/${action}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#key}` },
    });
    const answer = await response.text();
    // 503: it is decided, and the read models are behind.
    if (!response.ok && response.status !== 503)
      throw new Error(`${action} was answered ${response.status}: ${answer}`);
    this.#queue.push({ svcId, action: nextAction[action] });
  }
}
