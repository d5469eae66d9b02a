import { formIdOf } from '../../../commands/forms.ts';
import { mayReadAnswers } from '../../../events/forms/readers.ts';
import { hasRight } from '../../../events/teams-rights.ts';
import { slug } from '../../../events/define.ts';
import { forms, type FormDocument } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { html } from '../../pages/html.ts';
import type { Answer, TeamPageContext, View } from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { en } from './texts.ts';

export const newFormPath = `${paths.forms}/new`;

/** The page of one form. No form can be called so that it hides another page. */
export const formPagePath = (of: string): string => `${paths.teamForm}/${of}`;

export const settingsPath = (of: string): string => `${formPagePath(of)}/settings`;

/** Whether the person may publish, change and close forms of the team. */
export const changesForms = ({ currentUser, team }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'change forms');

/** Whether the person may read the answers to the form. */
export const readsAnswers = ({ currentUser, team }: TeamPageContext, form: FormDocument): boolean =>
  currentUser.person.role === 'administrator' || mayReadAnswers(team.role, form);

/** For somebody whose role does not read the answers to the form. */
export const notReaderView = ({ team }: TeamPageContext, { slug, readers }: FormDocument): View => ({
  title: en.readers.refusedTitle,
  status: 403,
  content: html`<p>${en.readers.refused[readers]}</p>
    <p><a href="${ofTeam(formPagePath(slug), team.team)}">${en.readers.back}</a></p>`,
});

/** Answers for the form in the address, or that the team has no such form. */
export const ofForm =
  (
    dependencies: PageDependencies,
    handle: (pageContext: TeamPageContext, form: FormDocument) => Promise<Answer> | Answer,
  ) =>
  async (pageContext: TeamPageContext): Promise<Answer> => {
    const form = await formIn(dependencies, pageContext);
    return form ? handle(pageContext, form) : noFormView(pageContext);
  };

async function formIn(
  { documents }: PageDependencies,
  { request, team }: TeamPageContext,
): Promise<FormDocument | undefined> {
  const { form = '' } = request.params as { readonly form?: string };
  if (!slug.safeParse(form).success) return undefined;
  return documents.collection(forms.collection).get(formIdOf(team.team, form));
}

const noFormView = ({ team }: TeamPageContext): View =>
  notFoundView(en.one.none, { to: ofTeam(paths.forms, team.team), label: en.back });
