import { submit } from '../../../../actions/directory/records.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../../pages/action-form.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { paths } from '../../../pages/paths.ts';
import { dashRecordPath, newRecordPath } from '../dash-paths.ts';
import { en } from '../texts.ts';
import { changeOf, problemsOf } from './form-change.ts';
import { recordForm } from './form-view.ts';
import { valuesIn } from './form-values.ts';

const { form: texts } = en;

/** Submits a record to the directory of a team. */
export const newRecordPage = teamForm({
  path: newRecordPath,
  action: submit,
  get: (dependencies, pageContext) => newView(dependencies, pageContext),
  also: ({ form }) => changeOf({}, valuesIn(form)),
  view: newView,
  done: (pageContext, { record }) => redirectDone(dashRecordPath(record.svc_id), pageContext, 'submitted'),
});

function newView(_: PageDependencies, pageContext: TeamPageContext, again?: Again): View {
  const values = valuesIn(pageContext.form);
  return {
    title: texts.newTitle,
    content: recordForm(pageContext, again, {
      action: newRecordPath,
      lead: texts.newLead,
      values,
      problems: problemsOf({ name: null, category: null, ...changeOf({}, values) }, texts.problems),
      does: texts.submit,
      back: paths.directory,
    }),
  };
}
