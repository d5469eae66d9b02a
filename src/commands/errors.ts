/** Why a command was refused, each with the HTTP status that says the same. */
export const refusals = {
  invalid: 422,
  not_found: 404,
  forbidden: 403,
  conflict: 409,
  idempotency_key_reused: 422,
} as const;

export type Refusal = keyof typeof refusals;

/** A command that the domain refuses; nothing was appended. The message is a sentence for a person. */
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
