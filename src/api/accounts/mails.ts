import { chooseMails, mailsOf } from '../../actions/accounts/own-account.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { personForm } from '../pages/action-form.ts';
import { checkbox, notice } from '../pages/controls.ts';
import { languages, preferred } from '../pages/frame/language.ts';
import { textsIn } from '../pages/frame/texts.ts';
import { html } from '../pages/html.ts';
import { redirectTo, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { selectField } from '../pages/parts/choices.ts';
import { formCard } from '../pages/parts/form-card.ts';
import { paths } from '../pages/paths.ts';

/** Whether the person hears by mail what became of the records that they submitted, and in which language. */
export const mailsPage = personForm({
  path: paths.mails,
  action: chooseMails,
  get: mailsView,
  also: ({ form }) => ({ decisions: ticked(form.get('decisions')), language: form.get('language') ?? '' }),
  view: mailsView,
  done: () => redirectTo(`${paths.me}?done=mails`),
});

/** Undefined: the page sends no such value. */
const ticked = (value: string | null): boolean | undefined =>
  value === null || value === 'yes' ? value === 'yes' : undefined;

async function mailsView(dependencies: PageDependencies, pageContext: SignedInPageContext): Promise<View> {
  const { currentUser, request } = pageContext;
  const {
    verified,
    decisions,
    language = preferred(request.headers['accept-language']),
  } = await mailsOf(dependencies, currentUser.person.user);
  const reach =
    dependencies.config.smtpUrl === undefined
      ? texts.noMailServer
      : verified
        ? undefined
        : texts.notConfirmed;
  return {
    title: texts.title,
    content: html`${reach === undefined ? '' : notice(reach, 'plain')}
      <p class="lead">${texts.lead}</p>
      ${formCard(pageContext, {
        action: paths.mails,
        content: html`${checkbox({ name: 'decisions', label: texts.decisions, ticked: decisions })}
        ${selectField({
          name: 'language',
          label: texts.language,
          options: languages.map((value) => ({ value, label: textsIn(value).language })),
          value: language,
        })}`,
        submit: 'Save',
      })}`,
  };
}

const texts = {
  title: 'Mails',
  lead: 'When somebody has decided about records that you submitted, you hear it in one mail, at most once an hour. Your teams show it at any time.',
  decisions: 'Send me a mail when somebody has decided about records that I submitted',
  language: 'Language of these mails',
  noMailServer:
    'This service has no mail server, so no mails are sent. Your choice counts as soon as it has one.',
  notConfirmed: 'Your email address is not confirmed. No mails go there until it is.',
} as const;
