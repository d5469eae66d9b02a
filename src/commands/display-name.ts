import { misleadingName, misleads } from '../events/display-name.ts';
import { CommandRefused } from './errors.ts';

/** @throws CommandRefused invalid: a name that others could take for another one */
export function requireDisplayName(name: string): void {
  if (misleads(name)) throw new CommandRefused('invalid', `The name ${misleadingName}.`);
}
