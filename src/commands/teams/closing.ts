import { streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { eventIdOf } from '../../events/new-event.ts';
import { teamStream } from '../../events/teams.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { Team } from './team-state.ts';
import { commandTeam, team, type TeamCommand } from './team.ts';

/** The id of a closing, which is the correlation of all that follows from it. A form that is sent twice closes once. */
export const closingIdOf = ({ commandId }: Pick<CommandContext, 'commandId'>): string =>
  uuidOf('closing', commandId);

const commandOf = (closing: string, step: 'close' | 'reopen') => ({
  commandId: uuidOf('team', closing, step),
});

const eventOf = (slug: string, closing: string, step: 'close' | 'reopen'): string =>
  eventIdOf(streamName(teamStream, slug), 0, commandOf(closing, step));

/** The event that closed a team: the cause of what was taken out. */
export const closedEventOf = (slug: string, closing: string): string => eventOf(slug, closing, 'close');

/** The event that opened it again: the cause of what was put back. */
export const reopenedEventOf = (slug: string, closing: string): string => eventOf(slug, closing, 'reopen');

/** What closing a team would be refused for, before anything is done. @throws CommandRefused conflict, invalid (another name) */
export function requireClosable(
  state: Team,
  command: Omit<Extract<TeamCommand, { kind: 'close' }>, 'kind'>,
): void {
  team.decide({ kind: 'close', ...command }, state);
}

/** @throws CommandRefused not_found, conflict, invalid (another name) */
export const closeTeam = (
  store: EventStore,
  { closing, ...rest }: Omit<Extract<TeamCommand, { kind: 'close' }>, 'kind'>,
  context: CommandContext,
) =>
  commandTeam(
    store,
    { kind: 'close', closing, ...rest },
    { ...context, ...commandOf(closing, 'close'), correlationId: closing },
  );

/** @throws CommandRefused not_found */
export const reopenTeam = (
  store: EventStore,
  { team: of, closing }: { readonly team: string; readonly closing: string },
  context: CommandContext,
) =>
  commandTeam(
    store,
    { kind: 'reopen', team: of },
    { ...context, ...commandOf(closing, 'reopen'), correlationId: closing },
  );
