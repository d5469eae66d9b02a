import {
  longestSiteName,
  longestTeamName,
  misleadingName,
  misleads,
  siteName,
  teamName,
} from '../events/display-name.ts';
import { mixesScripts } from '../events/scripts.ts';
import { CommandRefused } from '../ground/refusals.ts';

/** @throws CommandRefused invalid, for a name that is too long or can be taken for another */
export function requireSiteName(name: string): void {
  if (!siteName.safeParse(name).success) throw refused(name, longestSiteName);
}

/** @throws CommandRefused invalid, for a name that is too long or can be taken for another */
export function requireTeamName(name: string): void {
  if (!teamName.safeParse(name).success) throw refused(name, longestTeamName);
}

/** The words that a person gives something of theirs, such as a passkey. @throws CommandRefused invalid */
export function requireLabel(label: string): void {
  if (misleads(label)) throw new CommandRefused('invalid', `The name ${misleadingName}.`);
}

function refused(name: string, longest: number): CommandRefused {
  if (misleads(name)) return new CommandRefused('invalid', `The name ${misleadingName}.`);
  if (mixesScripts(name))
    return new CommandRefused(
      'invalid',
      'The name must not mix letters of different scripts that look alike.',
    );
  return new CommandRefused('invalid', `The name must have 1 to ${longest} characters.`);
}
