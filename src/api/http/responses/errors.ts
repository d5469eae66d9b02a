import { problemsOf, type Catalogue } from './problem.ts';

/** The errors that every surface may answer with. */
export const commonErrors = {
  bad_request: {
    status: 400,
    title: 'The request is malformed',
    means: 'The request line, a header or the framing of the body is not valid HTTP.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    means: 'The body must be one JSON value in UTF-8.',
  },
  not_found: {
    status: 404,
    title: 'Not found',
    means: 'There is nothing at this address, or nothing that this key may see.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    means: 'The address exists; the Allow header lists the methods it takes.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    means: 'The connection was closed before the whole request had been received. Send it again.',
  },
  concurrency_conflict: {
    status: 409,
    title: 'Too many changes at once',
    means:
      'Others were changing the same thing at the same moment. Nothing was changed. Repeat the request after Retry-After seconds, with the same Idempotency-Key.',
  },
  gone: {
    status: 410,
    title: 'Gone from the store',
    means:
      'An operator has deleted the stream of this record in the event store by hand. It cannot be changed any more.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    means: 'A body may have 256 KiB, and less at some addresses. The detail names the limit.',
  },
  uri_too_long: { status: 414, title: 'The address is too long', means: 'Shorten the address or its query.' },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    means: 'Send the body as application/json, without a Content-Encoding.',
  },
  invalid_body: {
    status: 422,
    title: 'The body is not what this endpoint takes',
    means: 'The detail names the field and what is wrong with it.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    means: 'The address and all headers together may have 16 KiB.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    means: 'A fault of ours. It has been logged under the X-Request-Id of the answer.',
  },
  unavailable: {
    status: 503,
    title: 'Unavailable for the moment',
    means:
      'A store is away, full or busy. Repeat the request after Retry-After seconds, with the same Idempotency-Key.',
  },
  not_yet_visible: {
    status: 503,
    title: 'Done, but not visible yet',
    means:
      'The change is recorded. Repeat the request with the same Idempotency-Key to wait until reads show it.',
  },
  not_ready: {
    status: 503,
    title: 'Not ready',
    means:
      'The service is starting or stopping, or changes fail at the moment; the detail says why. Try again after Retry-After seconds.',
  },
} as const satisfies Catalogue;

export const commonProblem = problemsOf(commonErrors);
