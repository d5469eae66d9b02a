import { bulkSkips, type BulkDecision } from '../../../../events/directory/bulk.ts';
import { categories } from '../../../../events/directory/category.ts';
import type { BulkReport } from '../../../../imports/bulk-state.ts';
import type { UndoneRecords } from '../../../../imports/undo-records.ts';
import type { BulkDocument } from '../../../../projections/directory/bulk-actions.ts';
import type { InputField } from '../../../pages/action-form.ts';
import { notice, time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam, paths } from '../../../pages/paths.ts';
import { readerDay } from '../../../pages/reader-clock.ts';
import { dashRecordPath } from '../dash-paths.ts';
import { categoryName } from '../record-as-seen.ts';
import { wordsField } from '../record/status-forms.ts';
import { bulkTexts as texts } from './bulk-texts.ts';
import { undoneView } from './import-undo.ts';

/** So many skipped records are on the page. */
const mostShown = 200;

/** What a decision needs beside the records. */
export function fieldsOfQuestion(decision: BulkDecision, now: Date): readonly InputField[] {
  const reason = { ...wordsField, name: 'reason', wrong: texts.reasonMissing } as const;
  switch (decision) {
    case 'approve':
      return [{ ...reason, label: texts.note, hint: texts.stays, optional: true }];
    case 'reject':
      return [{ ...reason, label: texts.reason, hint: texts.reads }];
    case 'take-out':
      return [{ ...reason, label: texts.why, hint: texts.stays, optional: true }];
    case 'kind':
      return [
        {
          name: 'category',
          label: texts.kind,
          options: categories.map((each) => ({ value: each, label: categoryName(each) })),
        },
      ];
    case 'verified':
      return [
        {
          name: 'day',
          label: texts.day,
          type: 'date',
          value: readerDay(now),
          wrong: texts.badDay,
        },
      ];
  }
}

/** What was done, such as "489 records were approved". */
export const titleOf = ({ decision, number, counts }: BulkDocument): string =>
  texts.decisions[decision].done(counts ? counts.done : number);

/** What it came to, what became of it since, and what can be done next. */
export function resultView(
  doc: BulkDocument,
  {
    report,
    undone,
    by,
    undo,
  }: {
    readonly report: BulkReport | undefined;
    readonly undone: UndoneRecords | undefined;
    readonly by: string | undefined;
    readonly undo: Html;
  },
): Html {
  const { counts, status, team, bulk } = doc;
  const { results } = texts;
  const stopped = counts?.stopped;
  return html`${status === 'undone' ? notice(texts.undone) : ''}
    ${status !== 'undone' && stopped !== undefined ? notice(texts.stopped[stopped], 'wrong') : ''}
    ${status === 'undone' ? undoneView(doc.undo, undone, team) : ''}
    <section class="card" aria-labelledby="result">
      <h2 id="result">${results.title}</h2>
      ${facts([
        [results.done, shown(counts?.done ?? 0)],
        ...some(results.unchanged, counts?.unchanged),
        ...bulkSkips.flatMap((why) => some(results[why], counts?.skipped[why])),
        ...some(results.left, counts?.left),
        ...(doc.category === undefined ? [] : [[texts.kind, categoryName(doc.category)] as const]),
        ...(doc.day === undefined ? [] : [[texts.day, time(doc.day)] as const]),
        ...(doc.reason === undefined ? [] : [[texts.why, doc.reason] as const]),
        [texts.by, by ?? texts.nobody],
        [texts.at, time(doc.began_at, 'minute')],
      ])}
    </section>
    ${report ? skippedView(report, team) : ''}
    <div class="choices">
      <a class="button primary" href="${ofTeam(paths.directory, team)}">${texts.directory}</a>
      ${status === 'ended' && (counts?.done ?? 0) > 0 ? undo : ''}
      <a class="button secondary" href="${ofTeam(paths.audit, team, { correlation: bulk })}"
        >${texts.recorded}</a
      >
    </div>`;
}

const shown = (number: number): string => number.toLocaleString('en');

const some = (label: string, number = 0): readonly (readonly [string, string])[] =>
  number === 0 ? [] : [[label, shown(number)]];

function skippedView({ skipped_records: all, not_listed }: BulkReport, team: string): Html | '' {
  if (all.length === 0) return '';
  const more = Math.max(0, all.length - mostShown) + not_listed;
  return html`<section class="card" aria-labelledby="skipped">
    <h2 id="skipped">${texts.skippedTitle}</h2>
    ${table({
      caption: texts.skippedTitle,
      columns: [texts.record, texts.cause].map((label) => ({ label })),
      rows: all
        .slice(0, mostShown)
        .map(({ svc_id, name, why, cause }) => [
          why === 'missing' ? name : html`<a href="${ofTeam(dashRecordPath(svc_id), team)}">${name}</a>`,
          cause,
        ]),
    })}
    ${more > 0 ? html`<p class="quiet small">${texts.more(more)}</p>` : ''}
  </section>`;
}
