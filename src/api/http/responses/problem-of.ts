import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { CommandRefused, ConcurrencyConflict } from '../../../ground/refusals.ts';
import { InvalidEvent } from '../../../events/new-event.ts';
import { NotYetVisible } from '../../../projections/engine/read-your-writes.ts';
import { StoreError, type StoreErrorCode } from '../../../stores/errors.ts';
import { commonProblem } from './errors.ts';
import { Problem, type Catalogue } from './problem.ts';
import { BadQuery, quoted } from '../query-string.ts';

/** Seconds after which a request to a store that was unavailable may be repeated. */
const storeRetrySeconds = '5';

/** The error kinds of refused commands. Their statuses are in ground/refusals.ts. */
export const refusalErrors = {
  invalid: {
    status: 422,
    title: 'The command is invalid',
    means: 'The detail says what the directory does not allow.',
  },
  mixed_fields: {
    status: 400,
    title: 'A flat member and its list were both given',
    means:
      'phone, address, city and region change the main location and the first phone. Send them, or the lists.',
  },
  forbidden: { status: 403, title: 'Forbidden', means: 'The key may not do this.' },
  conflict: {
    status: 409,
    title: 'The resource is in another state',
    means: 'What was asked does not fit the state of the resource; read it and decide again.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used for another request',
    means: 'The same key was sent before with another body. Use a new key for a new request.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A query parameter is wrong',
    means: 'The detail names the parameter and what it may be.',
  },
} as const satisfies Catalogue;

/** The answer to any thrown value. An unexpected error shows no details; they are logged. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof BadQuery)
    return new Problem('invalid_parameter', refusalErrors.invalid_parameter, error.message);
  if (error instanceof CommandRefused) {
    if (error.code === 'not_found') return commonProblem('not_found', error.message);
    return new Problem(error.code, refusalErrors[error.code], error.message);
  }
  if (error instanceof InvalidEvent) return commonProblem('invalid_body', error.message);
  if (error instanceof ConcurrencyConflict) {
    return commonProblem('concurrency_conflict', error.message, { headers: { 'retry-after': '1' } });
  }
  if (error instanceof NotYetVisible) {
    return commonProblem('not_yet_visible', error.message, { headers: { 'retry-after': '1' } });
  }
  if (error instanceof StoreError) return ofStore(error);
  if (hasZodFastifySchemaValidationErrors(error)) return ofValidation(error.validation);
  return ofFramework(error);
}

/** Whether to log it as an error: a fault of the service. Without a cause it is an answer on purpose, such as "too many at once". */
export const isFault = ({ status, cause }: Problem): boolean => status >= 500 && cause !== undefined;

/** Failures of a store that pass, or that an operator ends. Health names them, and nothing in the code is wrong. */
const outages: ReadonlySet<StoreErrorCode> = new Set([
  'unavailable',
  'full',
  'wrong_expected_revision',
  'fenced',
]);

/** The error of a store that is away, busy or full. Undefined for every other problem. */
export const outageOf = ({ cause }: Problem): StoreError | undefined =>
  cause instanceof StoreError && outages.has(cause.code) ? cause : undefined;

function ofStore(error: StoreError): Problem {
  const again = 'Repeat the request later; with the same Idempotency-Key that is safe.';
  switch (error.code) {
    case 'event_too_large':
      return commonProblem('payload_too_large', 'The content of the body is too large to be recorded.', {
        cause: error,
      });
    case 'full':
      return unavailable(`The store has no room left; nothing was recorded. ${again}`, error);
    case 'unavailable':
      return unavailable(
        error.outcome === 'unknown'
          ? `The store failed and it is not known whether the change was recorded. ${again}`
          : `The store is not available; nothing was recorded. ${again}`,
        error,
      );
    case 'wrong_expected_revision':
      return unavailable(
        `Too many changes to the same resource at once; this one was not recorded. ${again}`,
        error,
      );
    case 'fenced':
      return unavailable(`Another process has taken this work over. ${again}`, error);
    case 'replaced':
      return unavailable(
        'The store was replaced while the service was running. The service has to be restarted.',
        error,
      );
    case 'stream_deleted':
      return commonProblem('gone', 'An operator has deleted this record from the event store.', {
        cause: error,
      });
    case 'incompatible':
      return unavailable(
        'What is stored about this cannot be read: it is damaged, or another release wrote it. It has been logged.',
        error,
      );
    case 'misuse':
      return internal(error);
  }
}

const unavailable = (detail: string, cause: unknown) =>
  commonProblem('unavailable', detail, { headers: { 'retry-after': storeRetrySeconds }, cause });

const internal = (cause: unknown) =>
  commonProblem('internal', 'Something went wrong on our side. It has been logged.', { cause });

interface Issue {
  readonly keyword?: string;
  readonly instancePath?: string;
  readonly message?: string | undefined;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** The first error in a body, with the name of its field. */
function ofValidation(issues: readonly Issue[]): Problem {
  const { keyword, instancePath = '', message = 'is not valid', params = {} } = issues[0] ?? {};
  const field = instancePath.slice(1).split('/').join('.');
  if (keyword === 'unrecognized_keys') {
    const [name] = params['keys'] as string[];
    return commonProblem('invalid_body', `There is no field ${quoted(name ?? '')}.`, {
      members: { field: name?.slice(0, 60) },
    });
  }
  const sentence = message.replace(/^Invalid input: /, '');
  const detail = field === '' ? `The body is wrong: ${sentence}.` : `${field}: ${sentence}`;
  return commonProblem('invalid_body', detail, field === '' ? {} : { members: { field } });
}

/** Fastify's own errors have a code and a status, and so do those of its JSON parser. */
function ofFramework(error: unknown): Problem {
  const { code, statusCode } = error as { readonly code?: unknown; readonly statusCode?: unknown };
  switch (code) {
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return commonProblem('invalid_json', 'The body is empty.');
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return commonProblem('invalid_json', 'The body is not valid JSON.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return commonProblem('unsupported_media_type', 'The body must be application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return commonProblem('bad_request', 'The body is not as long as Content-Length says.');
    case 'FST_ERR_BAD_URL':
      return commonProblem('bad_request', 'The address is not valid percent-encoded UTF-8.');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return commonProblem('uri_too_long', 'A part of the address is too long.');
    default:
  }
  if (error instanceof SyntaxError && statusCode === 400) {
    return commonProblem(
      'invalid_json',
      'The body is not valid JSON, or has a member named __proto__ or constructor.',
    );
  }
  return typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
    ? commonProblem('bad_request', 'The request could not be read.', { cause: error })
    : internal(error);
}
