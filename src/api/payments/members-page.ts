import { Readable } from 'node:stream';
import {
  isOverdue,
  listedList,
  totalsOf,
  writtenTotals,
  type ListedMember,
} from '../../actions/teams/listed-members.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { listedCsv } from '../../actions/teams/listed-members-csv.ts';
import { dayOf } from '../../projections/forms.ts';
import { listedMembers } from '../../projections/payments.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { html, type Html } from '../pages/html.ts';
import { calendarDay } from '../pages/time.ts';
import { keysetPage } from '../pages/keyset.ts';
import type { Page, TeamPageContext } from '../pages/page-context.ts';
import { badge } from '../pages/parts/badge.ts';
import { chosen } from '../pages/parts/chosen.ts';
import { selectField } from '../pages/parts/choices.ts';
import { empty, filterBar } from '../pages/parts/list-controls.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { membersPath } from './member-fields.ts';
import { en } from './texts.ts';

const texts = en.members;
const choices = ['all', 'overdue', 'joined'] as const;
type Choice = (typeof choices)[number];

/** The members of a team who have no account: who is paid until when, and what they have paid. */
export const membersPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: membersPath,
  async get(pageContext) {
    const { team, query } = pageContext;
    const which: Choice = query.get('which') === null ? 'all' : chosen(query, 'which', choices);
    const here = (also: object) =>
      ofTeam(membersPath, team.team, { ...(which === 'all' ? {} : { which }), ...also });
    const now = dependencies.now();
    const { docs, further } = await keysetPage(dependencies.documents.collection(listedMembers.collection), {
      ...listOf(team.team, which, now),
      query,
      here,
    });
    const rows = await listedList.open(dependencies, docs);
    const shownEmpty = { all: texts.none, overdue: texts.noneOverdue, joined: texts.noneJoined }[which];
    return {
      title: texts.title,
      content: html`<div class="team-head">
          <p class="lead">${texts.lead(team.name)}</p>
          <div class="choices">
            <a class="button secondary" href="${ofTeam(`${membersPath}/add-many`, team.team)}"
              >${texts.addMany}</a
            >
            <a class="button primary" href="${ofTeam(`${membersPath}/add`, team.team)}">${texts.add}</a>
          </div>
        </div>
        ${doneNotice(pageContext, en.done)}
        ${filterBar({
          action: membersPath,
          team: team.team,
          label: texts.filter,
          fields: selectField({
            name: 'which',
            label: texts.which,
            options: choices.map((value) => ({ value, label: texts.choices[value] })),
            value: which,
          }),
        })}
        ${
          rows.length === 0
            ? empty(shownEmpty)
            : html`<section class="card">
                <p><a href="${ofTeam(`${membersPath}.csv`, team.team)}">${texts.csv}</a></p>
                ${await membersTable(dependencies, pageContext, rows, now)}
              </section>`
        }
        ${further}
        <p><a href="${ofTeam(paths.payments, team.team)}">${texts.payments}</a></p>`,
    };
  },
});

/** All of them as a table in a file. That somebody took it is not recorded. */
export const membersCsvPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: `${membersPath}.csv`,
  get: ({ team }) => ({
    download: Readable.from(listedCsv(dependencies, team.team, dependencies.now())),
    filename: `${team.team}-members.csv`,
    type: 'text/csv',
  }),
});

/** Those whose last day is over come in its order, the longest ago first. */
function listOf(team: string, which: Choice, now: Date) {
  if (which !== 'overdue')
    return {
      where: { team, status: which === 'all' ? ('listed' as const) : ('joined' as const) },
      orderBy: ['added_at', 'member'] as const,
    };
  const yesterday = dayOf(new Date(now.getTime() - 86_400_000).toISOString());
  return {
    where: { team, status: 'listed' as const },
    orderBy: ['paid_until', 'member'] as const,
    from: '0',
    upTo: [yesterday, 'g'],
  };
}

async function membersTable(
  dependencies: PageDependencies,
  { team }: TeamPageContext,
  rows: readonly ListedMember[],
  now: Date,
): Promise<Html> {
  const accounts = await peopleNamed(
    dependencies,
    rows.flatMap(({ user }) => user ?? []),
  );
  const paid = await Promise.all(
    rows.map(({ member, user }) => totalsOf(dependencies, team.team, user ?? member)),
  );
  const { name, contact, paidUntil, paid: sums } = texts.columns;
  return table({
    caption: texts.caption,
    columns: [name, contact, paidUntil, sums].map((label) => ({ label })),
    rows: rows.map((each, place) => {
      const to = ofTeam(`${membersPath}/${each.member}`, team.team);
      const account = each.user === undefined ? undefined : accounts.get(each.user);
      const { name: called = account?.name, email = account?.email, phone } = each.details ?? {};
      return [
        html`<a href="${to}">${called ?? en.erased}</a>`,
        [email, phone].filter((one) => one !== undefined && one !== null).join(', '),
        html`${each.paid_until === undefined ? '' : calendarDay(each.paid_until)}
        ${each.status === 'listed' && isOverdue(each, now) ? badge(texts.overdue, 'bad') : ''}`,
        writtenTotals(paid[place]?.totals ?? new Map()),
      ];
    }),
  });
}
