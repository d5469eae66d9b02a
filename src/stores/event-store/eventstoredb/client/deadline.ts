import { Unanswered } from './errors.ts';

/** How long a request may wait for an answer. */
export const silenceMs = 3_000;

/** @throws Unanswered when the work takes longer */
export function answered<Result>(withinMs: number, work: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Unanswered(withinMs)), withinMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** For what may fail without harm. */
export const ignored = () => undefined;
