import { createSocket } from 'node:dgram';
import { isIP } from 'node:net';

const types: Readonly<Record<number, string>> = { 1: 'A', 28: 'AAAA' };

/** A DNS server over UDP (RFC 1035, section 4) that knows the given records: `A host.example` → addresses. */
export async function nameServer(
  records: Readonly<Record<string, readonly string[]>>,
): Promise<AsyncDisposable & { readonly port: number }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, from) => socket.send(answer(query, records), from.port, from.address));
  const ready = Promise.withResolvers<undefined>();
  socket.bind(0, '127.0.0.1', () => ready.resolve(undefined));
  await ready.promise;
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: () => {
      const closed = Promise.withResolvers<undefined>();
      socket.close(() => closed.resolve(undefined));
      return closed.promise;
    },
  };
}

function answer(query: Buffer, records: Readonly<Record<string, readonly string[]>>): Buffer {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1);
  const name = labels.join('.').toLowerCase();
  const addresses = records[`${types[type] ?? ''} ${name}`] ?? [];
  const known = Object.keys(records).some((record) => record.endsWith(` ${name}`));

  const header = Buffer.alloc(12);
  header.writeUInt16BE(query.readUInt16BE(0), 0);
  header.writeUInt16BE(known ? 0x8180 : 0x8183, 2); // a response, recursion available; 3 is "no such name"
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  return Buffer.concat([
    header,
    query.subarray(12, at + 5),
    ...addresses.map((address) => record(type, address)),
  ]);
}

/** One resource record: a pointer to the name in the question, type, class IN, no time to live, the address. */
function record(type: number, address: string): Buffer {
  const bytes = isIP(address) === 4 ? Buffer.from(address.split('.').map(Number)) : bytesOf6(address);
  const fixed = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length]);
  return Buffer.concat([fixed, bytes]);
}

function bytesOf6(address: string): Buffer {
  const [head = [], tail = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
