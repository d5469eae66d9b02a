import { submitResource } from '../../../../commands/directory/resource.ts';
import type { ResourceInput } from '../../../../commands/directory/field-changes.ts';
import { untilShown } from '../../../../projections/until-shown.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { button, form, hidden, notice, when, type Problems } from '../../../pages/controls.ts';
import { html } from '../../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../../pages/paths.ts';
import { dashRecordPath, newRecordPath } from '../dash-paths.ts';
import { en } from '../texts.ts';
import { changeOf, problemsOf } from './form-change.ts';
import { recordFields } from './form-view.ts';
import { valuesIn, valuesOf, type FormValues } from './form-values.ts';

const { form: texts } = en;

/** Submits a record to the directory of a team. */
export function newRecordPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'submit records',
    path: newRecordPath,
    get: (pageContext) => newView(pageContext, valuesOf({})),
    async post(pageContext) {
      const { team } = pageContext;
      const typed = valuesIn(pageContext.form);
      const given = changeOf({}, typed);
      const problems = problemsOf({ name: null, category: null, ...given }, texts.problems);
      if (Object.keys(problems).length > 0) return newView(pageContext, typed, problems);
      const fields = given as ResourceInput;
      const outcome = await submitResource(
        dependencies,
        { team: team.team, fields },
        pageContext.onceContext(),
      );
      await untilShown(dependencies.documents, outcome);
      return redirectDone(dashRecordPath(outcome.state?.svc_id ?? ''), pageContext, 'submitted');
    },
  };
}

function newView({ team, formToken }: TeamPageContext, values: FormValues, problems?: Problems): View {
  return {
    title: texts.newTitle,
    ...(problems ? { status: 422 } : {}),
    content: html`<p class="lead">${texts.newLead}</p>
      ${when(problems !== undefined, notice(texts.wrong, 'wrong'))}
      ${form({
        action: newRecordPath,
        token: formToken,
        content: html`${hidden('team', team.team)}${recordFields(values, problems)}
          <div class="choices">
            ${button(texts.submit)}
            <a class="button secondary" href="${ofTeam(paths.directory, team.team)}">${texts.cancel}</a>
          </div>`,
      })}`,
  };
}
