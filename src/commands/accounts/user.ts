import { userStream, type UserEvent, type UserRole } from '../../events/accounts/user.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import { decideErasure, type ErasureCommand } from './erasure-decision.ts';
import type { DataOf, Passkey, Person, AccountVersion, UserState } from './user-state.ts';

/** The most passkeys of one person. */
const passkeysAtMost = 20;

export type UserCommand =
  | {
      readonly kind: 'register';
      readonly data: DataOf<'UserRegistered'>;
      readonly passwordId?: string | undefined;
      readonly passkey?: Passkey | undefined;
      /** The address is verified as the account begins. */
      readonly verified?: boolean | undefined;
    }
  | { readonly kind: 'change-profile'; readonly profile: string }
  | {
      readonly kind: 'change-email';
      readonly data: DataOf<'UserEmailChanged'>;
      readonly expected?: AccountVersion | undefined;
    }
  | { readonly kind: 'verify-email'; readonly email: string }
  | { readonly kind: 'lapse-claim'; readonly email: string; readonly claim: string }
  | ({ readonly kind: 'change-password'; readonly passwordId: string } & PasswordChange)
  | { readonly kind: 'end-sessions' }
  | { readonly kind: 'change-role'; readonly role: UserRole }
  | { readonly kind: 'close-set-up'; readonly administrator: string }
  | { readonly kind: 'add-passkey'; readonly passkey: Passkey }
  | { readonly kind: 'remove-passkey'; readonly credential: string }
  | { readonly kind: 'choose-mails'; readonly data: DataOf<'UserMailsChosen'> }
  | ErasureCommand;

/** What else a new password does. */
export interface PasswordChange {
  /** Only if the password was not set since this version. */
  readonly afterVersion?: number | undefined;
  /** Also ends the access of all sites: every consent, with its grants and tokens. */
  readonly endAccess?: boolean;
  /** Also removes every passkey. */
  readonly removePasskeys?: boolean;
  /** Also confirms the address with this keyed hash. */
  readonly verifies?: string;
  /** Also replaces the profile as a whole. Sealed. */
  readonly profile?: string;
}

export const user: Decider<UserState, UserCommand, UserEvent> = {
  stream: userStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'UserRegistered') return registered(event.data);
    if (event.type === 'EmailClaimLapsed') return lapsed(state, event.data);
    if (event.type === 'SetUpClosed') return state ?? { status: 'lapsed' };
    if (!state || state.status === 'lapsed') return state;
    switch (event.type) {
      case 'UserProfileChanged':
        return { ...state, profile: event.data.profile };
      case 'UserEmailChanged': {
        const { email, email_sealed } = event.data;
        return { ...state, email, email_sealed, verified: false, lapsed: false };
      }
      case 'UserEmailVerified':
        return { ...state, verified: true, everVerified: true };
      case 'UserPasswordChanged': {
        const { version, password_id, session_epoch, access_epoch, passkeys_removed } = event.data;
        return {
          ...state,
          passwordVersion: version,
          passwordId: password_id,
          sessionEpoch: session_epoch,
          accessEpoch: access_epoch ?? state.accessEpoch,
          passkeys: passkeys_removed ? [] : state.passkeys,
        };
      }
      case 'UserSessionsEnded':
        return { ...state, sessionEpoch: event.data.session_epoch };
      case 'UserRoleChanged':
        return { ...state, role: event.data.role };
      case 'PasskeyAdded':
        return { ...state, passkeys: [...state.passkeys, event.data] };
      case 'PasskeyRemoved':
        return { ...state, passkeys: withoutPasskey(state.passkeys, event.data.credential) };
      case 'UserMailsChosen':
        return { ...state, mails: event.data };
      case 'ErasureRequested':
        return { ...state, erasureDue: event.data.due_at };
      case 'ErasureWithdrawn':
        return { ...state, erasureDue: undefined };
      case 'LegalHoldPlaced':
        return { ...state, holds: [...state.holds, event.data.hold] };
      case 'LegalHoldLifted':
        return { ...state, holds: state.holds.filter((each) => each !== event.data.hold) };
      case 'OwnDataExported':
        return state;
      case 'UserErased':
        return { ...state, status: 'erased', passkeys: [], passwordId: undefined, erasureDue: undefined };
    }
  },
  decide(command, state) {
    if (command.kind === 'register') return register(command, state);
    if (command.kind === 'lapse-claim') return lapseClaim(command, state);
    if (command.kind === 'close-set-up') {
      return state ? [] : [{ type: 'SetUpClosed', data: { administrator: command.administrator } }];
    }
    if (command.kind === 'erase' && state?.status === 'erased') return [];
    const person = requireActive(state);
    switch (command.kind) {
      case 'change-profile':
        return [{ type: 'UserProfileChanged', data: { profile: command.profile } }];
      case 'change-email':
        if (command.expected && !standsAt(person, command.expected)) {
          throw new CommandRefused('conflict', 'The account has another password or other sessions by now.');
        }
        if (person.lapsedClaims.includes(command.data.claim)) throw claimLapsed();
        return [{ type: 'UserEmailChanged', data: command.data }];
      case 'verify-email':
        return verifyEmail(person, command.email);
      case 'change-password':
        return changePassword(person, command);
      case 'end-sessions':
        return [{ type: 'UserSessionsEnded', data: { session_epoch: person.sessionEpoch + 1 } }];
      case 'change-role':
        if (command.role === person.role) return [];
        return [{ type: 'UserRoleChanged', data: { role: command.role } }];
      case 'add-passkey':
        return addPasskey(person, command.passkey);
      case 'remove-passkey':
        return removePasskey(person, command.credential);
      case 'choose-mails':
        return [{ type: 'UserMailsChosen', data: command.data }];
      case 'request-erasure':
      case 'withdraw-erasure':
      case 'place-hold':
      case 'lift-hold':
      case 'record-export':
      case 'erase':
        return decideErasure(command, person);
    }
  },
};

/** @throws CommandRefused not_found, when there is no such person or they are erased */
export function requireActive(state: UserState): Person {
  if (state?.status === 'active') return state;
  throw new CommandRefused('not_found', 'There is no such person.');
}

/** Whether the account has not changed since. */
export const standsAt = (
  person: AccountVersion,
  { passwordVersion, sessionEpoch }: AccountVersion,
): boolean => person.passwordVersion === passwordVersion && person.sessionEpoch === sessionEpoch;

function registered(data: DataOf<'UserRegistered'>): Person {
  const { user, role, email, email_sealed, profile, invitation } = data;
  return {
    status: 'active',
    user,
    role,
    email,
    email_sealed,
    verified: false,
    invited: invitation !== undefined,
    everVerified: false,
    lapsed: false,
    lapsedClaims: [],
    profile,
    passwordVersion: 0,
    passwordId: undefined,
    sessionEpoch: 1,
    accessEpoch: 1,
    passkeys: [],
    mails: undefined,
    erasureDue: undefined,
    holds: [],
  };
}

function addPasskey({ passkeys }: Person, passkey: Passkey): UserEvent[] {
  if (passkeys.some(({ credential }) => credential === passkey.credential)) {
    throw new CommandRefused('conflict', 'This passkey is registered already.');
  }
  if (passkeys.length >= passkeysAtMost) {
    throw new CommandRefused('invalid', `An account has at most ${passkeysAtMost} passkeys.`);
  }
  return [{ type: 'PasskeyAdded', data: passkey }];
}

function removePasskey({ passkeys, passwordVersion }: Person, credential: string): UserEvent[] {
  const left = withoutPasskey(passkeys, credential);
  if (left.length === passkeys.length) throw new CommandRefused('not_found', 'There is no such passkey.');
  if (left.length === 0 && passwordVersion === 0) {
    throw new CommandRefused('conflict', 'This passkey is the only way to sign in; set a password first.');
  }
  return [{ type: 'PasskeyRemoved', data: { credential } }];
}

const withoutPasskey = (passkeys: readonly Passkey[], credential: string): Passkey[] =>
  passkeys.filter((each) => each.credential !== credential);

function lapsed(state: UserState, { email, claim }: DataOf<'EmailClaimLapsed'>): UserState {
  if (!state || state.status === 'lapsed') return { status: 'lapsed' };
  const lapsedClaims = [...state.lapsedClaims, claim];
  return email === state.email ? { ...state, lapsed: true, lapsedClaims } : { ...state, lapsedClaims };
}

function register(
  { data, passwordId, passkey, verified = false }: Extract<UserCommand, { kind: 'register' }>,
  state: UserState,
): UserEvent[] {
  if (state?.status === 'lapsed') throw claimLapsed();
  if (state) throw new CommandRefused('conflict', 'This person is registered already.');
  const person = registered(data);
  return [
    { type: 'UserRegistered', data },
    ...(passwordId === undefined ? [] : [passwordChanged({ ...person, sessionEpoch: 0 }, { passwordId })]),
    ...(passkey === undefined ? [] : addPasskey(person, passkey)),
    ...(verified ? verifyEmail(person, data.email) : []),
  ];
}

/**
 * Refused when the claim was used: a verified address stays with its owner, and so does that of an account which began with
 * an invitation to it. Whoever reads the mail of the address takes such an account over by a new password.
 */
function lapseClaim(
  { email, claim }: Extract<UserCommand, { kind: 'lapse-claim' }>,
  state: UserState,
): UserEvent[] {
  if (state?.status === 'active' && state.email === email && (state.verified || state.invited)) {
    throw new CommandRefused('conflict', 'The email address is verified, or was invited.');
  }
  const hasLapsed =
    state?.status === 'lapsed' || state?.status === 'erased' || state?.lapsedClaims.includes(claim);
  return hasLapsed ? [] : [{ type: 'EmailClaimLapsed', data: { email, claim } }];
}

function verifyEmail(person: Person, email: string): UserEvent[] {
  if (email !== person.email) {
    throw new CommandRefused('conflict', 'The account has another email address by now.');
  }
  if (person.lapsed) throw claimLapsed();
  return person.verified ? [] : [{ type: 'UserEmailVerified', data: { email } }];
}

function changePassword(
  person: Person,
  command: PasswordChange & { readonly passwordId: string },
): UserEvent[] {
  const { verifies, profile } = command;
  return [
    passwordChanged(person, command),
    ...(verifies === undefined ? [] : verifyEmail(person, verifies)),
    ...(profile === undefined ? [] : [{ type: 'UserProfileChanged' as const, data: { profile } }]),
  ];
}

function passwordChanged(
  { passwordVersion, sessionEpoch, accessEpoch, passkeys }: Person,
  { passwordId, afterVersion, endAccess, removePasskeys }: PasswordChange & { readonly passwordId: string },
): UserEvent {
  if (afterVersion !== undefined && afterVersion !== passwordVersion) {
    throw new CommandRefused('conflict', 'The password was changed meanwhile.');
  }
  return {
    type: 'UserPasswordChanged',
    data: {
      version: passwordVersion + 1,
      password_id: passwordId,
      session_epoch: sessionEpoch + 1,
      ...(endAccess ? { access_epoch: accessEpoch + 1 } : {}),
      ...(removePasskeys && passkeys.length > 0 ? { passkeys_removed: true as const } : {}),
    },
  };
}

const claimLapsed = () =>
  new CommandRefused('conflict', 'The email address was not verified in time, and somebody else has it now.');
