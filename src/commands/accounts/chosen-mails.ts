import type { CommandContext } from '../../events/metadata.ts';
import { personOf } from '../../personal/personal-data.ts';
import { execute } from '../command-handler.ts';
import { requirePerson, type PersonOutcome, type PersonParts } from './person.ts';
import type { Person } from './user-state.ts';
import { user } from './user.ts';

/** Mails about what became of the records that somebody submitted. */
export interface ChosenMails {
  readonly decisions: boolean;
  /** Its code. */
  readonly language: string;
}

/** What a person chose. Who has not chosen gets the mails, in no language of their own. */
export async function chosenMails(
  { personal }: Pick<PersonParts, 'personal'>,
  person: Pick<Person, 'user' | 'mails'>,
): Promise<Pick<ChosenMails, 'decisions'> & Partial<ChosenMails>> {
  if (!person.mails) return { decisions: true };
  const language = await personal.open<string>(personOf(person.user), person.mails.language_sealed);
  return { decisions: person.mails.decisions, ...(language !== undefined && { language }) };
}

/** @throws CommandRefused not_found */
export async function chooseMails(
  { store, personal }: PersonParts,
  userId: string,
  { decisions, language }: ChosenMails,
  context: CommandContext,
): Promise<PersonOutcome> {
  await requirePerson({ store }, userId);
  const data = { decisions, language_sealed: await personal.seal(personOf(userId), language) };
  return execute(store, user, userId, { kind: 'choose-mails', data }, context);
}
