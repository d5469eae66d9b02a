import { chooseSourcePrecedence, renameSource, sourceList } from '../../../../actions/directory/sources.ts';
import type { SourceDocument } from '../../../../projections/directory/sources.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again, type InputField } from '../../../pages/action-form.ts';
import { notice, time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { listPage } from '../../../pages/keyset.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { breakable } from '../../../pages/parts/breakable.ts';
import { empty } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { fieldGroups } from '../../../../events/directory/upkeep/precedence.ts';
import { followingsPath } from '../../upkeep/following-card.ts';
import { en as following } from '../../upkeep/following-texts.ts';
import { importsPath, precedencePath, sourcesPath } from './import-paths.ts';
import { en } from './import-texts.ts';

const texts = en.sources;

const nameField: InputField = { name: 'name', label: texts.name, maxlength: 200 };

const groupsField: InputField = {
  name: 'groups',
  label: texts.first,
  options: fieldGroups.map((value) => ({ value, label: texts.groups[value] })),
  ticked: [],
};

const sourceIn = ({ form }: TeamPageContext) => ({ source: form.get('source') ?? '' });

/** What the records of a team come from, and what it is called. */
export const sourcesPage = teamForm({
  path: sourcesPath,
  action: renameSource,
  get: view,
  fields: () => [nameField],
  also: sourceIn,
  view,
  done: (pageContext) => redirectDone(sourcesPath, pageContext, 'renamed'),
});

/** For which fields the word of a source counts first. */
export const precedencePage = teamForm({
  path: precedencePath,
  action: chooseSourcePrecedence,
  get: view,
  fields: () => [groupsField],
  also: sourceIn,
  view,
  done: (pageContext) => redirectDone(sourcesPath, pageContext, 'chosen'),
});

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, query } = pageContext;
  const here = (also: object) => ofTeam(sourcesPath, team.team, { ...also });
  const { rows, further } = await listPage(dependencies, sourceList, { team: team.team }, query, here);
  return {
    title: texts.title,
    content: html`<p><a href="${ofTeam(importsPath, team.team)}">${en.back}</a></p>
      <p class="lead">${texts.lead}</p>
      <p><a class="button secondary" href="${ofTeam(followingsPath, team.team)}">${following.link}</a></p>
      ${doneNotice(pageContext, { renamed: texts.renamed, chosen: texts.chosen })}
      ${refused === undefined ? '' : notice(refused.message, 'wrong')}
      ${
        rows.length === 0
          ? empty(texts.none)
          : html`<section class="card">
              ${table({
                caption: texts.title,
                columns: [texts.name, texts.id, texts.last, texts.first, ''].map((label) => ({ label })),
                rows: rows.map((each) => [
                  breakable(each.name),
                  html`<code>${breakable(each.source)}</code>`,
                  lastImport(each),
                  countsFirst(each),
                  html`${renaming(each, pageContext, problems)} ${choosing(each, pageContext)}`,
                ]),
              })}
            </section>`
      }
      ${further}`,
  };
}

/** Imports from before they were recorded are known by the records that they made. */
const lastImport = ({ last_import_on, newest_record_on }: SourceDocument): Html | string => {
  const day = last_import_on ?? newest_record_on;
  return day === undefined ? texts.noImport : time(day);
};

const countsFirst = ({ counts_first: groups = [] }: SourceDocument): string =>
  groups.length === 0 ? texts.firstNone : groups.map((group) => texts.groups[group]).join('; ');

const choosing = (
  { source, name, counts_first: groups = [] }: SourceDocument,
  { formToken: token, team }: TeamPageContext,
): Html =>
  ask({
    label: texts.precedence,
    of: name,
    sentence: texts.precedenceSentence,
    action: ofTeam(precedencePath, team.team),
    token,
    values: { team: team.team, source },
    fields: inputFields([{ ...groupsField, ticked: groups }], new URLSearchParams()),
    confirm: texts.save,
    weight: 'secondary',
  });

function renaming(
  { source, name }: SourceDocument,
  { formToken: token, form: typed, team }: TeamPageContext,
  problems: Again['problems'],
): Html {
  const isTyped = typed.get('source') === source;
  return ask({
    label: texts.rename,
    of: name,
    sentence: texts.renameSentence,
    action: ofTeam(sourcesPath, team.team),
    token,
    values: { team: team.team, source },
    fields: inputFields(
      [{ ...nameField, value: name }],
      isTyped ? typed : new URLSearchParams(),
      isTyped ? problems : {},
    ),
    weight: 'secondary',
    open: isTyped,
  });
}
