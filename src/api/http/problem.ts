/** What one kind of error is; a catalogue lists all that a surface can answer. */
export interface ErrorKind {
  readonly status: number;
  /** The same for every occurrence (RFC 9457 section 3.1.3). */
  readonly title: string;
  /** For the reference page: when it happens and what to do. */
  readonly means: string;
}

export type Catalogue = Readonly<Record<string, ErrorKind>>;

export type Headers = Readonly<Record<string, string>>;

/** The media type of RFC 9457. Fastify would add a charset, which this type does not have. */
export const problemType = 'application/problem+json';

/** Where the codes are explained. */
export const errorsPath = '/docs/errors';

/** An answer that is an error: its kind, a sentence about this occurrence, and the headers that go with it. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly headers: Headers;
  /** Members beside those of RFC 9457. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(code: string, kind: ErrorKind, detail: string, extra: ProblemExtra = {}) {
    super(detail, extra.cause === undefined ? {} : { cause: extra.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = kind.status;
    this.title = kind.title;
    this.headers = extra.headers ?? {};
    this.members = extra.members ?? {};
  }
}

export interface ProblemExtra {
  readonly headers?: Headers;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

/** What makes the problems of a catalogue, and no others. */
export const problemsOf =
  <Kinds extends Catalogue>(catalogue: Kinds) =>
  (code: keyof Kinds & string, detail: string, extra?: ProblemExtra): Problem =>
    new Problem(code, catalogue[code] as ErrorKind, detail, extra);

/** The body: RFC 9457 members and `error`, the short code. */
export function problemBody({ code, status, title, message, members }: Problem): string {
  return JSON.stringify({
    type: `${errorsPath}#${code}`,
    title,
    status,
    detail: message,
    error: code,
    ...members,
  });
}
