import { CommandRefused } from '../commands/errors.ts';
import { load } from '../commands/command-handler.ts';
import { commandTeam, commons, team } from '../commands/teams/team.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** From now on there is the team to which submissions without a team go, whoever made it. */
export async function ensureCommons(store: EventStore, context: CommandContext): Promise<void> {
  // Looked for first: a start appends nothing where there is nothing to do.
  if ((await load(store, team, commons.team)).state) return;
  try {
    await commandTeam(store, { kind: 'create', ...commons }, { ...context, commandId: uuidOf('commons') });
  } catch (error) {
    // An operator has made it by hand, perhaps under another name.
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
  }
}
