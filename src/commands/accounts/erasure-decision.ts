import type { UserEvent } from '../../events/accounts/user.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Person } from './user-state.ts';

export type ErasureCommand =
  /** `dueAt`: ISO 8601. */
  | { readonly kind: 'request-erasure'; readonly dueAt: string }
  | { readonly kind: 'withdraw-erasure' }
  | { readonly kind: 'place-hold'; readonly hold: string; readonly reason: string }
  | { readonly kind: 'lift-hold'; readonly hold: string }
  | { readonly kind: 'record-export' }
  | ({ readonly kind: 'erase' } & ErasureRule);

/** Under which condition an account is erased. It is decided from the stream at the moment of the act. */
export interface ErasureRule {
  /** `due`: it was asked for, and its time has come. `unverified`: no address was ever verified, no invitation began it, and it has no role. */
  readonly onlyIf?: 'due' | 'unverified';
  /** For `due`. */
  readonly at?: Date;
  /**
   * The person was erased before, and an older backup has brought them back. A hold of that time was lifted before the
   * erasure, so it does not count.
   */
  readonly again?: true;
}

/** The most legal holds on one person. */
const holdsAtMost = 100;

/** What is decided about erasing an account that exists. @throws CommandRefused conflict, not_found, invalid */
export function decideErasure(command: ErasureCommand, person: Person): UserEvent[] {
  switch (command.kind) {
    case 'request-erasure':
      // The first request counts: asking again does not put it off.
      if (person.erasureDue !== undefined) return [];
      return [{ type: 'ErasureRequested', data: { due_at: command.dueAt } }];
    case 'withdraw-erasure':
      return person.erasureDue === undefined ? [] : [{ type: 'ErasureWithdrawn', data: {} }];
    case 'place-hold': {
      const { hold, reason } = command;
      if (person.holds.includes(hold)) return [];
      if (person.holds.length >= holdsAtMost) {
        throw new CommandRefused('invalid', `A person can be under ${holdsAtMost} legal holds.`);
      }
      return [{ type: 'LegalHoldPlaced', data: { hold, reason } }];
    }
    case 'lift-hold': {
      const { hold } = command;
      if (!person.holds.includes(hold)) throw new CommandRefused('not_found', 'There is no such legal hold.');
      return [{ type: 'LegalHoldLifted', data: { hold } }];
    }
    case 'record-export':
      return [{ type: 'OwnDataExported', data: {} }];
    case 'erase':
      return erase(command, person);
  }
}

function erase({ onlyIf, at, again }: ErasureRule, person: Person): UserEvent[] {
  if (onlyIf === 'due' && !isDue(person, at)) return [];
  if (onlyIf === 'unverified' && (person.everVerified || person.invited || person.role !== 'person'))
    return [];
  if (person.holds.length > 0 && !again) {
    // A job passes over the person. Whoever asks is told.
    if (onlyIf !== undefined) return [];
    throw new CommandRefused('conflict', heldSentence);
  }
  return [{ type: 'UserErased', data: { email: person.email } }];
}

const isDue = ({ erasureDue }: Person, at: Date | undefined): boolean =>
  erasureDue !== undefined && at !== undefined && Date.parse(erasureDue) <= at.getTime();

export const heldSentence =
  'This person is under a legal hold. Nothing of theirs is erased until it is lifted ("commonweal hold list").';
