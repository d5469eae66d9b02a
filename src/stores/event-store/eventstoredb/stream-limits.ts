import type { StreamLimit } from '../port.ts';
import type { Entry } from './entry.ts';
import type { ServerFilter } from './namespace.ts';

const metadataType = '$metadata';
const deletedType = '$streamDeleted';
const metadataPrefix = '$$';
/** The value of `$tb` by which the server marks a stream that was deleted and may be written again. */
const softDeleted = Number.MAX_SAFE_INTEGER;

/**
 * What the server records when the metadata of a stream is set or a stream is deleted. It filters `$all` by these types:
 * one pass tells it for any number of streams, where reading each stream's `$$` stream would take a request for each.
 */
export const onLimits: ServerFilter = { on: 'type', regex: '^\\$(?:metadata|streamDeleted)$' };

export const isLimit = ({ type }: { readonly type: string }): boolean =>
  type === metadataType || type === deletedType;

/** The limits that are in force on each stream, by the server's name. The newest metadata of a stream replaces all before. */
export class StreamLimits {
  readonly #limits = new Map<string, readonly StreamLimit[]>();

  add({ stream, type, data }: Pick<Entry, 'stream' | 'type' | 'data'>): void {
    if (type === deletedType) {
      this.#limits.set(stream, [{ stream, kind: 'deleted' }]);
      return;
    }
    const of = stream.slice(metadataPrefix.length);
    // The metadata of a deleted stream may still change. It stays deleted.
    if (this.#limits.get(of)?.[0]?.kind === 'deleted' && !this.#isSoft(of)) return;
    const limits = limitsOf(of, data);
    if (limits.length > 0) this.#limits.set(of, limits);
    else this.#limits.delete(of);
  }

  all(): readonly StreamLimit[] {
    return [...this.#limits.values()].flat();
  }

  #isSoft(stream: string): boolean {
    return this.#limits.get(stream)?.[0]?.value !== undefined;
  }
}

function limitsOf(stream: string, data: unknown): StreamLimit[] {
  if (typeof data !== 'object' || data === null) return [];
  const fields = data as Readonly<Record<string, unknown>>;
  const number = (name: string): number | undefined => {
    const value = fields[name];
    return typeof value === 'number' && value > 0 ? value : undefined;
  };
  const before = number('$tb');
  if (before !== undefined && before >= softDeleted) return [{ stream, kind: 'deleted', value: before }];
  return [
    { stream, kind: 'maxAge' as const, value: number('$maxAge') },
    { stream, kind: 'maxCount' as const, value: number('$maxCount') },
    { stream, kind: 'truncateBefore' as const, value: before },
  ].flatMap(({ value, ...limit }) => (value === undefined ? [] : [{ ...limit, value }]));
}
