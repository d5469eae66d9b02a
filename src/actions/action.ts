import type { z } from 'zod';
import type { Person } from '../commands/accounts/user-state.ts';
import type { Refusal } from '../ground/refusals.ts';
import type { Right } from '../events/teams-rights.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { KeyScope, MemberRole } from '../events/teams.ts';
import type { Networks } from '../ground/network.ts';
import type { MasterKey } from '../ground/master-key.ts';
import type { PersonalData } from '../personal/personal-data.ts';
import type { Change } from '../projections/until-shown.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Leases } from '../stores/leases/port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { Vault } from '../stores/vault/port.ts';

/** What actions and lists work on. */
export interface ActionParts {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly leases: Leases;
  readonly vault: Vault;
  readonly personal: PersonalData;
  readonly masterKey: MasterKey;
}

/** On whose behalf something is done. `team`: the team whose things alone exist for them. */
export type Who =
  | {
      readonly kind: 'person';
      readonly user: string;
      readonly administrator: boolean;
      readonly team?: string;
      /** In the team. Undefined: the person is no member of it. */
      readonly role?: MemberRole | undefined;
    }
  | { readonly kind: 'key'; readonly scopes: ReadonlySet<KeyScope>; readonly team?: string }
  | { readonly kind: 'operator'; readonly team?: string }
  | Visitor;

/** Whoever opens a page for everybody. Who they are is not known, even where they are signed in. */
export interface Visitor {
  readonly kind: 'visitor';
  readonly networks: Networks;
  /** The name of their browser at an account to which it is known. */
  readonly browserAt: (account: Pick<Person, 'user' | 'sessionEpoch'> | undefined) => string | undefined;
  readonly team?: undefined;
}

/** Who may do something, or read a list. The operator may do everything. */
export interface Allowed {
  /**
   * What the role in the team must allow, or an administrator of the installation, or that it is for visitors too.
   * Undefined: everybody who is signed in.
   */
  readonly right?: Right | 'administrator' | 'visitor';
  /** What a key must have. Undefined: it is not for keys. */
  readonly scope?: KeyScope;
  /** It is done in a closed team, too. */
  readonly whenClosed?: true;
}

/** Something that can be done, said once for the pages, the service API and the command line. `Parts`: what it works on. */
export interface Action<Input extends z.ZodObject, Value, Parts = ActionParts> extends Allowed {
  /** Such as `payments.record`. */
  readonly name: string;
  /** Its fields. It must take its own output, because a surface may have read it before. */
  readonly input: Input;
  /** It makes or sends something: a form that is sent twice is one command. Else each request is a command of its own. */
  readonly once?: true;
  /** By the code of a refusal: the field of the input that is wrong. */
  readonly wrongField?: Partial<Readonly<Record<Refusal, keyof z.output<Input> & string>>>;
  /** @throws CommandRefused */
  readonly run: (parts: Parts, input: z.output<Input>, by: Performing) => Promise<Performance<Value>>;
}

/** How an action is performed. */
export interface Performing {
  readonly who: Who;
  /** Of its first command. */
  readonly context: CommandContext;
  /** The context of a further command. */
  readonly another: () => CommandContext;
  /** For what must be shown before the action goes on. What it returns in `changes` is waited for anyway. */
  readonly untilShown: (changes: Change | readonly Change[]) => Promise<void>;
  /** Runs work on many things. A command line shows how far it is. */
  readonly watched: <Result>(work: WatchedWork<Result>) => Promise<Result>;
  /**
   * The result of work that may take long. Undefined: whoever asked no longer waits, and the work goes on by itself. If the
   * service stops meanwhile, they ask again, and what was done is not done twice.
   */
  readonly inTime: <Result>(working: Promise<Result>) => Promise<Result | undefined>;
}

export interface WatchedWork<Result> {
  /** Such as "Discarding". */
  readonly name: string;
  /** Of how many things. */
  readonly total: () => Promise<number>;
  /** It can be stopped, and answers how far it came. */
  readonly canStop?: true;
  readonly work: (progress: {
    readonly onProgress: (done: number) => void;
    readonly signal: AbortSignal;
  }) => Promise<Result>;
}

export interface Performance<Value> {
  /** What the read models must show before anybody is told. */
  readonly changes: Change | readonly Change[];
  /** Called when they do. */
  readonly value: () => Promise<Value> | Value;
}

/** Lets the compiler find the types of an action. */
export const action = <Input extends z.ZodObject, Value, Parts = ActionParts>(
  definition: Action<Input, Value, Parts>,
): Action<Input, Value, Parts> => definition;

/** For an action that has nothing more to say. */
export const done = (changes: Change | readonly Change[]): Performance<undefined> => ({
  changes,
  value: () => undefined,
});

/** The person who does something about themselves. */
export function personOf(who: Who): string {
  if (who.kind !== 'person') throw new Error('Only a person does this.');
  return who.user;
}

/** The visitor who does something. */
export function visitorOf(who: Who): Visitor {
  if (who.kind !== 'visitor') throw new Error('Only a visitor does this.');
  return who;
}
