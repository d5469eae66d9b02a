/** What one network did that searched for a need on one day. */
export const did = {
  searched: 1,
  found: 2,
  opened: 4,
  /** Searched on a page whose links say from which search a record is opened. */
  onPage: 8,
} as const;

/** By the hash of a network (see `DayKey.hashOf`): what it did, as a sum of `did`. */
export type Networks = ReadonlyMap<number, number>;

const entryBytes = 3;

/** The text in which a row is stored, before it is sealed: the need, and three bytes for each network. */
export function textOfRow(need: string, networks: Networks): string {
  const bytes = Buffer.alloc(networks.size * entryBytes);
  let at = 0;
  for (const [hash, done] of networks) {
    bytes.writeUInt16BE(hash, at);
    bytes.writeUInt8(done, at + 2);
    at += entryBytes;
  }
  return `${need}\n${bytes.toString('base64')}`;
}

/** In the place of networks: how many searches were left out. */
export const textOfLeftOut = (count: number): string => `\n${count}`;

export function rowOfText(
  text: string,
): { readonly need: string; readonly networks: Networks } | { readonly leftOut: number } {
  const [need = '', rest = ''] = text.split('\n');
  if (need === '') return { leftOut: Number(rest) };
  const bytes = Buffer.from(rest, 'base64');
  const networks = new Map<number, number>();
  for (let at = 0; at + entryBytes <= bytes.length; at += entryBytes)
    networks.set(bytes.readUInt16BE(at), bytes.readUInt8(at + 2));
  return { need, networks };
}
