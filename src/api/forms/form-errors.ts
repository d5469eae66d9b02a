import { commonErrors } from '../http/responses/errors.ts';
import { problemsOf, type Catalogue } from '../http/responses/problem.ts';

/** What the endpoint of a form answers to the site of a team, beside the common errors. */
export const formErrors = {
  origin_not_allowed: {
    status: 403,
    title: 'The form may not be sent from here',
    means:
      'Only the sites that the form names may send it; others open its page. The Origin header names the site, without a path.',
  },
  form_changed: {
    status: 409,
    title: 'The form says something else by now',
    means:
      'The request named in form-version the version whose words were shown, and the words of the form are others since. Show these, and send what is answered to them.',
  },
  form_closed: {
    status: 410,
    title: 'The form is closed',
    means: 'The team has closed the form. It takes no more submissions until it is opened again.',
  },
  invalid_answers: {
    status: 422,
    title: 'The answers are not what the form asks for',
    means: 'The member errors names each field with what is wrong, and a sentence to show beside it.',
  },
  answers_too_large: {
    status: 413,
    title: 'The answers are too large',
    means: 'All answers together may have 32 KiB as JSON.',
  },
  too_many_submissions: {
    status: 429,
    title: 'Too many submissions from one network',
    means:
      'Wait as long as Retry-After says. One network takes no more than a part of the submissions that a form or team takes in a day.',
  },
  form_full: {
    status: 429,
    title: 'The form takes no more today',
    means:
      'The form or its team has as many submissions today as it takes in a day (UTC). Retry-After says when the next day begins.',
  },
} as const satisfies Catalogue;

export const formProblem = problemsOf({ ...commonErrors, ...formErrors });
