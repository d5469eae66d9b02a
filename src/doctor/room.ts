const gigabyte = 1024 ** 3;
/** Below this much room, in bytes and as a part of the device, it is time to act. */
const scarceBytes = 2 * gigabyte;
export const scarcePart = 0.1;

/** The room on a device, in bytes. */
export interface Room {
  readonly free: number;
  readonly size: number;
}

/** A sentence when there is too little. `what`: whose device it is. */
export function scarceRoom(what: string, { free, size }: Room): string | undefined {
  if (free >= scarceBytes || free / size >= scarcePart) return undefined;
  return `${what} has ${bytesInWords(free)} free (${Math.round((100 * free) / size)} %). Make room, or move it to a larger device.`;
}

export const bytesInWords = (bytes: number): string =>
  bytes >= gigabyte ? `${(bytes / gigabyte).toFixed(1)} GB` : `${Math.ceil(bytes / 1024 ** 2)} MB`;
