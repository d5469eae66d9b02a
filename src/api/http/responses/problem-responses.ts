import { z } from 'zod';

/** The error body of the service API, for the reference (RFC 9457). */
export const problemDetails = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  error: z.string().describe('Short code; listed at /docs/errors.'),
});

/** The error answers of a route, for the reference. */
export const problemResponses = (...codes: readonly number[]) =>
  Object.fromEntries(
    codes.map((code) => [
      code,
      {
        description: problemMeanings[code] ?? '',
        content: { 'application/problem+json': { schema: problemDetails } },
      },
    ]),
  );

const problemMeanings: Readonly<Record<number, string>> = {
  400: 'A parameter, header or the JSON is wrong.',
  401: 'Token missing, malformed, unknown or revoked.',
  403: 'The key lacks a scope, or may not be used from here.',
  404: 'No such resource, or none that this key may see.',
  409: 'The resource is in another state, or others were changing it at the same moment (then with Retry-After).',
  410: 'The cursor was given out before the directory was restored or moved, or the resource was merged into another one.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'The body is wrong, or the Idempotency-Key was used for another.',
  429: 'Too many requests, or too many invalid tokens.',
  503: 'Try again later.',
};
