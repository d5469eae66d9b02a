import { Socket } from 'node:net';

/**
 * Looks once for all requests of one turn of the event loop. The stamp of a read model costs system calls:
 * measured at 8 µs, with two for each request a list cost 57 µs instead of 45 (bare Fastify: 27).
 *
 * Nobody is told anything old. What an answer rests on must have been true when its request had arrived, and
 * what is worked off in a turn had arrived when the turn began, before the look. The exception is a connection
 * that sends on without waiting for an answer, so its second request in a turn looks anew; and so does every
 * request that came over no socket at all, which no turn has fetched.
 */
export class BatchPerTick<Value> {
  readonly #look: () => Promise<Value>;
  readonly #askers = new Set<object>();
  #seen: Promise<Value> | undefined;

  constructor(look: () => Promise<Value>) {
    this.#look = look;
  }

  /** What there is to be seen by a request that came over `connection`. */
  for(connection: object): Promise<Value> {
    if (!(connection instanceof Socket)) return this.#look();
    if (this.#seen === undefined) setImmediate(this.#forget);
    if (this.#seen === undefined || this.#askers.has(connection)) this.#seen = this.#look();
    this.#askers.add(connection);
    return this.#seen;
  }

  readonly #forget = () => {
    this.#seen = undefined;
    this.#askers.clear();
  };
}
