import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Connections } from '../../api/http/connections.ts';
import { ConfigError, type MetricsPort } from '../../config.ts';
import { UnknownReadModel } from '../../projections/retry-projection.ts';
import { refusalOf } from './access.ts';
import { messageOf } from '../../ground/store-error.ts';

/** What the operators' port serves. */
export interface OperatorsParts {
  /** In the text format of Prometheus. */
  readonly metrics: () => Promise<{ readonly type: string; readonly text: string }>;
  readonly status: () => Promise<object>;
  /** Whether this node is ready, and the sentences that say why not or what else is wrong. */
  readonly ready: () => Promise<{
    readonly ready: boolean;
    readonly reason?: string;
    readonly warnings?: readonly string[];
  }>;
  /** Has a failed read model tried again. False when it has not failed. @throws UnknownReadModel */
  readonly retry: (model: string) => Promise<boolean>;
}

interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | object;
}

/** A scrape takes milliseconds, and 2 s while a thread does not answer. */
const times = { headersTimeout: 5_000, requestTimeout: 10_000 } as const;
/** A few scrapers and operators. The descriptors belong to the service: more connections here would stop its own port. */
const maximumConnections = 32;

export interface OperatorsPort {
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Opens the port for operators: metrics, status, health, and the retry of a failed read model. Apart from the service, so
 * that no proxy of the service passes requests to it.
 *
 * @throws ConfigError when the port cannot be opened
 */
export async function openOperatorsPort(
  { host, port, token }: MetricsPort,
  parts: OperatorsParts,
): Promise<OperatorsPort> {
  const server = new Connections(maximumConnections, times).server((request, response) => {
    const refusal = refusalOf(request.headers, { token });
    const answered = refusal
      ? Promise.resolve(refused(refusal.status, refusal.sentence))
      : answerOf(request, parts);
    void answered
      .catch((error: unknown) => refused(503, messageOf(error)))
      .then((answer) => send(request, response, answer));
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${code})`;
    throw new ConfigError(`METRICS_PORT ${port} ${why} on ${host}; set it to another, or unset it.`);
  }
  const address = server.address();
  const open = typeof address === 'object' && address !== null ? address.port : port;
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${open}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answerOf({ method, url = '/' }: IncomingMessage, parts: OperatorsParts): Promise<Answer> {
  const [path = '/'] = url.split('?');
  const [, model] = /^\/projections\/([^/]+)\/retry$/.exec(path) ?? [];
  if (model !== undefined) return method === 'POST' ? retried(parts, model) : otherMethod('POST');
  const read = reads[path];
  if (!read) return refused(404, `There is ${Object.keys(reads).join(', ')}, and nothing else.`);
  return method === 'GET' || method === 'HEAD' ? read(parts) : otherMethod('GET, HEAD');
}

const reads: Readonly<Record<string, (parts: OperatorsParts) => Promise<Answer>>> = {
  '/metrics': async ({ metrics }) => {
    const { type, text } = await metrics();
    return { status: 200, type, body: text };
  },
  '/status': async ({ status }) => ({ status: 200, body: await status() }),
  '/healthz': () => Promise.resolve({ status: 200, body: { status: 'alive' } }),
  '/readyz': async ({ ready }) => {
    const { ready: isReady, reason, warnings = [] } = await ready();
    return isReady
      ? { status: 200, body: { status: 'ready', ...(warnings.length > 0 ? { warnings } : {}) } }
      : { status: 503, headers: { 'retry-after': '1' }, body: { status: 'not ready', reason } };
  },
};

async function retried({ retry }: OperatorsParts, model: string): Promise<Answer> {
  try {
    return { status: 202, body: { projection: model, asked: await retry(model) } };
  } catch (error) {
    if (error instanceof UnknownReadModel) return refused(404, error.message);
    throw error;
  }
}

const refused = (status: number, sentence: string): Answer => ({
  status,
  ...(status === 401 ? { headers: { 'www-authenticate': 'Bearer' } } : {}),
  body: { error: sentence },
});

const otherMethod = (allow: string): Answer => ({
  ...refused(405, `This address takes ${allow}.`),
  headers: { allow },
});

function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const { status, type = 'application/json; charset=utf-8', headers = {}, body } = answer;
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'content-type': type,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(request.method === 'HEAD' ? undefined : text);
}
