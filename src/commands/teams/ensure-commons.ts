import { CommandRefused } from '../../ground/refusals.ts';
import { load } from '../command-handler.ts';
import { commandTeam, team } from './team.ts';
import { commons } from '../../events/teams.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/** Ensures that the team exists to which submissions without a team go. */
export async function ensureCommons(store: EventStore, context: CommandContext): Promise<void> {
  // Checked first, so that a normal start appends nothing.
  if ((await load(store, team, commons.team)).state) return;
  try {
    await commandTeam(store, { kind: 'create', ...commons }, { ...context, commandId: uuidOf('commons') });
  } catch (error) {
    // An operator has created it, perhaps under another name.
    if (!(error instanceof CommandRefused) || error.code !== 'conflict') throw error;
  }
}
