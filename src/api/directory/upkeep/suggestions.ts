import { accept, dismiss, erase, suggestionList } from '../../../actions/directory/upkeep/suggestions.ts';
import { oneOf } from '../../../actions/listing.ts';
import { valueOf } from '../../../actions/perform.ts';
import { openSuggestions } from '../../../commands/directory/upkeep/suggestion.ts';
import {
  differencesTo,
  takenTogether,
  type SuggestedContent,
  type SuggestedDifference,
} from '../../../commands/directory/upkeep/suggested-values.ts';
import { streamName } from '../../../events/define.ts';
import { resourceStream, type ResourceFields } from '../../../events/directory/resource.ts';
import { suggestedFieldNames, type SuggestedField } from '../../../events/directory/upkeep/suggestion.ts';
import { refusals } from '../../../ground/refusals.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import { suggestions, type SuggestionDocument } from '../../../projections/directory/upkeep/suggestions.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { button, form, hidden, notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { refusedChoiceView } from '../../pages/frame/common-views.ts';
import { EarlyAnswer, type Redirect, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { chosen } from '../../pages/parts/chosen.ts';
import { facts, written } from '../../pages/parts/facts.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { dashRecordPath, editPath, suggestionsOf } from '../dash/dash-paths.ts';
import { fieldText } from '../dash/record/field-texts.ts';
import { positionIn, requireSnapshot, type Snapshot } from '../dash/record/snapshot.ts';
import { queueTabs } from '../dash/queue-tabs.ts';
import { nameOf } from '../dash/record-as-seen.ts';
import { nextSuggestion, placeOfQueue, shownCount, waitingIn } from '../dash/team-records.ts';
import { en } from '../dash/texts.ts';
import { fieldLabel, suggestionTexts as texts } from './suggestion-texts.ts';

/** A suggestion beside the record as it is now. */
interface Compared {
  readonly item: SuggestionDocument;
  readonly content: SuggestedContent;
  readonly doc: ResourceDocument;
  readonly record: Snapshot<ResourceFields>;
  /** Fields that are taken together are one. */
  readonly groups: readonly (readonly SuggestedDifference[])[];
}

/** `id`: one to show again, because it could not be accepted; `problem`: why. */
interface Again {
  readonly id?: string;
  readonly problem?: string;
}

/** What was suggested for public records, one suggestion at a time: field by field beside what stands. */
export async function suggestionsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { id, problem }: Again = {},
): Promise<View> {
  const { documents } = dependencies;
  const { team, query } = pageContext;
  const shownId = id ?? query.get('id') ?? undefined;
  const chosenOne = shownId === undefined ? undefined : await openOne(dependencies, team.team, shownId);
  const [{ item, again }, waiting] = await Promise.all([
    chosenOne
      ? { item: chosenOne, again: false }
      : nextSuggestion(documents, team.team, placeOfQueue(query.get('after'))),
    waitingIn(documents, team.team),
  ]);
  const compared = item && (await compare(dependencies, item));
  return {
    title: en.review.title,
    ...(problem !== undefined && { status: refusals.conflict }),
    content: html`${doneNotice(pageContext, texts.done)}
    ${problem === undefined ? '' : notice(problem, 'wrong')} ${queueTabs(team.team, 'suggestions', waiting)}
    ${
      compared === undefined
        ? empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`)
        : html`<p class="quiet">
              ${en.review.left(shownCount(waiting.suggestions))}
              ${when(again, html`${en.review.fromTheStart}`)}
            </p>
            ${suggestionCard(compared, pageContext, waiting.suggestions > 1)}`
    }`,
  };
}

/** Accepts a suggestion, dismisses it, or erases what it says. */
export async function decideSuggestion(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<View | Redirect> {
  const { form: sent, team } = pageContext;
  const decision = chosen(sent, 'decision', ['accept', 'dismiss', 'erase']);
  const { suggestion: id, suggested_at } = await oneOf(
    suggestionList,
    dependencies,
    team.team,
    sent.get('suggestion') ?? '',
  );
  const performed =
    decision === 'accept'
      ? await performFor(dependencies, pageContext, accept, { id, ...takenIn(sent) })
      : await performFor(dependencies, pageContext, decision === 'dismiss' ? dismiss : erase, { id });
  if (performed.kind === 'invalid')
    return suggestionsView(dependencies, pageContext, { id, problem: texts.noneTicked });
  if (performed.kind === 'refused' && performed.refusal.code !== 'not_found')
    return suggestionsView(dependencies, pageContext, { id, problem: performed.refusal.message });
  valueOf(performed);
  const done = { accept: 'taken', dismiss: 'left', erase: 'removed' } as const;
  const also = decision === 'erase' ? {} : { after: `${suggested_at} ${id}` };
  return redirectDone(paths.review, pageContext, done[decision], { show: 'suggestions', ...also });
}

/** An open suggestion of the team by its id. */
async function openOne(
  { documents }: PageDependencies,
  team: string,
  id: string,
): Promise<SuggestionDocument | undefined> {
  const found = suggestionList.id.safeParse(id).success
    ? await documents.collection(suggestions.collection).get(id)
    : undefined;
  return found?.team === team && found.status === 'open' ? found : undefined;
}

/** What was ticked, and what its page showed. @throws EarlyAnswer for what the page does not offer */
function takenIn(sent: URLSearchParams) {
  const take = sent.getAll('take').filter((name) => name !== '');
  const isOffered = take.every((name) => suggestedFieldNames.some((each) => each === name));
  if (!isOffered || positionIn(sent) < 0n) throw new EarlyAnswer(refusedChoiceView);
  // Without boxes there is nothing to choose from.
  if (!sent.has('boxes')) return { seen: positionIn(sent) };
  chosen(sent, 'boxes', ['yes']);
  return { seen: positionIn(sent), fields: take };
}

async function compare(
  { documents, personal, store }: PageDependencies,
  item: SuggestionDocument,
): Promise<Compared | undefined> {
  const doc = await documents.collection(resources.collection).get(item.svc_id);
  if (!doc) return undefined;
  const record = await requireSnapshot<ResourceFields>(store, streamName(resourceStream, item.svc_id));
  const [content = {}] = await openSuggestions(personal, [item]);
  const differences = differencesTo(record.fields, content);
  const groups = takenTogether(differences.map(({ field }) => field)).map((names) =>
    differences.filter(({ field }) => names.includes(field)),
  );
  return { item, content, doc, record, groups };
}

function suggestionCard(compared: Compared, pageContext: TeamPageContext, hasNext: boolean): Html {
  const { item, content, doc } = compared;
  const { team } = pageContext;
  const { note, contact } = content;
  return html`<section class="card" aria-labelledby="decide">
    <h2 id="decide">${texts.about}</h2>
    ${facts([
      [texts.record, html`<a href="${ofTeam(dashRecordPath(doc.svc_id), team.team)}">${nameOf(doc)}</a>`],
      [texts.by, texts.suggesters[item.by]],
      [texts.at, time(item.suggested_at, 'minute')],
      [texts.what, texts.kinds[item.kind]],
      [texts.note, note === undefined ? undefined : written(note)],
      [texts.contact, contact],
    ])}
    ${whatToKnow(compared)} ${item.status === 'open' ? decisions(compared, pageContext) : ''}
    <div class="choices">
      <a class="button secondary" href="${ofTeam(editPath(doc.svc_id), team.team)}">${texts.correct}</a>
      ${when(
        hasNext,
        html`<a
          class="button secondary"
          data-key="j"
          href="${suggestionsOf(team.team, { after: `${item.suggested_at} ${item.suggestion}` })}"
          >${texts.next}</a
        >`,
      )}
    </div>
    <p class="quiet small">${texts.keys}</p>
  </section>`;
}

function whatToKnow({ item, content, doc, groups }: Compared): Html {
  const onlyWords = item.kind === 'change' && content.fields === undefined && !item.erased;
  const sentences = [
    ...(doc.merged_into === undefined ? [] : [texts.merged]),
    ...(doc.listed === 1 || doc.merged_into !== undefined ? [] : [texts.notPublic]),
    ...(item.erased && item.kind === 'change' ? [texts.erased] : []),
    ...(item.kind === 'closed' ? [texts.closedNext] : []),
    ...(item.kind === 'not_ours' ? [texts.notOurs] : []),
    ...(onlyWords ? [texts.onlyWords] : []),
    ...(content.fields !== undefined && groups.length === 0 ? [texts.saysSo] : []),
  ];
  return html`${sentences.map((sentence) => notice(sentence, 'plain'))}`;
}

function decisions({ item, doc, record, groups }: Compared, { formToken, team }: TeamPageContext): Html {
  const { suggestion: id, suggested } = item;
  const values = { team: team.team, suggestion: id };
  const shared = { of: nameOf(doc), action: ofTeam(paths.review, team.team), token: formToken };
  const acceptable = doc.merged_into === undefined && !(item.erased && item.kind === 'change');
  return html`${when(
    acceptable,
    form({
      action: shared.action,
      token: formToken,
      label: `${texts.accept} ${shared.of}`,
      content: html`${Object.entries({
        ...values,
        decision: 'accept',
        revision: String(record.position),
      }).map(([name, value]) => hidden(name, value))}
      ${groups.length === 0 ? '' : html`${hidden('boxes', 'yes')}${differencesTable(groups, shared.of)}`}
      ${button(texts.accept, { of: shared.of, key: 'a' })}`,
    }),
  )}
  ${ask({
    ...shared,
    label: texts.dismiss,
    sentence: texts.dismissSentence,
    values: { ...values, decision: 'dismiss' },
    weight: 'secondary',
    key: 'r',
  })}
  ${
    suggested === undefined
      ? ''
      : ask({
          ...shared,
          label: texts.erase,
          sentence: texts.eraseSentence,
          values: { ...values, decision: 'erase' },
        })
  }`;
}

/** What somebody has changed since is not ticked: it is replaced only by who ticks it. */
const differencesTable = (groups: Compared['groups'], of: string): Html =>
  table({
    caption: `${texts.caption}: ${of}`,
    columns: [texts.columns.field, texts.columns.now, texts.columns.suggested, texts.columns.take].map(
      (label) => ({ label }),
    ),
    rows: groups.map((group) => {
      const [first] = group;
      const label = group.map(({ field }) => fieldLabel(field)).join(', ');
      const isConflict = group.some(({ conflict }) => conflict);
      const id = `take-${first?.field ?? ''}`;
      return [
        label,
        html`<del>${wordsOf(group, 'now')}</del> ${when(
            isConflict,
            html`<p class="small">
              ${badge(texts.changed, 'bad')} ${texts.changedSince}
              <span class="written">${wordsOf(group, 'before')}</span>
            </p>`,
          )}`,
        html`<ins class="written">${wordsOf(group, 'suggested')}</ins>`,
        html`<span class="check"
          ><input
            type="checkbox"
            id="${id}"
            name="take"
            value="${first?.field ?? ''}"
            ${when(!isConflict, html`checked`)}
          />
          <label for="${id}">${texts.take}<span class="unseen"> ${label}</span></label></span
        >`,
      ];
    }),
  });

const wordsOf = (group: readonly SuggestedDifference[], which: 'before' | 'now' | 'suggested'): string =>
  group.map((each) => valueWords(each.field, each[which])).join('\n');

function valueWords(field: SuggestedField, value: unknown): string {
  if (value === null || value === undefined) return texts.empty;
  // Flat members and most fields are texts.
  if (typeof value === 'string' && field !== 'category') return value;
  return fieldText(field as keyof ResourceFields, { [field]: value } as unknown as ResourceFields);
}
