import { z } from 'zod';
import { commandForm, formIdOf, noForm, publishForm, type FormCommand } from '../commands/forms.ts';
import { eraseSubmission } from '../commands/forms-submissions.ts';
import { requireTeam } from '../commands/teams/team.ts';
import { slug } from '../events/define.ts';
import { formMails, keptDays } from '../events/forms/form.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { withdrawAnswerMails } from './forms-mails.ts';
import { formDefinition } from '../events/forms/definition.ts';
import { memberRole } from '../events/teams.ts';
import { forms, type FormDocument } from '../projections/forms.ts';
import type { Listing } from './listing.ts';
import { action, type ActionParts, type Performing } from './action.ts';

/** The forms of a team, closed ones too. */
export const formList: Listing<FormDocument, FormDocument> = {
  name: 'forms',
  right: 'see the team',
  scope: 'forms:read',
  readModel: forms,
  orderBy: ['slug'],
  id: z.uuid(),
  none: noForm,
  open: (_, docs) => Promise.resolve(docs),
};

const right = 'change forms';

/** Publishes a form of a team. Its slug cannot be changed later. */
export const publish = action({
  name: 'forms.publish',
  right,
  input: z.object({ slug, definition: formDefinition }),
  once: true,
  async run({ store }, { slug: name, definition }, { who: { team = '' }, context }) {
    const changes = await publishForm(store, { team, slug: name }, definition, context);
    return { changes, value: () => ({ form: formIdOf(team, name), path: `/f/${team}/${name}` }) };
  },
});

/** Changes what a form says and asks. `version`: the one that was looked at; a newer one is not overwritten. */
export const revise = action({
  name: 'forms.revise',
  right,
  input: z.object({ slug, definition: formDefinition, version: z.int().optional() }),
  once: true,
  run: (parts, { slug: name, definition, version }, by) =>
    changed(parts, name, { kind: 'revise', definition, ...(version !== undefined && { version }) }, by),
});

const changeTo = (kind: 'close' | 'reopen') =>
  action({
    name: `forms.${kind}`,
    right,
    input: z.object({ slug }),
    run: (parts, { slug: name }, by) => changed(parts, name, { kind }, by),
  });

/** Closes a form: it takes no more submissions. */
export const close = changeTo('close');

/** Opens a form again. */
export const reopen = changeTo('reopen');

/** Chooses the lowest role that reads the answers to a form. */
export const chooseReaders = action({
  name: 'forms.choose-readers',
  right,
  input: z.object({ slug, readers: memberRole }),
  run: (parts, { slug: name, readers }, by) => changed(parts, name, { kind: 'choose readers', readers }, by),
});

/** Chooses which members are told of answers by mail, and whether senders may ask for a receipt. */
export const chooseMails = action({
  name: 'forms.choose-mails',
  right,
  input: z.object({ slug, ...formMails.shape }),
  async run(parts, { slug: name, ...mails }, by) {
    const { members } = await requireTeam(parts.store, by.who.team ?? '');
    const stranger = mails.members.find((user) => !members.has(user));
    if (stranger !== undefined)
      throw new CommandRefused('invalid', 'members: only members of the team are told by mail.');
    return changed(parts, name, { kind: 'choose mails', mails }, by);
  },
});

/** Chooses after how many days answers are erased by themselves. Without a number: they are kept. */
export const chooseRetention = action({
  name: 'forms.choose-retention',
  right,
  input: z.object({ slug, days: keptDays.optional() }),
  run: (parts, { slug: name, days }, by) => changed(parts, name, { kind: 'choose retention', days }, by),
});

async function changed(
  { store }: ActionParts,
  name: string,
  command: Exclude<FormCommand, { readonly kind: 'publish' }>,
  { who: { team = '' }, context }: Performing,
) {
  const changes = await commandForm(store, { team, slug: name }, command, context);
  const { status = 'open', version = 1, readers = 'admin' } = changes.state ?? {};
  return { changes, value: () => ({ form: formIdOf(team, name), status, version, readers }) };
}

/** Erases what somebody has sent with a form, for ever. */
export const erase = action({
  name: 'forms.erase-submission',
  right,
  input: z.object({ submission: z.uuid() }),
  async run(parts, { submission }, { who: { team }, context }) {
    const by = team === undefined ? {} : { asTeam: team };
    const changes = await eraseSubmission(parts, submission, by, context);
    if (changes.state) await withdrawAnswerMails(parts, changes.state.form);
    return { changes, value: () => submission };
  },
});
