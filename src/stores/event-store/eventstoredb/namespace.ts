import { createHash } from 'node:crypto';
import type { EventFilter } from '../port.ts';

/** What the server can filter by: type or stream, by prefixes or by a .NET regular expression. */
export type ServerFilter =
  | { readonly on: 'type'; readonly regex: string }
  | { readonly on: 'stream'; readonly prefixes: readonly string[] }
  | { readonly on: 'stream'; readonly regex: string };

/** The parts of an entry that filters look at. */
export interface Labelled {
  /** As the server names it. */
  readonly stream: string;
  readonly type: string;
}

/** The prefix of the streams of parked events. */
const parkedPrefix = 'parked.';

/** Requests the replay of a parked event. Appended to the group's parked stream. */
export const replayType = 'ParkedEventReplayed';

const everythingButSystemStreams = '^[^$]';

/**
 * Which part of a server's log is ours: all streams but system streams, or, with a namespace, those with its
 * prefix. Streams that this adapter writes for itself are hidden.
 */
export class Namespace {
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

  /** Whether an entry is ours and matches a filter. */
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

  /** Those of `all` that are on our streams, or on all streams (`$all`), by our names of them. */
  ofStreams<Limit extends { readonly stream: string }>(all: readonly Limit[]): Limit[] {
    return all
      .filter(({ stream }) => stream === '$all' || this.allows(undefined)({ stream, type: '' }))
      .map((limit) => (limit.stream === '$all' ? limit : { ...limit, stream: this.inner(limit.stream) }));
  }

  /** Whether only a small part of the log may match. */
  narrows(filter: EventFilter | undefined): boolean {
    return filter !== undefined || this.#prefix !== '';
  }

  /** Matches at least what `allows` does. With a namespace, types are filtered on our side. */
  onServer(filter: EventFilter | undefined): ServerFilter {
    return this.#onServer(filter, []);
  }

  /** The same for a consumer group, including replay requests. */
  forGroup(group: string, filter: EventFilter): ServerFilter {
    if ('types' in filter && this.#prefix === '') {
      return this.#onServer({ types: [...filter.types, replayType] }, []);
    }
    return this.#onServer(filter, [this.parkedStream(group)]);
  }

  /**
   * The same for the reconciler. The server filters by type, also with a namespace: a group wants few of our
   * events, and others have few of these types.
   */
  forFollower(group: string, filter: EventFilter): ServerFilter {
    return 'types' in filter ? onTypes([...filter.types, replayType]) : this.forGroup(group, filter);
  }

  /** The filter of a server's group cannot be changed, so its name contains a hash of the filter. */
  groupName(group: string, filter: EventFilter): string {
    const [kind, values] = 'types' in filter ? ['types', filter.types] : ['streams', filter.streamPrefixes];
    const hash = createHash('sha256').update(JSON.stringify([kind, [...values].sort()]));
    return `${this.outer(group)}-${hash.digest('hex').slice(0, 8)}`;
  }

  /** Whether a group on the server is this group, with any filter. */
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
