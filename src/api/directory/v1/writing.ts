import type { Outcome } from '../../../commands/command-handler.ts';
import type { ResourceParts } from '../../../commands/directory/resource.ts';
import type { ResourceState } from '../../../commands/directory/resource-decider.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { CommandContexts } from '../../http/idempotency.ts';
import type { Guard } from '../../http/bearer/guard.ts';
import { recordOf } from '../managed-resource.ts';

/** The shared dependencies of the writing routes. */
export interface WritingParts extends ResourceParts {
  readonly documents: Documents;
  readonly guard: Guard;
  readonly contexts: CommandContexts;
  readonly base: string;
}

/** The answer to a command, when the read models show its changes. @throws NotYetVisible */
export async function commanded(
  { documents, personal }: Pick<WritingParts, 'documents' | 'personal'>,
  outcome: Outcome<ResourceState>,
) {
  await untilShown(documents, outcome);
  if (!outcome.state) throw new Error('A resource has no state after a command to it.');
  return recordOf(personal, outcome.state);
}
