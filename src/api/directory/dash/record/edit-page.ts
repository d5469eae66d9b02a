import { revise, sendAgain } from '../../../../actions/directory/records.ts';
import { RecordChanged } from '../../../../commands/directory/resource.ts';
import { streamName } from '../../../../events/define.ts';
import { resourceStream, type ResourceFields } from '../../../../events/directory/resource.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../../pages/action-form.ts';
import { notFoundView } from '../../../pages/frame/common-views.ts';
import { html } from '../../../pages/html.ts';
import { EarlyAnswer, type TeamPageContext, type View } from '../../../pages/page-context.ts';
import { changedMeanwhile } from '../../../pages/parts/changes.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { callsPath, dashRecordPath, editPath, fromCalls, sendAgainPath } from '../dash-paths.ts';
import { maySendAgain, ownSubmission } from '../own-submissions.ts';
import { organizationNames, withOrganization } from '../team-organizations.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';
import { withButtons, type Rearranged } from './form-buttons.ts';
import { inputOf, problemsOf } from './form-change.ts';
import { recordForm } from './form-view.ts';
import { comparedText, formNames, valuesIn, valuesOf, type FormValues } from './form-values.ts';
import { locationsOf } from './places-draft.ts';
import { zoneByPlace } from './zone-by-place.ts';
import { formDifferences } from './field-texts.ts';
import { positionIn, requireSnapshot, snapshotUpTo } from './snapshot.ts';

const { form: texts, own } = en;

/** Which form of a record it is. */
interface Editor {
  readonly path: (svcId: string) => string;
  readonly action: typeof revise;
  readonly submit: string;
  readonly done: 'saved' | 'sentAgain';
  /** @throws EarlyAnswer, where the person may not */
  readonly leadOf: (dependencies: PageDependencies, pageContext: TeamPageContext) => Promise<string>;
}

const editor = (of: Editor) =>
  withButtons(
    teamForm({
      path: of.path(':svcId'),
      action: of.action,
      get: (dependencies, pageContext) => editView(of, dependencies, pageContext),
      async also(pageContext, dependencies) {
        const { fields } = await snapshotOf(dependencies, pageContext);
        const input = inputOf(fields, valuesIn(pageContext.form), texts.problems);
        const named = await withOrganization(dependencies.documents, pageContext.team.team, input);
        return { ...named, svc_id: svcIdIn(pageContext), seen: positionIn(pageContext.form) };
      },
      view: (dependencies, pageContext, again) => editView(of, dependencies, pageContext, again),
      done: (pageContext, { record, changed }) =>
        isFromCalls(pageContext)
          ? redirectDone(callsPath, pageContext, changed ? 'changed' : 'unchanged')
          : redirectDone(dashRecordPath(record.svc_id), pageContext, changed ? of.done : 'unchanged'),
    }),
    (dependencies, pageContext, shown) => editView(of, dependencies, pageContext, undefined, shown),
  );

const isFromCalls = ({ query, form }: TeamPageContext): boolean =>
  [query.get('from'), form.get('from')].includes(fromCalls.from);

/** Changes a record of a team. What the form does not show stays. */
export const editPage = editor({
  path: editPath,
  action: revise,
  submit: texts.save,
  done: 'saved',
  leadOf: () => Promise.resolve(texts.moreStays),
});

/** Changes a record that waits or was rejected, by whoever submitted it, and sends it to the reviewers again. */
export const sendAgainPage = editor({
  path: sendAgainPath,
  action: sendAgain,
  submit: own.send,
  done: 'sentAgain',
  async leadOf({ documents }, pageContext) {
    const svcId = svcIdIn(pageContext);
    const submission = await ownSubmission(documents, pageContext, svcId);
    if (!submission || !maySendAgain(submission)) {
      const back = { to: ofTeam(dashRecordPath(svcId), pageContext.team.team), label: en.records.back };
      throw new EarlyAnswer(notFoundView(own.notOwn, back));
    }
    const { status, note = '' } = submission;
    return status === 'rejected' ? own.rejected(note) : own.waits;
  },
});

/** @throws CommandRefused not_found */
async function snapshotOf({ documents, store }: PageDependencies, pageContext: TeamPageContext) {
  const { svc_id } = await teamRecord(documents, pageContext.team.team, svcIdIn(pageContext));
  return requireSnapshot<ResourceFields>(store, streamName(resourceStream, svc_id));
}

async function editView(
  { path, submit, leadOf }: Editor,
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
  shown?: Rearranged,
): Promise<View> {
  const svcId = svcIdIn(pageContext);
  const lead = await leadOf(dependencies, pageContext);
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
      action: path(svcId),
      lead,
      values,
      problems: problemsOf(fields, typed, texts.problems),
      message: shown?.message,
      organizations: await organizationNames(dependencies.documents, pageContext.team.team),
      zone: await zoneByPlace(dependencies, pageContext.team.team, placed),
      // What others have saved since it was opened is said when it is saved.
      revision: shown || (again && !changed) ? positionIn(pageContext.form) : position,
      does: submit,
      ...(isFromCalls(pageContext) ? { back: callsPath, also: fromCalls } : { back: dashRecordPath(svcId) }),
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
