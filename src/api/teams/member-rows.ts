import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import { memberRoles, type MemberRole } from '../../events/teams/team.ts';
import { invitations } from '../../projections/teams/invitations.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { field, form, hidden, button, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { radioGroup, type Option } from '../pages/parts/choices.ts';
import { en } from './texts.ts';

/** More invitations than this are not open at once: a team may send that many in a few days only. */
const mostWaiting = 200;

/** An invitation that was not used yet, with its address. */
export interface WaitingInvitation {
  readonly invitation: string;
  readonly email: string | undefined;
  readonly role: MemberRole;
  readonly invited_at: string;
  readonly expires_at: string;
}

/** The open invitations of a team, the oldest first. */
export async function waitingInvitations(
  { documents, personal }: PageDependencies,
  team: string,
): Promise<WaitingInvitation[]> {
  const found = await documents.collection(invitations.collection).page({
    where: { team, status: 'open' },
    orderBy: ['invited_at', 'invitation'],
    limit: mostWaiting,
  });
  const addresses = await personal.openMany(
    found.map(({ invitation, email_sealed = '' }) => ({
      holder: invitationOf(invitation),
      sealed: email_sealed,
    })),
  );
  return found.map(({ invitation, role, invited_at, expires_at }, place) => ({
    invitation,
    email: addresses[place] as string | undefined,
    role,
    invited_at,
    expires_at,
  }));
}

/** The roles to choose from. */
export const roleOptions: readonly Option[] = memberRoles.map((value) => ({ value, ...en.roles[value] }));

/** The form that invites somebody in a role to choose. */
export const inviteForm = ({
  action,
  team,
  token,
  email = '',
  role = 'member',
  problems = {},
}: {
  readonly action: string;
  readonly team: string;
  readonly token: string;
  readonly email?: string;
  readonly role?: string;
  readonly problems?: Problems;
}): Html =>
  form({
    action,
    token,
    label: en.members.invite,
    content: html`${hidden('team', team)}
      ${field({
        name: 'email',
        label: en.members.email,
        type: 'email',
        hint: en.members.inviteHint,
        value: email,
        autocomplete: 'off',
        error: problems['email'],
      })}
      ${radioGroup({
        name: 'role',
        label: en.members.role,
        options: roleOptions,
        value: role,
        error: problems['role'],
      })}
      <div class="choices">${button(en.members.send)}</div>`,
  });
