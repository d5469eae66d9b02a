import { userId } from '../../../events/oauth/values.ts';
import { writtenAmount } from '../../../events/payments/currencies.ts';
import { openMemos } from '../../../commands/payments/payment.ts';
import { defined } from '../../../ground/defined.ts';
import { paymentOrder, payments, type PaymentDocument } from '../../../projections/payments/payments.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { afterParameter, keysetPage } from '../../pages/keyset.ts';
import type { Page, TeamPageContext } from '../../pages/page-context.ts';
import { badge } from '../../pages/parts/badge.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { doneNotice } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { peopleNamed, type NamedPerson } from '../../pages/parts/people-named.ts';
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
    const asked = userId.safeParse(query.get('member'));
    const member = asked.success ? asked.data : undefined;
    const page = await keysetPage(dependencies.documents.collection(payments.collection), {
      where: { team: team.team, ...defined({ member }) },
      orderBy: paymentOrder,
      descending: true,
      after: query.get(afterParameter),
    });
    const [memos, named, choices] = await Promise.all([
      openMemos(dependencies.personal, page.docs),
      peopleNamed(dependencies, [
        ...page.docs.map((each) => each.member),
        ...(member === undefined ? [] : [member]),
      ]),
      memberChoices(dependencies, team.team),
    ]);
    const here = (also: Readonly<Record<string, string>> = {}) =>
      ofTeam(paths.payments, team.team, { ...defined({ member }), ...also });
    return {
      title: en.title,
      content: html`<div class="team-head">
          <p class="lead">${en.lead(team.name)}</p>
          <a class="button primary" href="${ofTeam(recordPath, team.team)}">${en.record}</a>
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
          page.docs.length === 0
            ? empty(member === undefined ? en.none : en.noneOfMember)
            : html`<section class="card">${ledger(team.team, page.docs, memos, named)}</section>`
        }
        ${pager({
          first: page.isFirst ? undefined : here(),
          next: page.next === undefined ? undefined : here({ [afterParameter]: page.next }),
        })}`,
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

function ledger(
  team: string,
  docs: readonly PaymentDocument[],
  memos: readonly (string | undefined)[],
  named: ReadonlyMap<string, NamedPerson>,
): Html {
  const { columns } = en;
  return table({
    caption: en.caption,
    columns: [
      { label: columns.amount },
      { label: columns.member },
      { label: columns.paid },
      { label: columns.memo },
      { label: columns.status },
      { label: '' },
    ],
    rows: docs.map(({ payment, amount_minor, currency, member, occurred_at, status }, place) => {
      const amount = writtenAmount(amount_minor, currency);
      const to = ofTeam(`${paths.payments}/${payment}`, team);
      return [
        status === 'reversed' ? html`<del>${amount}</del>` : amount,
        html`<a href="${ofTeam(paths.payments, team, { member })}"
          >${named.get(member)?.name ?? en.erased}</a
        >`,
        time(occurred_at),
        memos[place] ?? '',
        status === 'reversed'
          ? html`<a href="${to}#reversal"
              >${badge(en.status.reversed, 'bad')}<span class="unseen"> ${en.one.seeReversal}</span></a
            >`
          : badge(en.status.recorded),
        html`<a href="${to}">${en.details}<span class="unseen"> ${amount}</span></a>`,
      ];
    }),
  });
}
