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
import { postForm, teamForm, type Again } from '../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { chosen } from '../pages/parts/chosen.ts';
import { radioGroup } from '../pages/parts/choices.ts';
import { facts } from '../pages/parts/facts.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam } from '../pages/paths.ts';
import { dashRecordPath, duplicatesPath, mergePath, unmergePath } from './dash/dash-paths.ts';
import { nameOf, statusBadge } from './dash/record-as-seen.ts';
import { svcIdIn, teamRecord } from './dash/team-records.ts';
import { en } from './dash/texts.ts';
import { fieldText } from './dash/record/field-texts.ts';

const texts = en.duplicates;

/** Two records beside each other: what each says, which of it is kept, what comes of it, and the button that merges them. */
export function mergePage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'review records',
    path: mergePath(':svcId'),
    get: (pageContext) => mergeView(dependencies, pageContext),
    post: (pageContext) =>
      chosen(pageContext.form, 'do', ['merge', 'show']) === 'show'
        ? redirectTo(
            ofTeam(mergePath(svcIdIn(pageContext)), pageContext.team.team, chosenIn(pageContext.form)),
          )
        : merged(dependencies, pageContext),
  };
}

const merged = (dependencies: PageDependencies, pageContext: TeamPageContext) =>
  postForm(dependencies, pageContext, {
    action: merge,
    also: ({ form: sent }) => ({
      svc_id: svcIdIn(pageContext),
      into: sent.get('into') ?? '',
      take: resourceFieldRows.map(({ name }) => name).filter((name) => sent.get(choiceOf(name)) === 'goes'),
      seen: sent.get('seen') ?? '',
    }),
    view: mergeView,
    done: () => redirectDone(duplicatesPath, pageContext, 'merged'),
  });

/** The field of the form and of the address that says from which of the two a field is taken. */
const choiceOf = (name: ResourceFieldName): string => `use-${name}`;

/** What is chosen, for an address that shows what comes of it. */
const chosenIn = (form: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...form].filter(([name]) => name === 'into' || name.startsWith('use-')));

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
      ${form({
        action: ofTeam(mergePath(goes.svc_id), team),
        token: pageContext.formToken,
        label: texts.mergeTitle,
        content: html`${hidden('into', stays.svc_id)} ${hidden('seen', question.seen)}
          ${choicesCard(question, take)} ${result(question, take)}
          <p>${texts.mergeSentence}</p>
          ${button(texts.merge, { name: 'do', value: 'merge', of: nameOf(goes) })}`,
      })}
      <p><a href="${ofTeam(duplicatesPath, team)}">${texts.back}</a></p>`,
  };
}

const recordLine = (doc: ResourceDocument, team: string): Html =>
  html`<a href="${ofTeam(dashRecordPath(doc.svc_id), team)}">${nameOf(doc)}</a> ${statusBadge(doc.status)}
    <code>${doc.svc_id}</code>`;

/** What was chosen, or else what is suggested. Each choice is named after the first of its fields. */
const takenIn = (
  { choices }: MergeQuestion,
  { query, form: sent }: TeamPageContext,
): readonly ResourceFieldName[] =>
  choices.flatMap(({ fields, suggested }) => {
    const name = choiceOf(fields[0] ?? 'name');
    const choice = sent.get(name) ?? query.get(name);
    return (choice === null ? suggested : choice === 'goes') ? fields : [];
  });

function choicesCard({ choices, goes, stays }: MergeQuestion, take: readonly ResourceFieldName[]): Html {
  if (choices.length === 0) return html`<p>${texts.nothingDiffers}</p>`;
  return html`<section class="card" aria-labelledby="choose">
    <h2 id="choose">${texts.choose}</h2>
    ${choices.map(({ fields, suggested }) => {
      const isTaken = fields.some((name) => take.includes(name));
      return radioGroup({
        name: choiceOf(fields[0] ?? 'name'),
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
    ${button(texts.show, { weight: 'secondary', name: 'do', value: 'show' })}
  </section>`;
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
    : fieldText(name, of);

function result({ goes, stays }: MergeQuestion, take: readonly ResourceFieldName[]): Html {
  const fields = mergedFields(stays, goes, take);
  const all = resourceFieldRows.filter(({ name }) => fields[name] !== undefined);
  return html`<section class="card" aria-labelledby="result">
    <h2 id="result">${texts.result}</h2>
    ${when(take.length === 0, html`<p class="quiet">${texts.unchanged}</p>`)}
    ${facts(all.map(({ name }) => [en.fields[name], textOfField(name, fields)]))}
  </section>`;
}
