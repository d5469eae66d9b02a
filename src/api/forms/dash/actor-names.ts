import { peopleNamed } from '../../../actions/accounts/people-named.ts';
import type { Actor } from '../../../events/metadata.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { en } from './texts.ts';

/** Says who did something. Who was erased has no name any more. */
export async function namesOfActors(
  dependencies: PageDependencies,
  actors: readonly (Actor | undefined)[],
): Promise<(by: Actor) => string> {
  const named = await peopleNamed(
    dependencies,
    actors.flatMap((by) => (by?.kind === 'user' ? by.id : [])),
  );
  return (by) => {
    if (by.kind === 'user') return named.get(by.id)?.name ?? en.actors.erased;
    return by.kind === 'system' ? en.actors.system : en.actors.operator;
  };
}
