/** One kind of error. A catalogue lists all kinds that a surface can answer with. */
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

/** The page that explains the codes. */
export const errorsPath = '/docs/errors';

/** An error as an answer: its kind, a sentence about this occurrence, and additional headers. */
export class Problem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly headers: Headers;
  /** Members in addition to those of RFC 9457. */
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

/** Makes the problems of one catalogue. */
export const problemsOf =
  <Kinds extends Catalogue>(catalogue: Kinds) =>
  (code: keyof Kinds & string, detail: string, extra?: ProblemExtra): Problem =>
    new Problem(code, catalogue[code] as ErrorKind, detail, extra);

/** The body: the members of RFC 9457, and `error` with the short code. */
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
