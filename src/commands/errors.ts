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
