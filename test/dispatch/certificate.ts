import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A certificate and its key, in PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A self-signed certificate for one host name, good for the day (X.509 v3, RFC 5280, section 4.1). */
export function selfSigned(host: string, now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(set(sequence(oid(85, 4, 3), element(0x0c, Buffer.from(host)))));
  const subjectAltName = sequence(element(0x82, Buffer.from(host)));
  const tbs = sequence(
    element(0xa0, element(0x02, Buffer.of(2))),
    element(0x02, Buffer.concat([Buffer.of(1), randomBytes(8)])),
    ecdsaWithSha256,
    name,
    sequence(time(now, -86_400_000), time(now, 86_400_000)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(sequence(oid(85, 29, 17), element(0x04, subjectAltName)))),
  );
  const signature = sign('sha256', tbs, { key: privateKey, dsaEncoding: 'der' });
  const der = sequence(tbs, ecdsaWithSha256, element(0x03, Buffer.concat([Buffer.of(0), signature])));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

/** One DER element: tag, length, content. */
function element(tag: number, ...content: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(content);
  const length = bytes.length;
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), bytes]);
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), bytes]);
}

const sequence = (...content: readonly Buffer[]) => element(0x30, ...content);
const set = (...content: readonly Buffer[]) => element(0x31, ...content);
const oid = (...bytes: readonly number[]) => element(0x06, Buffer.from(bytes));
const ecdsaWithSha256 = sequence(oid(42, 134, 72, 206, 61, 4, 3, 2));

function time(now: Date, offset: number): Buffer {
  const text = new Date(now.getTime() + offset).toISOString().replace(/[-:T]|\.\d+/g, '');
  return element(0x18, Buffer.from(text));
}
