import { formList } from '../../../actions/forms.ts';
import { type FormDocument, formSubmissions } from '../../../projections/forms.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { time } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import { listPage } from '../../pages/keyset.ts';
import type { Page } from '../../pages/page-context.ts';
import { badge } from '../../pages/parts/badge.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { doneNotice } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { changesForms, formPagePath, newFormPath, readsAnswers } from './form-authority.ts';
import { en } from './texts.ts';

/** Forms on a page. The answers of each are counted. */
const perPage = 25;
/** Answers that are counted. Of more, it is said that there are more. */
const mostCounted = 1_000;

/** The forms of a team. */
export const formsPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: paths.forms,
  async get(pageContext) {
    const { team, query } = pageContext;
    const { rows, further } = await listPage(
      dependencies,
      formList,
      { team: team.team },
      query,
      (also) => ofTeam(paths.forms, team.team, also),
      perPage,
    );
    const counts = await Promise.all(
      rows.map(async (each) =>
        readsAnswers(pageContext, each) ? answersOf(dependencies, each) : en.hiddenCount,
      ),
    );
    const make = html`<a class="button primary" href="${ofTeam(newFormPath, team.team)}">${en.make}</a>`;
    const changes = changesForms(pageContext);
    return {
      title: en.title,
      content: html`<div class="team-head">
          <p class="lead">${en.lead(team.name)}</p>
          ${changes && rows.length > 0 ? make : ''}
        </div>
        ${doneNotice(pageContext, en.done)}
        ${
          rows.length === 0
            ? empty(en.none, changes ? make : undefined)
            : html`<section class="card">
                ${table({
                  caption: en.caption,
                  columns: [
                    { label: en.columns.form },
                    { label: en.columns.status },
                    { label: en.columns.answers, numbers: true },
                    { label: en.columns.changed },
                  ],
                  rows: rows.map((each, place) => [
                    html`<a href="${ofTeam(formPagePath(each.slug), team.team)}">${titleOf(each)}</a>`,
                    badge(en.status[each.status], each.status === 'open' ? 'good' : 'plain'),
                    counts[place] ?? '',
                    time(each.changed_at),
                  ]),
                })}
              </section>`
        }
        ${further}`,
    };
  },
});

/** The title in the first language of the form. */
export const titleOf = ({ definition: { title, languages }, slug }: FormDocument): string =>
  title[languages[0] ?? 'en'] ?? slug;

async function answersOf({ documents }: PageDependencies, { form }: FormDocument): Promise<string> {
  const counted = await documents
    .collection(formSubmissions.collection)
    .count({ where: { form }, atMost: mostCounted + 1 });
  return counted > mostCounted ? en.many(mostCounted) : String(counted);
}
