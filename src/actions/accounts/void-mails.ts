import { readLink, type LinkPurpose } from '../../commands/accounts/one-time-links.ts';
import { readInvitationLink } from '../../commands/teams/invitation-link.ts';
import { invitationState } from '../../commands/teams/membership.ts';
import { findTeam } from '../../commands/teams/team.ts';
import type { Person } from '../../commands/accounts/user-state.ts';
import { personOf } from '../../personal/personal-data.ts';
import type { WaitingMail } from '../../mail/outbox.ts';
import type { ActionParts } from '../action.ts';
import { linkedPages } from '../linked-pages.ts';
import type { MailParts } from './account-mails.ts';
import { pendingChange } from './pending-address.ts';

type Parts = ActionParts & MailParts;

/**
 * Removes waiting emails whose link no longer works: it was used, withdrawn, replaced, has expired, or its account is erased.
 * `to`: only those to this address.
 */
export async function removeVoidMails(parts: Parts, to?: string): Promise<void> {
  const waiting = (await parts.outbox.waiting()).filter((mail) => to === undefined || mail.to === to);
  const gone: WaitingMail[] = [];
  for (const mail of waiting) if (await isVoid(parts, mail.text)) gone.push(mail);
  await parts.outbox.discard(gone);
}

/** The same of those to the address of a person. */
export async function removeVoidMailsOf(
  parts: Parts,
  { user, email_sealed }: Pick<Person, 'user' | 'email_sealed'>,
): Promise<void> {
  const address = await parts.personal.open<string>(personOf(user), email_sealed);
  if (address !== undefined) await removeVoidMails(parts, address);
}

/** By the page that a link leads to: whether it works no more. `team`: the rest of the path. */
const checks: Readonly<Record<string, (parts: Parts, link: string, team: string) => Promise<boolean>>> = {
  [linkedPages.verify]: (parts, link) => isUsed(parts, 'verify-email', link),
  [linkedPages.newPassword]: (parts, link) => isUsed(parts, 'reset-password', link),
  [linkedPages.confirmEmail]: async (parts, link) => (await pendingChange(parts, link)) === undefined,
  [linkedPages.join]: async ({ store, vault, now }, link, team) => {
    const invitation = await readInvitationLink(vault, { team, link });
    const state = await findTeam(store, team);
    if (invitation === undefined || !state) return true;
    return invitationState(state, invitation, now()).is !== 'open';
  },
};

async function isUsed(parts: Parts, purpose: LinkPurpose, link: string): Promise<boolean> {
  return (await readLink(parts, { link, purpose, at: parts.now() })) === undefined;
}

async function isVoid(parts: Parts, text: string): Promise<boolean> {
  const address = /https?:\/\/\S+[?](?:link|confirm)=\S+/.exec(text)?.[0];
  if (address === undefined) return false;
  const { pathname, searchParams } = new URL(address);
  const link = searchParams.get('link') ?? searchParams.get('confirm') ?? '';
  const [page, check] = Object.entries(checks).find(([path]) => pathname.startsWith(path)) ?? [];
  return page !== undefined && check !== undefined && check(parts, link, pathname.slice(page.length + 1));
}
