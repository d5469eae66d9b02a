import { destinationRefused, nameNotResolved } from './destination-guard.ts';

export type FailureReason =
  | 'invalid_url'
  | 'invalid_request'
  | 'refused_destination'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'closed'
  /** Aborted by the given signal. */
  | 'aborted'
  | 'unexpected';

export interface Failed {
  readonly kind: 'failed';
  readonly reason: FailureReason;
  /** One sentence for people. It names the host, never the path or query, which often hold a secret. */
  readonly message: string;
  readonly durationMs: number;
}

/** A failure without the time that it took. */
export type UnmeasuredFailure = Omit<Failed, 'durationMs'>;

export function timedOut(host: string, timeoutMs: number): UnmeasuredFailure {
  return {
    kind: 'failed',
    reason: 'timeout',
    message: `${host} did not answer within ${timeoutMs / 1_000} s.`,
  };
}

export function aborted(host: string): UnmeasuredFailure {
  return { kind: 'failed', reason: 'aborted', message: `The request to ${host} was broken off by us.` };
}

/** The codes of Node's net, tls (OpenSSL's names for what is wrong with a certificate), llhttp and undici. */
const reasons: readonly (readonly [
  codes: RegExp,
  reason: FailureReason,
  sentence: (host: string) => string,
])[] = [
  [/^UND_ERR_CONNECT_TIMEOUT$/, 'connect', (host) => `No connection to ${host} came about in time.`],
  [
    /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|EADDRNOTAVAIL)$/,
    'connect',
    (host) => `No connection to ${host} could be made.`,
  ],
  [
    /^(?:ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CRL_|HOSTNAME_|INVALID_|PATH_LENGTH_)/,
    'tls',
    (host) => `No trusted TLS connection to ${host} could be made.`,
  ],
  [
    /^(?:ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/,
    'reset',
    (host) => `${host} closed the connection without an answer.`,
  ],
  [
    /^(?:HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES)/,
    'protocol',
    (host) => `What ${host} answered is not valid HTTP/1.1.`,
  ],
  [
    /^(?:UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED)$/,
    'invalid_request',
    (host) => `The request to ${host} could not be written as HTTP.`,
  ],
  [
    /^(?:UND_ERR_CLOSED|UND_ERR_DESTROYED)$/,
    'closed',
    (host) => `The sender was closed before ${host} was asked.`,
  ],
];

/** The reason and the sentence for an error of Node or undici. */
export function explain(error: NodeJS.ErrnoException, host: string): UnmeasuredFailure {
  const code = error.code ?? error.name;
  // The messages of the guard name the host and the problem.
  if (code === destinationRefused) {
    return { kind: 'failed', reason: 'refused_destination', message: error.message };
  }
  if (code === nameNotResolved) return { kind: 'failed', reason: 'dns', message: error.message };
  const [, reason, sentence] = reasons.find(([codes]) => codes.test(code)) ?? [];
  if (reason === undefined || sentence === undefined) {
    return { kind: 'failed', reason: 'unexpected', message: `The request to ${host} failed (${code}).` };
  }
  return { kind: 'failed', reason, message: `${sentence(host).slice(0, -1)} (${code}).` };
}
