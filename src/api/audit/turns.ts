import { FairShare } from '../../ground/fair-share.ts';
import { commonProblem } from '../http/responses/errors.ts';

/** Questions about the past, so many at once. Of one who asks, only `waitAtMost` may wait; more are refused (503). */
export const turnsOfQuestions = (atOnce: number, waitAtMost: number): FairShare =>
  new FairShare({
    atOnce,
    waiting: {
      ofOne: waitAtMost,
      refusal: () =>
        commonProblem('unavailable', 'Too many questions about the past at once. Ask again in a moment.', {
          headers: { 'retry-after': '5' },
        }),
    },
  });
