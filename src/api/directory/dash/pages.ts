import { reviewPage } from './review-page.ts';

/** The pages of a team's directory. */
export const directoryPages = [reviewPage];
