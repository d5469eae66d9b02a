import { memberRoles } from '../../events/teams.ts';
import { field, form, hidden, button, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { radioGroup, type Option } from '../pages/parts/choices.ts';
import { en } from './texts.ts';

/** The roles to choose from. */
export const roleOptions: readonly Option[] = memberRoles.map((value) => ({ value, ...en.roles[value] }));

/** The form that invites somebody in a role to choose. */
export const inviteForm = ({
  action,
  team,
  token,
  hint,
  email = '',
  role = 'member',
  problems = {},
}: {
  readonly action: string;
  readonly team: string;
  readonly token: string;
  readonly hint: string;
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
        hint,
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
