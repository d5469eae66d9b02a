import { isDeepStrictEqual } from 'node:util';
import { emailFieldOf, type FormDefinition } from '../events/forms/definition.ts';
import { formStream, readersOfFormerForms, type FormEvent, type FormMails } from '../events/forms/form.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { MemberRole } from '../events/teams.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, load, type Decider, type Outcome } from './command-handler.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { requireOpenTeam } from './teams/team.ts';
import { readersOfNewForms } from '../events/forms/readers.ts';
import { noKeys, refuseRemovedKeys, withKeysOf, type UsedKeys } from '../events/forms/used-keys.ts';

type OfficeNamed = Extract<FormEvent, { type: 'FormOfficeNamed' }>['data'];
export type FormOffice = OfficeNamed & { readonly confirmed: boolean };

export interface ExistingForm {
  readonly form: string;
  readonly team: string;
  readonly slug: string;
  readonly version: number;
  readonly definition: FormDefinition;
  readonly status: 'open' | 'closed';
  /** The lowest role that reads the answers. */
  readonly readers: MemberRole;
  readonly usedKeys: UsedKeys;
  readonly mails: FormMails;
  /** The address outside of the team that gets mails about answers once it is confirmed. */
  readonly office: FormOffice | undefined;
  /** After so many days answers are erased. */
  readonly keptDays: number | undefined;
}

const noMails: FormMails = { members: [], content: false, receipts: false };
export type FormState = ExistingForm | undefined;

export type FormCommand =
  | {
      readonly kind: 'publish';
      readonly team: string;
      readonly slug: string;
      readonly definition: FormDefinition;
    }
  /** `version`: the one that was looked at. Nothing is changed when there is a newer one. */
  | { readonly kind: 'revise'; readonly definition: FormDefinition; readonly version?: number }
  | { readonly kind: 'close' }
  | { readonly kind: 'reopen' }
  /** Chooses the lowest role that reads the answers. */
  | { readonly kind: 'choose readers'; readonly readers: MemberRole }
  /** Chooses who is told of answers by mail. */
  | { readonly kind: 'choose mails'; readonly mails: FormMails }
  | { readonly kind: 'name office'; readonly data: OfficeNamed }
  | { readonly kind: 'confirm office' | 'remove office'; readonly office: string }
  /** Chooses after how many days answers are erased. Undefined: never. */
  | { readonly kind: 'choose retention'; readonly days: number | undefined };

export const form: Decider<FormState, FormCommand, FormEvent> = {
  stream: formStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'FormPublished') {
      const { readers = readersOfFormerForms, ...published } = event.data;
      return {
        ...published,
        status: 'open',
        readers,
        usedKeys: withKeysOf(noKeys, published.definition),
        mails: noMails,
        office: undefined,
        keptDays: undefined,
      };
    }
    if (!state) return undefined;
    switch (event.type) {
      case 'FormRevised':
        return {
          ...state,
          ...event.data,
          usedKeys: withKeysOf(state.usedKeys, event.data.definition),
        };
      case 'FormReadersChosen':
        return { ...state, ...event.data };
      case 'FormMailsChosen':
        return { ...state, mails: event.data };
      case 'FormOfficeNamed':
        return { ...state, office: { ...event.data, confirmed: false } };
      case 'FormOfficeConfirmed':
        return { ...state, office: state.office && { ...state.office, confirmed: true } };
      case 'FormOfficeRemoved':
        return { ...state, office: undefined };
      case 'FormRetentionChosen':
        return { ...state, keptDays: event.data.days };
      case 'FormClosed':
        return { ...state, status: 'closed' };
      case 'FormReopened':
        return { ...state, status: 'open' };
    }
  },
  decide(command, state) {
    if (command.kind === 'publish') {
      const { team, slug, definition } = command;
      if (state)
        throw new CommandRefused('conflict', `The team has a form ${slug} already. Revise that one.`);
      const form = formIdOf(team, slug);
      return [
        {
          type: 'FormPublished',
          data: { form, team, slug, version: 1, definition, readers: readersOfNewForms },
        },
      ];
    }
    if (!state) throw noForm();
    switch (command.kind) {
      case 'revise':
        if (command.version !== undefined && command.version !== state.version)
          throw new CommandRefused('conflict', 'Somebody else has changed the form meanwhile.');
        if (isDeepStrictEqual(command.definition, state.definition)) return [];
        refuseRemovedKeys(state.usedKeys, state.definition, command.definition);
        return [
          { type: 'FormRevised', data: { version: state.version + 1, definition: command.definition } },
        ];
      case 'close':
        return state.status === 'closed' ? [] : [{ type: 'FormClosed', data: {} }];
      case 'reopen':
        return state.status === 'open' ? [] : [{ type: 'FormReopened', data: {} }];
      case 'choose readers':
        return state.readers === command.readers
          ? []
          : [{ type: 'FormReadersChosen', data: { readers: command.readers } }];
      case 'choose mails':
        if (command.mails.receipts && !emailFieldOf(state.definition))
          throw new CommandRefused(
            'invalid',
            'receipts: the form has no field for an email address, so nobody can get a receipt.',
          );
        return isDeepStrictEqual(state.mails, command.mails)
          ? []
          : [{ type: 'FormMailsChosen', data: command.mails }];
      case 'name office':
        return state.office?.office === command.data.office
          ? []
          : [{ type: 'FormOfficeNamed', data: command.data }];
      case 'confirm office':
        if (state.office?.office !== command.office) throw noOffice();
        return state.office.confirmed
          ? []
          : [{ type: 'FormOfficeConfirmed', data: { office: command.office } }];
      case 'remove office':
        return state.office?.office === command.office
          ? [{ type: 'FormOfficeRemoved', data: { office: command.office } }]
          : [];
      case 'choose retention': {
        const { days } = command;
        if (days === state.keptDays) return [];
        return [{ type: 'FormRetentionChosen', data: days === undefined ? {} : { days } }];
      }
    }
  },
};

export const noForm = (): CommandRefused => new CommandRefused('not_found', 'The team has no such form.');

const noOffice = (): CommandRefused =>
  new CommandRefused('not_found', 'The team has removed this address, or has named another one.');

/** The id of a form. The slug of a form never changes. */
export const formIdOf = (team: string, slug: string): string => uuidOf('form', team, slug);

type FormOutcome = Outcome<FormState, FormEvent>;

interface FormName {
  readonly team: string;
  readonly slug: string;
}

/**
 * Publishes a form of a team.
 * @throws CommandRefused not_found, conflict
 * @throws InvalidEvent naming the part of the definition that is wrong
 */
export async function publishForm(
  store: EventStore,
  { team, slug }: FormName,
  definition: FormDefinition,
  context: CommandContext,
): Promise<FormOutcome> {
  await requireOpenTeam(store, team);
  return execute(store, form, formIdOf(team, slug), { kind: 'publish', team, slug, definition }, context);
}

/**
 * Revises, closes or reopens a form of a team, or chooses who reads its answers.
 * @throws CommandRefused not_found, invalid
 * @throws InvalidEvent naming the part of the definition that is wrong
 */
export const commandForm = (
  store: EventStore,
  { team, slug }: FormName,
  command: Exclude<FormCommand, { readonly kind: 'publish' }>,
  context: CommandContext,
): Promise<FormOutcome> => execute(store, form, formIdOf(team, slug), command, context);

/** The form of a team as it stands. @throws CommandRefused not_found */
export async function requireForm(store: EventStore, { team, slug }: FormName): Promise<ExistingForm> {
  const { state } = await load(store, form, formIdOf(team, slug));
  if (!state) throw noForm();
  return state;
}
