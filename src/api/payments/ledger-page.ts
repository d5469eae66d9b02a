import { userId } from '../../events/oauth/values.ts';
import { writtenAmount } from '../../events/payments-currencies.ts';
import { paymentList, type Payment } from '../../actions/payments.ts';
import { defined } from '../../ground/defined.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { html, type Html } from '../pages/html.ts';
import { paidOn } from '../pages/time.ts';
import { listPage } from '../pages/keyset.ts';
import type { Page, TeamPageContext } from '../pages/page-context.ts';
import { badge } from '../pages/parts/badge.ts';
import { selectField } from '../pages/parts/choices.ts';
import { empty, filterBar } from '../pages/parts/list-controls.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import type { NamedPerson } from '../../actions/accounts/people-named.ts';
import { payersNamed, totalsOf } from '../../actions/teams/listed-members.ts';
import { membersPath } from './member-fields.ts';
import { totalsLine } from './totals-line.ts';
import { memberChoices } from './member-choices.ts';
import { en } from './texts.ts';

export const recordPath = `${paths.payments}/record`;

/** The payments of a team, the newest first, or those of one member. */
export const ledgerPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: paths.payments,
  async get(pageContext) {
    const { team, query } = pageContext;
    const { data: member } = userId.safeParse(query.get('member'));
    const shown = defined({ member });
    const here = (also: object) => ofTeam(paths.payments, team.team, { ...shown, ...also });
    const [{ rows, further }, choices, sums] = await Promise.all([
      listPage(dependencies, paymentList, { team: team.team, member }, query, here),
      memberChoices(dependencies, team.team),
      totalsOf(dependencies, team.team, member),
    ]);
    const named = await payersNamed(
      dependencies,
      [...rows, shown].flatMap((each) => each.member ?? []),
    );
    return {
      title: en.title,
      content: html`<div class="team-head">
          <p class="lead">${en.lead(team.name)}</p>
          <div class="choices">
            <a class="button secondary" href="${ofTeam(membersPath, team.team)}">${en.members.title}</a>
            <a class="button primary" href="${ofTeam(recordPath, team.team, defined({ member }))}"
              >${en.record}</a
            >
          </div>
        </div>
        ${doneNotice(pageContext, en.done)}
        ${
          choices
            ? filterBar({
                action: paths.payments,
                team: team.team,
                label: en.filter,
                fields: selectField({
                  name: 'member',
                  label: en.recording.member,
                  options: [{ value: '', label: en.everyMember }, ...choices],
                  value: member,
                }),
              })
            : onlyOf(pageContext, member, named)
        }
        ${
          rows.length === 0
            ? empty(member === undefined ? en.none : en.noneOfMember)
            : html`<section class="card">${ledger(team.team, rows, named)} ${totalsLine(sums)}</section>`
        }
        ${further}`,
    };
  },
});

/** Which member is shown, in a team with too many members for a list of them. */
const onlyOf = (
  { team }: TeamPageContext,
  member: string | undefined,
  named: ReadonlyMap<string, NamedPerson>,
): Html =>
  member === undefined
    ? html``
    : html`<p>
        ${en.ofMember(named.get(member)?.name ?? en.erased)}
        <a href="${ofTeam(paths.payments, team.team)}">${en.all}</a>
      </p>`;

function ledger(team: string, rows: readonly Payment[], named: ReadonlyMap<string, NamedPerson>): Html {
  const { amount, member, paid, memo, status } = en.columns;
  return table({
    caption: en.caption,
    columns: [amount, member, paid, memo, status, ''].map((label) => ({ label })),
    rows: rows.map((each) => {
      const written = writtenAmount(each.amount_minor, each.currency);
      const to = ofTeam(`${paths.payments}/${each.payment}`, team);
      const reversed = each.status === 'reversed';
      return [
        reversed ? html`<del>${written}</del>` : written,
        html`<a href="${ofTeam(paths.payments, team, { member: each.member })}"
          >${named.get(each.member)?.name ?? en.erased}</a
        >`,
        paidOn(each.occurred_at),
        each.memo ?? '',
        reversed
          ? html`<a href="${to}#reversal"
              >${badge(en.status.reversed, 'bad')}<span class="unseen"> ${en.one.seeReversal}</span></a
            >`
          : badge(en.status.recorded),
        html`<a href="${to}">${en.details}<span class="unseen"> ${written}</span></a>`,
      ];
    }),
  });
}
