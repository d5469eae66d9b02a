export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly durationMs: number;
  /** The Retry-After field as received. */
  readonly retryAfter?: string;
  readonly responseHeaders: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly responseText: string;
  /** Whether the body went on after `responseText`, because it was too long, too slow or broken off. */
  readonly truncated: boolean;
}

const wholeText = new TextDecoder();

/** Collects a response. Keeps the first `limit` bytes of its body. */
export class IncomingResponse {
  readonly #status: number;
  readonly #headers: Answered['responseHeaders'];
  readonly #limit: number;
  readonly #chunks: Buffer[] = [];
  #received = 0;

  constructor(status: number, headers: Answered['responseHeaders'], limit: number) {
    this.#status = status;
    this.#headers = headers;
    this.#limit = limit;
  }

  /** Takes a chunk of the body. Returns how many bytes were dropped so far. */
  take(chunk: Buffer): number {
    if (this.#received < this.#limit) this.#chunks.push(chunk.subarray(0, this.#limit - this.#received));
    this.#received += chunk.length;
    return this.#received - this.#limit;
  }

  answer(body: 'complete' | 'broken off'): Omit<Answered, 'durationMs'> {
    const truncated = body === 'broken off' || this.#received > this.#limit;
    const bytes = Buffer.concat(this.#chunks);
    const retryAfter = [this.#headers['retry-after']].flat()[0];
    return {
      kind: 'answered',
      status: this.#status,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      responseHeaders: this.#headers,
      // In stream mode a decoder omits an incomplete character at the end, and keeps it.
      responseText: truncated ? new TextDecoder().decode(bytes, { stream: true }) : wholeText.decode(bytes),
      truncated,
    };
  }
}
