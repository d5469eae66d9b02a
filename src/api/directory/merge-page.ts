import {
  merge,
  mergedFields,
  mergeQuestion,
  undoMerge,
  type MergeQuestion,
} from '../../actions/directory/merge.ts';
import { svcId } from '../../events/directory/resource.ts';
import {
  personalRows,
  resourceFieldRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../events/directory/resource-fields.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { ResourceDocument } from '../../projections/directory/resources.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamForm, type Again } from '../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { radioGroup } from '../pages/parts/choices.ts';
import { facts } from '../pages/parts/facts.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam } from '../pages/paths.ts';
import { dashRecordPath, duplicatesPath, mergePath, unmergePath } from './dash/dash-paths.ts';
import { nameOf, statusBadge } from './dash/record-as-seen.ts';
import { svcIdIn, teamRecord } from './dash/team-records.ts';
import { en } from './dash/texts.ts';
import { saidField } from './dash/record/said-fields.ts';

const texts = en.duplicates;

/** Two records beside each other: what each says, which of it is kept, what comes of it, and the button that merges them. */
export const mergePage = teamForm({
  path: mergePath(':svcId'),
  action: merge,
  get: mergeView,
  also: (pageContext) => ({
    svc_id: svcIdIn(pageContext),
    into: pageContext.form.get('into') ?? '',
    take: namesIn(pageContext.form.getAll('take')),
    seen: pageContext.form.get('seen') ?? '',
  }),
  view: mergeView,
  done: (pageContext) => redirectDone(duplicatesPath, pageContext, 'merged'),
});

/** Undoes a merge, and leads to the record that stands for itself again. */
export const unmergePage = teamForm({
  path: unmergePath(':svcId'),
  action: undoMerge,
  also: (pageContext) => ({ svc_id: svcIdIn(pageContext) }),
  done: (pageContext, { duplicate, left }) =>
    redirectDone(dashRecordPath(duplicate), pageContext, left.length === 0 ? 'unmerged' : 'unmergedInPart'),
});

async function mergeView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { documents } = dependencies;
  const { team } = pageContext.team;
  const goes = await teamRecord(documents, team, svcIdIn(pageContext));
  const into = pageContext.form.get('into') ?? pageContext.query.get('into') ?? '';
  if (!svcId.safeParse(into).success) throw new CommandRefused('not_found', texts.noOther);
  const stays = await teamRecord(documents, team, into);
  if (stays.svc_id === goes.svc_id) throw new CommandRefused('invalid', texts.itself);
  const question = await mergeQuestion(dependencies, {
    duplicate: goes.svc_id,
    survivor: stays.svc_id,
    asTeam: team,
  });
  const take = takenIn(question, pageContext);
  return {
    title: texts.mergeTitle,
    content: html`${again?.refused ? notice(again.refused.message, 'wrong') : ''}
      <p class="lead">${texts.mergeLead}</p>
      ${facts([
        [texts.stays, recordLine(stays, team)],
        [texts.goes, recordLine(goes, team)],
      ])}
      <p>
        <a href="${ofTeam(mergePath(stays.svc_id), team, { into: goes.svc_id })}">${texts.swap}</a>
      </p>
      ${choicesForm(question, take, goes, stays, team)} ${result(question, take)}
      ${form({
        action: ofTeam(mergePath(goes.svc_id), team),
        token: pageContext.formToken,
        label: texts.mergeTitle,
        content: html`${hidden('into', stays.svc_id)} ${hidden('seen', question.seen)}
          ${take.map((name) => hidden('take', name))}
          <p>${texts.mergeSentence}</p>
          ${button(texts.merge, { weight: 'primary', of: nameOf(goes) })}`,
      })}
      <p><a href="${ofTeam(duplicatesPath, team)}">${texts.back}</a></p>`,
  };
}

const recordLine = (doc: ResourceDocument, team: string): Html =>
  html`<a href="${ofTeam(dashRecordPath(doc.svc_id), team)}">${nameOf(doc)}</a> ${statusBadge(doc.status)}
    <code>${doc.svc_id}</code>`;

const namesIn = (words: readonly string[]): ResourceFieldName[] =>
  resourceFieldRows.map(({ name }) => name).filter((name) => words.includes(name));

/** What was chosen, or else what is suggested. Each choice is a field of the address, named after the first of its fields. */
function takenIn(
  { choices }: MergeQuestion,
  { query, form: sent }: TeamPageContext,
): readonly ResourceFieldName[] {
  if (sent.size > 0) return namesIn(sent.getAll('take'));
  return choices.flatMap(({ fields, suggested }) => {
    const chosen = query.get(`use-${fields[0] ?? ''}`);
    return (chosen === null ? suggested : chosen === 'goes') ? fields : [];
  });
}

function choicesForm(
  { choices, goes, stays }: MergeQuestion,
  take: readonly ResourceFieldName[],
  { svc_id }: ResourceDocument,
  { svc_id: into }: ResourceDocument,
  team: string,
): Html {
  if (choices.length === 0) return html`<p>${texts.nothingDiffers}</p>`;
  return html`<form
    method="get"
    action="${ofTeam(mergePath(svc_id), team)}"
    class="card"
    aria-label="${texts.choose}"
  >
    <h2>${texts.choose}</h2>
    ${hidden('into', into)}
    ${choices.map(({ fields, suggested }) => {
      const isTaken = fields.some((name) => take.includes(name));
      return radioGroup({
        name: `use-${fields[0] ?? ''}`,
        label: fields.map((name) => en.fields[name]).join(', '),
        value: isTaken ? 'goes' : 'stays',
        options: [
          { value: 'stays', label: textOf(fields, stays), hint: texts.ofStays },
          {
            value: 'goes',
            label: textOf(fields, goes),
            hint: suggested ? texts.ofGoesSuggested : texts.ofGoes,
          },
        ],
      });
    })}
    ${button(texts.show, { weight: 'secondary' })}
  </form>`;
}

function textOf(fields: readonly ResourceFieldName[], of: ResourceFields): string {
  const written = fields.map((name) => textOfField(name, of)).filter(Boolean);
  return written.length === 0 ? texts.nothing : written.join('; ');
}

/** What is about persons is sealed, and only named. */
const textOfField = (name: ResourceFieldName, of: ResourceFields): string =>
  personalRows.some((row) => row.name === name)
    ? of[name] === undefined
      ? ''
      : en.form.personal
    : saidField(name, of);

function result({ goes, stays }: MergeQuestion, take: readonly ResourceFieldName[]): Html {
  const fields = mergedFields(stays, goes, take);
  const all = resourceFieldRows.filter(({ name }) => fields[name] !== undefined);
  return html`<section class="card" aria-labelledby="result">
    <h2 id="result">${texts.result}</h2>
    ${when(take.length === 0, html`<p class="quiet">${texts.unchanged}</p>`)}
    ${facts(all.map(({ name }) => [en.fields[name], textOfField(name, fields)]))}
  </section>`;
}
