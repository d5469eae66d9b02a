import { submit } from '../../../../actions/directory/records.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../../pages/action-form.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { paths } from '../../../pages/paths.ts';
import { dashRecordPath, newRecordPath } from '../dash-paths.ts';
import { organizationNames, withOrganization } from '../team-organizations.ts';
import { en } from '../texts.ts';
import { withButtons, type Rearranged } from './form-buttons.ts';
import { inputOf, problemsOf } from './form-change.ts';
import { recordForm } from './form-view.ts';
import { valuesIn } from './form-values.ts';
import { locationsOf } from './places-draft.ts';
import { zoneByPlace } from './zone-by-place.ts';

const { form: texts } = en;

/** Submits a record to the directory of a team. */
export const newRecordPage = withButtons(
  teamForm({
    path: newRecordPath,
    action: submit,
    get: (dependencies, pageContext) => newView(dependencies, pageContext),
    also: ({ form, team }, { documents }) =>
      withOrganization(documents, team.team, inputOf({}, valuesIn(form), texts.problems)),
    view: newView,
    done: (pageContext, { record }) => redirectDone(dashRecordPath(record.svc_id), pageContext, 'submitted'),
  }),
  (dependencies, pageContext, shown) => newView(dependencies, pageContext, undefined, shown),
);

async function newView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
  shown?: Rearranged,
): Promise<View> {
  const values = shown?.values ?? valuesIn(pageContext.form);
  const missing = Object.fromEntries(
    (['name', 'category'] as const)
      .filter((name) => values[name] === '')
      .map((name) => [name, texts.problems.missing]),
  );
  const placed = locationsOf(values.places).map(({ location }) => location);
  return {
    title: texts.newTitle,
    content: recordForm(pageContext, again, {
      action: newRecordPath,
      lead: texts.newLead,
      values,
      problems: { ...problemsOf({}, values, texts.problems), ...missing },
      message: shown?.message,
      organizations: await organizationNames(dependencies.documents, pageContext.team.team),
      zone: await zoneByPlace(dependencies, pageContext.team.team, placed),
      does: texts.submit,
      back: paths.directory,
    }),
  };
}
