/** Looks at something that changes outside of this thread. */
type Look<Value> = () => Promise<Value>;

/**
 * Looks once for all requests of one turn of the event loop: the stamp of a read model costs a system call or
 * two, a third of what a whole request costs otherwise.
 *
 * Nobody is told anything old. What a request's answer may rest on is what was true when the request had
 * arrived, and everything that arrives while a turn is worked off was already waiting when it began, with one
 * exception: more requests of a connection that had one waiting. So a second request of a connection in one
 * turn looks anew.
 */
export class OncePerTurn<Value> {
  readonly #look: Look<Value>;
  readonly #forget = () => {
    this.#seen = undefined;
    this.#askers.clear();
  };
  readonly #askers = new Set<object>();
  #seen: Promise<Value> | undefined;

  constructor(look: Look<Value>) {
    this.#look = look;
  }

  /** What there is to be seen by a request that came over `connection`. */
  for(connection: object): Promise<Value> {
    if (this.#seen === undefined) setImmediate(this.#forget);
    else if (!this.#askers.has(connection)) {
      this.#askers.add(connection);
      return this.#seen;
    }
    this.#askers.add(connection);
    this.#seen = this.#look();
    return this.#seen;
  }
}
