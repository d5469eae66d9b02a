import { z } from 'zod';
import { erasingEvent } from '../commands/erasing-event.ts';
import { commandForm, formIdOf, requireForm, type ExistingForm } from '../commands/forms.ts';
import { requireTeam } from '../commands/teams/team.ts';
import { normalAddress, writtenAddress } from '../events/accounts/email-address.ts';
import { slug, streamName } from '../events/define.ts';
import { formStream } from '../events/forms/form.ts';
import { uuidOf } from '../events/ids.ts';
import type { CommandContext } from '../events/metadata.ts';
import { CommandRefused } from '../ground/refusals.ts';
import type { SealedValue } from '../ground/seal.ts';
import { Outbox } from '../mail/outbox.ts';
import { formOfficeOf } from '../personal/personal-data.ts';
import type { FormDocument } from '../projections/forms.ts';
import type { Limits } from '../stores/limits/port.ts';
import { action, done, type ActionParts } from './action.ts';
import { answerMailsOf } from './forms-mails.ts';
import { confirmLinks, stopLinks, weekSeconds, type OfficeLink } from './teams/office-links.ts';
import { linkedPages } from './linked-pages.ts';

type Parts = ActionParts & {
  readonly limits: Limits;
  readonly config: { readonly smtpUrl?: string | undefined };
  readonly issuer: () => string;
};

/** Names an address outside of the team. It gets one mail, with the link that confirms it, and no other before that. */
export const nameOffice = action({
  name: 'forms.name-office',
  right: 'change forms',
  input: z.object({
    slug,
    address: z
      .string()
      .max(254)
      .refine((text) => normalAddress(text) !== undefined, { message: 'is no email address' }),
    content: z.boolean(),
  }),
  once: true,

  async run(parts: Parts, { slug: name, address, content }, { who: { team = '' }, context }) {
    const { store, personal, config, limits, masterKey, issuer } = parts;
    if (config.smtpUrl === undefined)
      throw new CommandRefused('conflict', 'This service has no mail server, so no mails are sent.');
    const before = await requireForm(store, { team, slug: name });
    const to = writtenAddress(address);
    const { seconds } = await limits.take(['receipt-address', normalAddress(to) ?? to]);
    if (seconds > 0)
      throw new CommandRefused('conflict', 'This address has got several mails today. Try again tomorrow.');
    const office = uuidOf(context.commandId, 'form-office');
    const holder = formOfficeOf(office);
    await personal.begin(holder);
    const data = { office, address_sealed: await personal.seal(holder, to), content };
    const changes = await commandForm(store, { team, slug: name }, { kind: 'name office', data }, context);
    if (before.office && before.office.office !== office) await forget(parts, before, before.office.office);
    const { name: teamName } = await requireTeam(store, team);
    const link = confirmLinks(masterKey).seal({ team, slug: name, office }, context.at);
    await new Outbox(parts).putOnce(
      {
        to,
        ...confirmingMail(titleOf(before), teamName, `${issuer()}${linkedPages.confirmOffice}?link=${link}`),
      },
      {
        key: confirmationKey(office),
        at: context.at,
        until: new Date(context.at.getTime() + weekSeconds * 1_000),
      },
    );
    return done(changes);
  },
});

/** Removes the address outside of the team. */
export const removeOffice = action({
  name: 'forms.remove-office',
  right: 'change forms',
  input: z.object({ slug }),
  async run(parts: ActionParts, { slug: name }, { who: { team = '' }, context }) {
    const { office } = await requireForm(parts.store, { team, slug: name });
    return done(office ? await remove(parts, { team, slug: name, office: office.office }, context) : []);
  },
});

/** By the link that was mailed to the address. */
export const confirmOffice = action({
  name: 'forms.confirm-office',
  right: 'visitor',
  input: z.object({ link: z.string() }),
  async run({ store, masterKey }: ActionParts, { link }, { context }) {
    const { office, ...of } = opened(confirmLinks(masterKey), link, context.at);
    return done(await commandForm(store, of, { kind: 'confirm office', office }, byReader(context)));
  },
});

/** By the link in each mail to the address. */
export const stopOffice = action({
  name: 'forms.stop-office',
  right: 'visitor',
  input: z.object({ link: z.string() }),
  async run(parts: ActionParts, { link }, { context }) {
    const about = opened(stopLinks(parts.masterKey), link, context.at);
    return done(await remove(parts, about, byReader(context)));
  },
});

/** The form that a link is about, while the address is named. Undefined: the link is not valid, or no longer. */
export async function officeLinkOf(
  { store, masterKey }: Pick<ActionParts, 'store' | 'masterKey'>,
  kind: 'confirm' | 'stop',
  link: string,
  at: Date,
): Promise<{ readonly title: string; readonly team: string; readonly content: boolean } | undefined> {
  const about = (kind === 'confirm' ? confirmLinks : stopLinks)(masterKey).open(link, at);
  const form = about && (await requireForm(store, about));
  if (!form?.office || form.office.office !== about?.office) return undefined;
  const { name } = await requireTeam(store, form.team);
  return { title: titleOf(form), team: name, content: form.office.content };
}

/** The address, for the admins of the team. Undefined: there is none. */
export const officeAddressOf = async (
  { personal }: Pick<ActionParts, 'personal'>,
  { office, office_address_sealed }: Pick<FormDocument, 'office' | 'office_address_sealed'>,
): Promise<string | undefined> =>
  office && office_address_sealed !== undefined
    ? personal.open<string>(formOfficeOf(office.office), office_address_sealed)
    : undefined;

/** Whoever has the link reads the mail of the address; who they are is not known. */
const byReader = (context: CommandContext): CommandContext => ({
  ...context,
  actor: { kind: 'system', id: 'form-office' },
});

function opened(links: SealedValue<OfficeLink>, link: string, at: Date): OfficeLink {
  const about = links.open(link, at);
  if (!about) throw new CommandRefused('not_found', 'This link no longer works.');
  return about;
}

async function remove(parts: ActionParts, { office, ...of }: OfficeLink, context: CommandContext) {
  await parts.personal.readyToErase();
  const changes = await commandForm(parts.store, of, { kind: 'remove office', office }, context);
  const stream = streamName(formStream, formIdOf(of.team, of.slug));
  const event = erasingEvent(changes, stream, context);
  if (event !== undefined && changes.state) await forget(parts, changes.state, office, event);
  return changes;
}

/** Removes the mails to it that wait, and makes the address unreadable. */
async function forget(
  parts: ActionParts,
  { form }: ExistingForm,
  office: string,
  event?: string,
): Promise<void> {
  const outbox = new Outbox(parts);
  await outbox.withdraw([confirmationKey(office)]);
  await outbox.withdrawBeginning(answerMailsOf(form, office));
  await parts.personal.erase(formOfficeOf(office), event);
}

const confirmationKey = (office: string): string => `form-office-${office}`;

const titleOf = ({ definition, slug: name }: Pick<ExistingForm, 'definition' | 'slug'>): string =>
  definition.title[definition.languages[0] ?? 'en'] ?? name;

const confirmingMail = (title: string, team: string, link: string) => ({
  subject: `Mails about answers to ${title}`,
  text: `Hello,

an admin of ${team} has asked that mails about answers to the form “${title}” go to this email address. If you want them,
open this link and confirm it:

${link}

The link works for a week. If you do not want them, do nothing: without the link no such mail comes.

Commonweal
`,
});
