import { commonErrors } from './errors.ts';
import { problemsOf, type Catalogue } from './problem.ts';
import { refusalErrors } from './problem-of.ts';

/** What the service API answers beside the common errors (interface 7.2). */
export const resourceErrors = {
  missing_token: {
    status: 401,
    title: 'No token',
    means: 'Send a key: Authorization: Bearer <API_KEY>.',
  },
  invalid_token: {
    status: 401,
    title: 'Invalid token',
    means: 'The token is no key, or the key is unknown or revoked.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key lacks a scope',
    means: 'The member scope names what is missing. A team scope must also be enabled for the team.',
  },
  domain_not_allowed: {
    status: 403,
    title: 'The key may not be used from here',
    means: 'The key is restricted to domains, and Origin or Referer names another.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    means: 'The key has used up its requests for this minute. Retry-After says when there are more.',
  },
  network_paused: {
    status: 429,
    title: 'Too many invalid tokens',
    means:
      'Too many invalid tokens came from this network. For a while, more of them are refused without a check. Valid keys still work.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    means: 'Use next_cursor as it was given, with the same filters or none; start again without a cursor.',
  },
  cursor_expired: {
    status: 410,
    title: 'The cursor is of another log',
    means:
      'The directory was restored from a backup or moved since the cursor was given out. Start again without a cursor.',
  },
  merged: {
    status: 410,
    title: 'Merged into another resource',
    means:
      'The resource was a duplicate and was merged into another one. The member merged_into names the one that has its place; read that one from now on.',
  },
  unknown_place: {
    status: 400,
    title: 'The place is not known',
    means: 'Nobody knows the place that near names. Give latitude,longitude, or look for the place with q.',
  },
  invalid_idempotency_key: {
    status: 400,
    title: 'The Idempotency-Key is not valid',
    means: '1 to 255 visible ASCII characters.',
  },
  ...refusalErrors,
} as const satisfies Catalogue;

export const resourceProblem = problemsOf({ ...commonErrors, ...resourceErrors });
