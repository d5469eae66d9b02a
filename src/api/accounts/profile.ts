import { saveProfile } from '../../actions/accounts/own-account.ts';
import { inputFields, personForm, type Again, type InputField } from '../pages/action-form.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';
import { nameField, profileField } from './person-fields.ts';

const fieldsOf = ({ currentUser: { profile } }: SignedInPageContext): readonly InputField[] => [
  { ...nameField, value: profile.name },
  profileField({
    name: 'username',
    label: 'Username',
    value: profile.username,
    autocomplete: 'nickname',
    optional: true,
    wrong: 'A username has up to 60 letters and digits, with dots, hyphens and underscores between them.',
  }),
  profileField({
    name: 'picture',
    label: 'Picture',
    type: 'url',
    value: profile.picture,
    hint: 'The address of a picture of you. Sites can see it; our own pages show your initials.',
    autocomplete: 'photo',
    optional: true,
    wrong: 'Enter an address that begins with https://.',
  }),
  profileField({
    name: 'phone',
    label: 'Phone',
    type: 'tel',
    value: profile.phone,
    autocomplete: 'tel',
    optional: true,
    wrong: 'This is not a phone number. It should look like +1 555 0100.',
  }),
];

/** The profile of a person. Sites with access to it can see it. */
export const profile = personForm({
  path: paths.profile,
  action: saveProfile,
  get: profileView,
  fields: (_, pageContext) => fieldsOf(pageContext),
  view: profileView,
  done: () => redirectTo(`${paths.me}?done=profile`),
});

function profileView(_: unknown, pageContext: SignedInPageContext, { problems }: Again): View {
  return {
    title: 'Profile',
    content: html`<p class="lead">Sites with access to your profile can see this.</p>
      ${formCard(pageContext, {
        action: paths.profile,
        content: inputFields(fieldsOf(pageContext), pageContext.form, problems),
        submit: 'Save',
      })}`,
  };
}
