import type { CommandContexts } from '../idempotency.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import type { Caller } from './caller.ts';
import type { Guard } from './guard.ts';

/** What the endpoints of an area for team keys are made with. */
export interface TeamApiParts extends ServerDependencies {
  readonly guard: Guard;
  readonly contexts: CommandContexts;
  readonly base: string;
}

/** The team of a caller that the guard has admitted with a team scope: only team keys can hold one. */
export function teamOf({ team }: Caller): string {
  if (team === undefined) throw new Error('This route is for team keys.');
  return team;
}
