import { Readable } from 'node:stream';
import { dismiss } from '../../../actions/directory/merge.ts';
import {
  duplicateGroups,
  duplicateGroupsSoon,
  type DuplicateGroup,
} from '../../../actions/directory/duplicates.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import type { Likeness } from '../../../events/directory/merges.ts';
import { csvLine, withoutFormula } from '../../../ground/csv.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import {
  duplicateDecisions,
  type DuplicateDecisionDocument,
} from '../../../projections/directory/duplicates.ts';
import { resources, type ResourceDocument } from '../../../projections/directory/resources.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../pages/action-form.ts';
import { notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Answer, Download, TeamPageContext, View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { badge } from '../../pages/parts/badge.ts';
import { empty, numberedPages } from '../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { dashRecordPath, duplicatesPath, mergePath, unmergePath } from './dash-paths.ts';
import { nameOf, statusBadge } from './record-as-seen.ts';
import { en } from './texts.ts';

const texts = en.duplicates;

const perPage = 20;
/** So many merges can be undone from here. Each can be from the page of its record. */
const mostMerges = 10;

/** Records of the whole directory that are probably the same, in groups, and what was merged lately. */
export const duplicatesPage = teamForm({
  path: duplicatesPath,
  action: dismiss,
  get: (dependencies, pageContext): Promise<Answer> =>
    pageContext.query.get('as') === 'csv'
      ? duplicatesFile(dependencies, pageContext)
      : duplicatesView(dependencies, pageContext),
  also: ({ form }) => ({ svc_id: form.get('record') ?? '' }),
  view: duplicatesView,
  done: (pageContext) => redirectDone(duplicatesPath, pageContext, 'dismissed'),
});

async function duplicatesView(
  { documents }: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { team } = pageContext.team;
  const groups = await duplicateGroupsSoon(documents, team);
  if (!groups) return compared(team);
  const pages = Math.max(1, Math.ceil(groups.length / perPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(pageContext.query.get('page') ?? '1')) || 1));
  const shown = groups.slice((page - 1) * perPage, page * perPage);
  const merges = await documents
    .collection(duplicateDecisions.collection)
    .page({ where: { team, kind: 'merge' }, orderBy: ['at', 'id'], descending: true, limit: mostMerges });
  const docs = await documents
    .collection(resources.collection)
    .getMany([...shown, ...merges].flatMap(({ records }) => records));
  const count = groups.reduce((all, { records }) => all + records.length, 0);
  return {
    title: texts.title,
    content: html`${again?.refused ? notice(again.refused.message, 'wrong') : ''}
      ${doneNotice(pageContext, texts.done)}
      <p class="lead">${texts.lead}</p>
      ${
        groups.length === 0
          ? empty(texts.none)
          : html`<p class="quiet">
                ${texts.total(groups.length, count)}
                <a href="${ofTeam(duplicatesPath, team, { as: 'csv' })}">${texts.file}</a>
              </p>
              ${shown.map((group, at) => groupCard(group, docs, pageContext, (page - 1) * perPage + at + 1))}
              ${numberedPages({ page, pages, to: (to) => ofTeam(duplicatesPath, team, { page: String(to) }) })}`
      }
      ${mergesCard(
        merges.filter(({ undone_at }) => undone_at === undefined),
        docs,
        pageContext,
      )}`,
  };
}

/** A large directory is compared for the first time since the start. */
const compared = (team: string): View => ({
  title: texts.title,
  content: html`<p class="lead">${texts.lead}</p>
    <p role="status">${texts.compared}</p>
    <p><a class="button" href="${ofTeam(duplicatesPath, team)}">${texts.lookAgain}</a></p>`,
});

type Docs = ReadonlyMap<string, ResourceDocument>;

function groupCard(
  { records, inCommon }: DuplicateGroup,
  docs: Docs,
  { team: { team }, formToken }: TeamPageContext,
  number: number,
): Html {
  const found = records.flatMap((id) => docs.get(id) ?? []);
  const [best, ...others] = found.toSorted((one, other) => worth(other) - worth(one));
  if (!best || others.length === 0) return html``;
  const name = nameOf(best);
  return html`<section class="card" aria-labelledby="group-${number}">
    <h2 id="group-${number}">${name}</h2>
    <p>${inCommon.map((each) => html`${badge(texts.inCommon[each], 'plain')} `)}</p>
    ${table({
      caption: texts.caption(name),
      columns: [texts.record, texts.place, texts.phone, texts.status, texts.changed, ''].map((label) => ({
        label,
      })),
      rows: found.map((doc) => {
        const fields = fieldsIn(doc, 'stored');
        return [
          html`<a href="${ofTeam(dashRecordPath(doc.svc_id), team)}">${nameOf(doc)}</a>`,
          placeOf(fields),
          phoneOf(fields),
          statusBadge(doc.status),
          time(doc.updated_at),
          doc === best
            ? html`<span class="quiet">${texts.fullest}</span>`
            : html`<a
                class="button secondary"
                href="${ofTeam(mergePath(doc.svc_id), team, { into: best.svc_id })}"
                >${texts.compare}<span class="unseen"> ${nameOf(doc)}, ${placeOf(fields)}</span></a
              >`,
        ];
      }),
    })}
    ${ask({
      label: texts.dismiss,
      of: name,
      sentence: texts.dismissSentence,
      action: ofTeam(duplicatesPath, team),
      token: formToken,
      values: { record: best.svc_id },
      weight: 'secondary',
    })}
  </section>`;
}

/** What stays at best: what is public, then what says most. */
const worth = (doc: ResourceDocument): number =>
  doc.listed * 1_000_000 + doc.card.length + doc.details.length;

const placeOf = ({ locations = [] }: UnsealedFields): string =>
  [locations[0]?.street, locations[0]?.city].filter(Boolean).join(', ');

const phoneOf = ({ phones = [], locations = [] }: UnsealedFields): string =>
  (phones[0] ?? locations[0]?.phones?.[0])?.number ?? '';

function mergesCard(
  merges: readonly DuplicateDecisionDocument[],
  docs: Docs,
  { team: { team }, formToken }: TeamPageContext,
): Html {
  if (merges.length === 0) return html``;
  const link = (id: string): Html => {
    const doc = docs.get(id);
    return html`<a href="${ofTeam(dashRecordPath(id), team)}">${doc ? nameOf(doc) : id}</a>`;
  };
  return html`<section class="card" aria-labelledby="merged">
    <h2 id="merged">${texts.mergedLately}</h2>
    ${table({
      caption: texts.mergedLately,
      columns: [texts.goes, texts.stays, texts.mergedAt, ''].map((label) => ({ label })),
      rows: merges.map(({ records: [duplicate = '', survivor = ''], at }) => [
        link(duplicate),
        link(survivor),
        time(at, 'minute'),
        undoMergeButton(duplicate, docs.get(duplicate), team, formToken),
      ]),
    })}
  </section>`;
}

/** Asks before a merge is undone. */
export const undoMergeButton = (
  duplicate: string,
  doc: ResourceDocument | undefined,
  team: string,
  token: string,
): Html =>
  ask({
    label: texts.undo,
    of: doc ? nameOf(doc) : duplicate,
    sentence: texts.undoSentence,
    action: ofTeam(unmergePath(duplicate), team),
    token,
    weight: 'secondary',
  });

const columns = [
  'group',
  'in_common',
  'svc_id',
  'name',
  'organization',
  'place',
  'phone',
  'status',
  'updated_at',
];

async function duplicatesFile(
  { documents }: PageDependencies,
  { team: { team } }: TeamPageContext,
): Promise<Download> {
  return {
    download: Readable.from(csvLines(documents, team)),
    filename: `duplicates-${team}.csv`,
    type: 'text/csv; charset=utf-8',
  };
}

async function* csvLines(documents: Documents, team: string): AsyncGenerator<string> {
  yield csvLine(columns);
  for (const [at, { records, inCommon }] of (await duplicateGroups(documents, team)).entries()) {
    const docs = await documents.collection(resources.collection).getMany(records);
    for (const id of records) {
      const doc = docs.get(id);
      if (!doc) continue;
      const fields = fieldsIn(doc, 'stored');
      const cells = [
        String(at + 1),
        inCommon.map((each: Likeness) => each).join(' '),
        ...[
          id,
          fields.name,
          fields.organization?.name,
          placeOf(fields),
          phoneOf(fields),
          doc.status,
          doc.updated_at,
        ],
      ];
      yield csvLine(cells.map(withoutFormula));
    }
  }
}
