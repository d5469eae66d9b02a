import { revise } from '../../../../actions/directory/records.ts';
import { RecordChanged } from '../../../../commands/directory/resource.ts';
import { streamName } from '../../../../events/define.ts';
import { resourceStream, type ResourceFields } from '../../../../events/directory/resource.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../../pages/action-form.ts';
import { html } from '../../../pages/html.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { changedMeanwhile } from '../../../pages/parts/changes.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { dashRecordPath, editPath } from '../dash-paths.ts';
import { organizationNames, withOrganization } from '../team-organizations.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';
import { withButtons, type Rearranged } from './form-buttons.ts';
import { inputOf, problemsOf } from './form-change.ts';
import { recordForm } from './form-view.ts';
import { comparedText, formNames, valuesIn, valuesOf, type FormValues } from './form-values.ts';
import { locationsOf } from './places-draft.ts';
import { zoneByPlace } from './zone-by-place.ts';
import { formDifferences } from './said-fields.ts';
import { positionIn, requireSnapshot, snapshotUpTo } from './snapshot.ts';

const { form: texts } = en;

/** Changes a record of a team. What the form does not show stays. */
export const editPage = withButtons(
  teamForm({
    path: editPath(':svcId'),
    action: revise,
    get: (dependencies, pageContext) => editView(dependencies, pageContext),
    async also(pageContext, dependencies) {
      const { fields } = await snapshotOf(dependencies, pageContext);
      const input = inputOf(fields, valuesIn(pageContext.form), texts.problems);
      const named = await withOrganization(dependencies.documents, pageContext.team.team, input);
      return { ...named, svc_id: svcIdIn(pageContext), seen: positionIn(pageContext.form) };
    },
    view: editView,
    done: (pageContext, { record, changed }) =>
      redirectDone(dashRecordPath(record.svc_id), pageContext, changed ? 'saved' : 'unchanged'),
  }),
  (dependencies, pageContext, shown) => editView(dependencies, pageContext, undefined, shown),
);

/** @throws CommandRefused not_found */
async function snapshotOf({ documents, store }: PageDependencies, pageContext: TeamPageContext) {
  const { svc_id } = await teamRecord(documents, pageContext.team.team, svcIdIn(pageContext));
  return requireSnapshot<ResourceFields>(store, streamName(resourceStream, svc_id));
}

async function editView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
  shown?: Rearranged,
): Promise<View> {
  const svcId = svcIdIn(pageContext);
  const typed = valuesIn(pageContext.form);
  const changed = again?.refused instanceof RecordChanged ? again.refused : undefined;
  const { fields, position } = changed ?? (await snapshotOf(dependencies, pageContext));
  const theirs = valuesOf(fields);
  const opened =
    changed &&
    (await snapshotUpTo<ResourceFields>(
      dependencies.store,
      streamName(resourceStream, svcId),
      positionIn(pageContext.form),
    ));
  const values = opened
    ? withTyped(theirs, valuesOf(opened.fields), typed)
    : (shown?.values ?? (again ? typed : theirs));
  const placed = locationsOf(values.places, fields.locations).map(({ location }) => location);
  return {
    title: texts.editTitle(fields.name),
    content: html`${changed ? changedMeanwhile(formDifferences(theirs, values)) : ''}
    ${recordForm(pageContext, again, {
      action: editPath(svcId),
      lead: texts.moreStays,
      values,
      problems: problemsOf(fields, typed, texts.problems),
      said: shown?.said,
      organizations: await organizationNames(dependencies.documents, pageContext.team.team),
      zone: await zoneByPlace(dependencies, pageContext.team.team, placed),
      // What others have saved since it was opened is said when it is saved.
      revision: shown || (again && !changed) ? positionIn(pageContext.form) : position,
      does: texts.save,
      back: dashRecordPath(svcId),
    })}`,
  };
}

/** What somebody else has saved meanwhile, and ours where we typed. What we left as it was is as they have saved it. */
const withTyped = (theirs: FormValues, opened: FormValues, typed: FormValues): FormValues =>
  Object.fromEntries(
    formNames.map((name) => {
      const isOurs = comparedText(typed, name) !== comparedText(opened, name);
      return [name, isOurs ? typed[name] : theirs[name]];
    }),
  ) as unknown as FormValues;
