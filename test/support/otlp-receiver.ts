import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A span as a collector gets it. Of attributes: texts, numbers, and lists of texts. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root. */
  readonly parentSpanId: string;
  /** 2: server, 3: client, 5: consumer (opentelemetry/proto/trace/v1/trace.proto). */
  readonly kind: number;
  readonly from: bigint;
  readonly until: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** 2: it failed. */
  readonly status: number;
  /** Attributes of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

export interface OtlpReceiver extends AsyncDisposable {
  readonly endpoint: string;
  readonly spans: CollectedSpan[];
  readonly requests: {
    readonly path: string;
    readonly headers: IncomingHttpHeaders;
    readonly bytes: Buffer;
  }[];
}

/** Takes spans by OTLP over HTTP in protobuf. The decoder is our own: what the SDK writes is read by nothing of it. */
export async function otlpReceiver(port = 0): Promise<OtlpReceiver> {
  const spans: CollectedSpan[] = [];
  const requests: OtlpReceiver['requests'] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const bytes = Buffer.concat(chunks);
      requests.push({ path: request.url ?? '', headers: request.headers, bytes });
      spans.push(...spansIn(bytes));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The fields of a message by their numbers: numbers of wire types 0 and 1, bytes of wire type 2. */
type Fields = ReadonlyMap<number, readonly (bigint | Buffer)[]>;

function fieldsOf(bytes: Buffer): Fields {
  const fields = new Map<number, (bigint | Buffer)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const read = (wire: number): bigint | Buffer => {
    if (wire === 0) return varint();
    if (wire === 1) return bytes.readBigUInt64LE((at += 8) - 8);
    if (wire === 5) return BigInt(bytes.readUInt32LE((at += 4) - 4));
    if (wire !== 2) throw new Error(`There is no wire type ${wire} in protobuf 3.`);
    const length = Number(varint());
    return bytes.subarray(at, (at += length));
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const values = fields.get(tag >> 3) ?? [];
    values.push(read(tag & 7));
    fields.set(tag >> 3, values);
  }
  return fields;
}

const messages = (fields: Fields, number: number): Fields[] =>
  (fields.get(number) ?? []).map((each) => fieldsOf(each as Buffer));
const bytesOf = (fields: Fields, number: number): Buffer =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
const numberOf = (fields: Fields, number: number): bigint =>
  (fields.get(number)?.[0] as bigint | undefined) ?? 0n;

/** common.proto: KeyValue {key = 1, value = 2}; AnyValue {string = 1, bool = 2, int = 3, double = 4, array = 5}. */
function attributesOf(fields: Fields, number: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(fields, number).map((each) => [
      bytesOf(each, 1).toString(),
      valueOf(fieldsOf(bytesOf(each, 2))),
    ]),
  );
}

function valueOf(any: Fields): unknown {
  if (any.has(1)) return bytesOf(any, 1).toString();
  if (any.has(2)) return numberOf(any, 2) === 1n;
  if (any.has(3)) return Number(numberOf(any, 3));
  if (any.has(5)) return messages(fieldsOf(bytesOf(any, 5)), 1).map(valueOf);
  return undefined;
}

/** trace_service.proto and trace.proto: ResourceSpans in 1, ScopeSpans in 2, Span in 2. */
export function spansIn(request: Buffer): CollectedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((ofResource) => {
    const resource = attributesOf(fieldsOf(bytesOf(ofResource, 1)), 1);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => ({
        name: bytesOf(span, 5).toString(),
        traceId: bytesOf(span, 1).toString('hex'),
        spanId: bytesOf(span, 2).toString('hex'),
        parentSpanId: bytesOf(span, 4).toString('hex'),
        kind: Number(numberOf(span, 6)),
        from: numberOf(span, 7),
        until: numberOf(span, 8),
        attributes: attributesOf(span, 9),
        links: messages(span, 13).map((link) => ({
          traceId: bytesOf(link, 1).toString('hex'),
          spanId: bytesOf(link, 2).toString('hex'),
        })),
        status: Number(numberOf(fieldsOf(bytesOf(span, 15)), 3)),
        resource,
      })),
    );
  });
}
