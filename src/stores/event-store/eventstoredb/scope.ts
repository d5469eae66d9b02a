import { createHash } from 'node:crypto';
import type { EventFilter } from '../port.ts';

/** What the server can filter by: one of the two, by prefixes or by a regular expression of .NET. */
export type ServerFilter =
  | { readonly on: 'type'; readonly regex: string }
  | { readonly on: 'stream'; readonly prefixes: readonly string[] }
  | { readonly on: 'stream'; readonly regex: string };

/** Where the log keeps what is said about its entries. */
export interface Labelled {
  /** As the server names it. */
  readonly stream: string;
  readonly type: string;
}

/** Begins the names of the streams in which consumer groups keep what they have set aside. */
const parkedPrefix = 'parked.';

/** Asks a group for an event that it had set aside; stands in the group's parked stream. */
export const replayType = 'ParkedEventReplayed';

const everythingButSystemStreams = '^[^$]';

/**
 * Which part of a server's log is ours: all of it but system streams, or, with a namespace, the streams whose
 * names begin with it. What this adapter writes for itself is nobody's to see.
 */
export class Scope {
  readonly #prefix: string;

  constructor(namespace: string | undefined) {
    this.#prefix = namespace === undefined || namespace === '' ? '' : `${namespace}.`;
  }

  /** The server's name for a stream, or for a consumer group. */
  outer(name: string): string {
    return this.#prefix + name;
  }

  /** Our name for one of the server's streams. */
  inner(stream: string): string {
    return stream.slice(this.#prefix.length);
  }

  parkedStream(group: string): string {
    return this.outer(parkedPrefix + group);
  }

  /** Whether an entry of the log is ours to see, and let through by a filter. */
  allows(filter: EventFilter | undefined): (entry: Labelled) => boolean {
    const types = filter && 'types' in filter ? new Set(filter.types) : undefined;
    const prefixes = filter && 'streamPrefixes' in filter ? filter.streamPrefixes : undefined;
    return ({ stream, type }) => {
      if (stream.startsWith('$') || !stream.startsWith(this.#prefix)) return false;
      if (types && !types.has(type)) return false;
      const name = this.inner(stream);
      if (name.startsWith(parkedPrefix)) return false;
      return !prefixes || prefixes.some((prefix) => name.startsWith(prefix));
    };
  }

  /** Whether it may be little of the log that is let through. */
  narrows(filter: EventFilter | undefined): boolean {
    return filter !== undefined || this.#prefix !== '';
  }

  /** Lets through at least what `lets` does: with a namespace, types are left to us. */
  onServer(filter: EventFilter | undefined): ServerFilter {
    return this.#onServer(filter, []);
  }

  /** The same for a consumer group, which also hears what it is asked to replay. */
  forGroup(group: string, filter: EventFilter): ServerFilter {
    if ('types' in filter && this.#prefix === '') {
      return this.#onServer({ types: [...filter.types, replayType] }, []);
    }
    return this.#onServer(filter, [this.parkedStream(group)]);
  }

  /**
   * The same for who reads all that a group is fed. Types are the server's to choose, under a namespace as well: of
   * ours a group wants few, and of others' there are few of these types.
   */
  forFollower(group: string, filter: EventFilter): ServerFilter {
    return 'types' in filter ? onTypes([...filter.types, replayType]) : this.forGroup(group, filter);
  }

  /** A group cannot change its filter, so its name on the server tells one filter from another. */
  groupName(group: string, filter: EventFilter): string {
    const [kind, values] = 'types' in filter ? ['types', filter.types] : ['streams', filter.streamPrefixes];
    const hash = createHash('sha256').update(JSON.stringify([kind, [...values].sort()]));
    return `${this.outer(group)}-${hash.digest('hex').slice(0, 8)}`;
  }

  /** Whether a group of the server is this one of ours, whatever its filter. */
  isGroup(serverName: string, group: string): boolean {
    const prefix = `${this.outer(group)}-`;
    return serverName.startsWith(prefix) && /^[0-9a-f]{8}$/.test(serverName.slice(prefix.length));
  }

  #onServer(filter: EventFilter | undefined, more: readonly string[]): ServerFilter {
    if (filter && 'streamPrefixes' in filter) {
      const prefixes = [...filter.streamPrefixes.map((prefix) => this.outer(prefix)), ...more];
      return prefixes.length > 0 ? { on: 'stream', prefixes } : nothing;
    }
    if (this.#prefix !== '') return { on: 'stream', prefixes: [this.#prefix] };
    if (!filter) return { on: 'stream', regex: everythingButSystemStreams };
    return onTypes(filter.types);
  }
}

const onTypes = (types: readonly string[]): ServerFilter =>
  types.length === 0 ? nothing : { on: 'type', regex: `^(?:${types.map(literally).join('|')})$` };

const nothing: ServerFilter = { on: 'type', regex: '(?!)' };

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
