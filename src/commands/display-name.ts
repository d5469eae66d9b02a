import { misleadingName, misleads } from '../events/display-name.ts';
import { CommandRefused } from './errors.ts';

/** @throws CommandRefused invalid, for a name with characters that make it look like another */
export function requireDisplayName(name: string): void {
  if (misleads(name)) throw new CommandRefused('invalid', `The name ${misleadingName}.`);
}
