export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The range that a Range header asks for (RFC 9110 section 14.2). Undefined for everything: no header, several ranges, or
 * one that is malformed, all of which a server may ignore.
 */
export function byteRange(
  header: string | undefined,
  bytes: number,
): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? 'unsatisfiable' : { first: bytes - length, last: bytes - 1 };
  }
  const first = Number(from);
  const last = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  if (to !== '' && Number(to) < first) return undefined;
  return first >= bytes ? 'unsatisfiable' : { first, last };
}
