/** Why a command was refused, with the HTTP status. */
export const refusals = {
  invalid: 422,
  mixed_fields: 400,
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  idempotency_key_reused: 422,
} as const;

export type Refusal = keyof typeof refusals;

/** The rules refuse the command. Nothing was appended. The message is a sentence for a person. */
export class CommandRefused extends Error {
  readonly code: Refusal;
  readonly status: number;

  constructor(code: Refusal, message: string) {
    super(message);
    this.name = 'CommandRefused';
    this.code = code;
    this.status = refusals[code];
  }
}

/** Whoever asks, or the network they come from, has used up what they may do. `sentence`: of what it was too much. */
export class TooManyRequests extends CommandRefused {
  override readonly status: number = 429;
  readonly seconds: number;

  constructor(sentence: string, seconds: number) {
    super('forbidden', `${sentence} ${retryAfterText(seconds)}.`);
    this.seconds = seconds;
  }
}

/** A sentence part that tells a person how long to wait. */
export function retryAfterText(seconds: number): string {
  if (seconds <= 60) return 'Wait a minute and try again';
  return `Wait ${Math.ceil(seconds / 60)} minutes and try again`;
}

/**
 * Every attempt of the command met another append to the same stream. Nothing was appended. The command can be sent
 * again a little later.
 */
export class ConcurrencyConflict extends Error {
  readonly stream: string;
  readonly attempts: number;

  constructor(stream: string, attempts: number) {
    super('Others were changing this at the same moment, so nothing was changed. Try again in a moment.');
    this.name = 'ConcurrencyConflict';
    this.stream = stream;
    this.attempts = attempts;
  }
}
