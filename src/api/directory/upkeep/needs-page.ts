import { Readable } from 'node:stream';
import {
  neededIn,
  placeName,
  readsNeeds,
  shownPeriods,
  wordsOf,
  type NeedsQuestion,
} from '../../../actions/directory/upkeep/needs.ts';
import { categories } from '../../../events/directory/category.ts';
import { csvLine, withoutFormula } from '../../../ground/csv.ts';
import type { Need } from '../../../needs/need.ts';
import { countedWeeks, type CountedNeed, type CountedWeeks } from '../../../needs/published.ts';
import { isWeek, sundayOf } from '../../../needs/weeks-and-days.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notice, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { empty, filterBar, numberedPages } from '../../pages/parts/list-controls.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { needsPath, newRecordPath } from '../dash/dash-paths.ts';
import { categoryName } from '../dash/record-as-seen.ts';
import { needsTexts as texts } from './needs-texts.ts';

const perPage = 50;
/** So many sentences sum it up. */
const mostSentences = 3;

/** What people looked for and did not find. */
export function needsPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: readsNeeds.right,
    path: needsPath,
    async get(pageContext) {
      const question = questionIn(pageContext.query);
      if (pageContext.query.get('format') !== 'csv') return view(dependencies, pageContext, question);
      const { needs, from, until } = await neededIn(dependencies.side, question);
      return {
        download: Readable.from(csvLines(needs, from, until)),
        filename: `looked-for-in-vain-${until ?? 'none'}.csv`,
        type: 'text/csv; charset=utf-8',
      };
    },
  };
}

/** What an address asks for. What cannot be meant is left out. */
function questionIn(query: URLSearchParams): NeedsQuestion {
  const week = query.get('week') ?? '';
  const kind = query.get('kind') ?? '';
  const place = (query.get('place') ?? '').slice(0, 120);
  return {
    weeks: shownPeriods.find((each) => String(each) === query.get('weeks')) ?? 1,
    week: isWeek(week) ? week : undefined,
    kind: categories.find((each) => each === kind),
    place: place === '' ? undefined : place,
  };
}

async function view(
  { side, config }: PageDependencies,
  { team: { team }, query }: TeamPageContext,
  question: NeedsQuestion,
): Promise<View> {
  const [weeks, counted] = await Promise.all([countedWeeks(side), neededIn(side, question)]);
  const { needs, all, leftOut } = counted;
  const pages = Math.max(1, Math.ceil(needs.length / perPage));
  const page = Math.min(pages, Math.max(1, Math.trunc(Number(query.get('page') ?? '1')) || 1));
  const address = (also: Readonly<Record<string, string>>): string =>
    ofTeam(needsPath, team, { ...queryOf(question), ...also });
  return {
    title: texts.title,
    content: html`${when(!config.countSearches, notice(texts.off, 'plain'))}
      <p class="lead">${texts.lead}</p>
      ${
        weeks.length === 0
          ? empty(texts.noWeek)
          : html`${filters(team, question, weeks, all)} ${span(counted)}
            ${
              needs.length === 0
                ? empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`)
                : html`${inShort(needs)}
                    <p class="quiet">
                      <a href="${address({ format: 'csv' })}" download>${texts.file}</a>
                    </p>
                    ${needsTable(needs.slice((page - 1) * perPage, page * perPage), team)}
                    ${numberedPages({ page, pages, to: (to) => address({ page: String(to) }) })}`
            }`
      }
      ${when(leftOut > 0, html`<p class="quiet">${texts.leftOut(written(leftOut))}</p>`)}
      <section class="card" aria-labelledby="how">
        <h2 id="how">${texts.how}</h2>
        <ul>
          ${texts.howLines.map((line) => html`<li>${line}</li>`)}
        </ul>
      </section>`,
  };
}

const queryOf = ({ weeks, week, kind, place }: NeedsQuestion): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries({ weeks: String(weeks), week, kind, place }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );

function filters(
  team: string,
  { weeks: period, week, kind, place }: NeedsQuestion,
  weeks: readonly string[],
  all: readonly CountedNeed[],
): Html {
  const kinds = new Set(all.map((need) => need.kind));
  const places = [...new Set(all.map(placeName))].sort((one, other) => one.localeCompare(other, 'en'));
  if (place !== undefined && !places.includes(place)) places.push(place);
  return filterBar({
    action: needsPath,
    team,
    label: texts.filters,
    button: texts.find,
    fields: [
      selectField({
        name: 'weeks',
        label: texts.period,
        value: String(period),
        options: shownPeriods.map((each) => ({ value: String(each), label: texts.periods[each] })),
      }),
      selectField({
        name: 'week',
        label: texts.until,
        value: week ?? weeks[0] ?? '',
        options: [...new Set([...weeks, ...(week === undefined ? [] : [week])])].map((each) => ({
          value: each,
          label: texts.weekUntil(each, sundayOf(each)),
        })),
      }),
      selectField({
        name: 'kind',
        label: texts.kind,
        value: kind ?? '',
        options: [
          { value: '', label: texts.anyKind },
          ...categories
            .filter((each) => kinds.has(each) || each === kind)
            .map((each) => ({ value: each, label: categoryName(each) })),
        ],
      }),
      selectField({
        name: 'place',
        label: texts.place,
        value: place ?? '',
        options: [
          { value: '', label: texts.anyPlace },
          ...places.map((each) => ({ value: each, label: each })),
        ],
      }),
    ],
  });
}

const span = ({ from, until }: CountedWeeks): Html | '' =>
  from === undefined || until === undefined ? '' : html`<p class="quiet">${texts.span(from, until)}</p>`;

/** What was found least, in sentences for a report. */
function inShort(needs: readonly CountedNeed[]): Html | '' {
  const sentences = needs
    .filter(({ foundNothing }) => foundNothing > 0)
    .slice(0, mostSentences)
    .map((need) => {
      const { searches, foundNothing } = need;
      const nothing = foundNothing === searches ? undefined : written(foundNothing);
      return texts.sentence(whatOf(need), placeName(need), written(searches), nothing);
    });
  return sentences.length === 0
    ? ''
    : html`<section class="card" aria-labelledby="short">
        <h2 id="short">${texts.inShort}</h2>
        <ul>
          ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </section>`;
}

/** What was looked for: the words, or where there are none the kind. */
const whatOf = (need: Need): string => (need.words.length > 0 ? wordsOf(need) : kindOf(need));

const kindOf = ({ kind }: Need): string => (kind === '' ? '' : categoryName(kind));

const { columns } = texts;

const needsTable = (needs: readonly CountedNeed[], team: string): Html =>
  table({
    caption: texts.title,
    columns: [
      { label: columns.what },
      { label: columns.kind },
      { label: columns.where },
      { label: columns.searches, numbers: true },
      { label: columns.nothing, numbers: true },
      { label: columns.unopened, numbers: true },
      { label: '' },
    ],
    rows: needs.map((need) => [
      whatOf(need) || texts.anyKind,
      kindOf(need),
      placeName(need),
      written(need.searches),
      orFew(need.foundNothing),
      orFew(need.openedNothing),
      html`<a href="${ofTeam(newRecordPath, team)}"
        >${texts.add}<span class="unseen">: ${whatOf(need)}, ${placeName(need)}</span></a
      >`,
    ]),
  });

const written = (count: number): string => count.toLocaleString('en');

/** Numbers are full tens. */
const orFew = (count: number): string => (count === 0 ? texts.few : written(count));

const csvColumns = ['from', 'until', 'what', 'kind', 'place', 'searches', 'found_nothing', 'opened_nothing'];

function* csvLines(
  needs: readonly CountedNeed[],
  from: string | undefined,
  until: string | undefined,
): Generator<string> {
  yield csvLine(csvColumns);
  for (const need of needs) {
    const { searches, foundNothing, openedNothing } = need;
    const cells = [from, until, wordsOf(need), kindOf(need), placeName(need)].map(withoutFormula);
    yield csvLine([...cells, searches, foundNothing, openedNothing]);
  }
}
