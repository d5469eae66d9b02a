import { add, revise } from '../../../actions/directory/organizations.ts';
import { OrganizationChanged } from '../../../commands/directory/organization.ts';
import { streamName } from '../../../events/define.ts';
import { organizationStream, type OrganizationFields } from '../../../events/directory/organization.ts';
import { inTitleCase } from '../../../events/directory/shown-name.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { inputFields, teamForm, Wrong, type Again, type InputField } from '../../pages/action-form.ts';
import { button, form, hidden, notice } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { TeamPageContext, View } from '../../pages/page-context.ts';
import { changedMeanwhile } from '../../pages/parts/changes.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam } from '../../pages/paths.ts';
import {
  dashOrganizationPath,
  editOrganizationPath,
  newOrganizationPath,
  organizationsPath,
} from './dash-paths.ts';
import { organizationTexts as texts } from './organization-texts.ts';
import { positionIn, requireSnapshot, snapshotUpTo } from './record/snapshot.ts';
import { linesOf, noNumber, phoneLine, phonesFrom } from './record/phone-lines.ts';
import { teamOrganization } from './team-organizations.ts';
import { en } from './texts.ts';

const { form: forms } = en;

/** Changes an organization of a team. What the form does not show stays. */
export const organizationEditPage = teamForm({
  path: editOrganizationPath(':org_id'),
  action: revise,
  get: (dependencies, pageContext) => editView(dependencies, pageContext),
  fields: async (dependencies, pageContext) =>
    shownFieldsOf((await openedOf(dependencies, pageContext)).fields),
  also: ({ form: typed }) => ({ seen: positionIn(typed) }),
  view: editView,
  done: (pageContext, { organization: { org_id }, changed }) =>
    redirectDone(dashOrganizationPath(org_id), pageContext, changed ? 'saved' : 'unchanged'),
});

/** Adds an organization to the directory of a team. */
export const newOrganizationPage = teamForm({
  path: newOrganizationPath,
  action: add,
  get: newView,
  fields: () => fieldsOf({}, undefined),
  view: newView,
  done: (pageContext, { organization: { org_id } }) =>
    redirectDone(dashOrganizationPath(org_id), pageContext, 'submitted'),
});

function newView(_: PageDependencies, pageContext: TeamPageContext, again: Again): View {
  return {
    title: texts.newTitle,
    content: html`<p class="lead">${texts.newLead}</p>
      ${sheet(pageContext, again, {
        action: newOrganizationPath,
        fields: fieldsOf({}, undefined),
        typed: pageContext.form,
        does: forms.submit,
        back: organizationsPath,
      })}`,
  };
}

/** As it is stored now. @throws CommandRefused not_found, also for one of another team */
async function openedOf({ documents, store }: PageDependencies, pageContext: TeamPageContext) {
  const { org_id } = await teamOrganization(documents, pageContext);
  return requireSnapshot<OrganizationFields>(store, streamName(organizationStream, org_id));
}

async function editView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again: Again = { problems: {} },
): Promise<View> {
  const { org_id, name } = await teamOrganization(dependencies.documents, pageContext);
  const { form: sent } = pageContext;
  const { refused } = again;
  const changed = refused instanceof OrganizationChanged ? refused : undefined;
  const { fields, position } = changed ?? (await openedOf(dependencies, pageContext));
  const theirs = shownFieldsOf(fields);
  const opened =
    changed &&
    (await snapshotUpTo<OrganizationFields>(
      dependencies.store,
      streamName(organizationStream, org_id),
      positionIn(sent),
    ));
  const typed = opened ? withTheirs(theirs, shownFieldsOf(opened.fields), sent) : sent;
  const differences = theirs
    .map(({ name: field, label, value = '' }) => ({ label, before: value, after: textIn(typed, field) }))
    .filter(({ before, after }) => before !== after);
  return {
    title: texts.editTitle(name),
    content: html`${changed ? changedMeanwhile(differences) : ''}
      <p class="lead">${texts.moreStays}</p>
      ${sheet(pageContext, changed ? { problems: {} } : again, {
        action: editOrganizationPath(org_id),
        fields: theirs,
        typed,
        // What others have saved since it was opened is said when it is saved.
        revision: sent.has('revision') && !changed ? positionIn(sent) : position,
        does: forms.save,
        back: dashOrganizationPath(org_id),
      })}`,
  };
}

const textIn = (typed: URLSearchParams, name: string): string =>
  (typed.get(name) ?? '').replace(/\r\n?/g, '\n').trim();

/** What was typed, and what they have saved where the form was left as it was. */
function withTheirs(
  theirs: readonly InputField[],
  opened: readonly InputField[],
  typed: URLSearchParams,
): URLSearchParams {
  const before = new Map(opened.map(({ name, value = '' }) => [name, value]));
  return new URLSearchParams(
    theirs.map(({ name, value = '' }): [string, string] => [
      name,
      textIn(typed, name) === before.get(name) ? value : textIn(typed, name),
    ]),
  );
}

interface Sheet {
  readonly action: string;
  readonly fields: readonly InputField[];
  readonly typed: URLSearchParams;
  /** The position of the newest event of the organization. */
  readonly revision?: bigint;
  /** What the button does. */
  readonly does: string;
  /** Where people go who do not want to save it. */
  readonly back: string;
}

const sheet = (
  { team, formToken }: TeamPageContext,
  { problems, refused }: Again,
  { action, fields, typed, revision, does, back }: Sheet,
): Html =>
  html`${refused ? notice(refused.message, 'wrong') : ''}
  ${Object.keys(problems).length > 0 ? notice(forms.wrong, 'wrong') : ''}
  ${form({
    action: ofTeam(action, team.team),
    token: formToken,
    content: html`${hidden('team', team.team)}
      ${revision === undefined ? '' : hidden('revision', String(revision))}
      <div class="card part">${inputFields(fields, typed, problems)}</div>
      <div class="choices">
        ${button(does)}
        <a class="button secondary" href="${ofTeam(back, team.team)}">${forms.cancel}</a>
      </div>`,
  })}`;

/** The fields of an organization that there is, with its names as the pages show them. */
const shownFieldsOf = (fields: OrganizationFields): InputField[] =>
  fieldsOf({ ...fields, ...inTitleCase(fields) }, null);

/** The fields of the form. `none`: what an emptied one is. */
function fieldsOf(
  {
    name,
    alternate_name,
    description,
    url,
    additional_urls = [],
    phones = [],
    ...more
  }: Partial<OrganizationFields>,
  none: null | undefined,
): InputField[] {
  const { year_incorporated, legal_status, email } = more;
  const optional = (field: string, value = '', read: (typed: string) => unknown = (typed) => typed) => ({
    name: field,
    label: texts.fields[field as keyof typeof texts.fields],
    value,
    optional: true,
    read: (typed: string) => (typed === '' ? none : read(typed)),
  });
  return [
    { name: 'name', label: texts.fields.name, value: name ?? '', maxlength: 300, read: (typed) => typed },
    { ...optional('alternate_name', alternate_name), maxlength: 300 },
    { ...optional('description', description), type: 'prose', maxlength: 10_000 },
    {
      ...optional('phones', phones.map(phoneLine).join('\n'), (typed) => {
        const read = phonesFrom(typed.replace(/\r\n?/g, '\n'), phones);
        const wrong = noNumber(read, phones);
        return wrong === undefined ? read : new Wrong(forms.problems.noNumber(wrong));
      }),
      type: 'lines',
      hint: forms.hints.phones,
    },
    { ...optional('email', email), type: 'email', hint: forms.hints.email, maxlength: 254 },
    { ...optional('url', url), type: 'url', hint: forms.hints.url, maxlength: 2_000 },
    {
      ...optional('additional_urls', additional_urls.join('\n'), (typed) => linesOf(typed)),
      type: 'lines',
      hint: forms.hints.lines,
    },
    {
      ...optional('year_incorporated', year_incorporated?.toString(), (typed) =>
        /^\d{4}$/.test(typed) ? Number(typed) : new Wrong(texts.noYear),
      ),
      maxlength: 4,
    },
    { ...optional('legal_status', legal_status), maxlength: 300 },
  ];
}
