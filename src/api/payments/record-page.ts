import { record, SamePayment } from '../../actions/payments.ts';
import { lastCurrency, payerNamed, payersNamed } from '../../actions/teams/listed-members.ts';
import { amountMinorIn, minorDigits } from '../../events/payments-currencies.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, Wrong, type Again, type InputField } from '../pages/action-form.ts';
import { button, checkbox, form, hidden, notice, when } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { readerDay } from '../pages/reader-clock.ts';
import { recordPath } from './ledger-page.ts';
import { memberChoices } from './member-choices.ts';
import { en } from './texts.ts';

const texts = en.recording;

/** No place on earth is further ahead of UTC: there, today may be tomorrow. */
const aheadMs = 14 * 3_600_000;

/** Records a payment against a member of a team. */
export const recordPage = teamForm({
  path: recordPath,
  action: record,
  get: recordView,
  fields: fieldsOf,
  also: ({ form: typed }) => ({ another: typed.get('another') === 'yes' }),
  view: recordView,
  done: (pageContext) => redirectDone(paths.payments, pageContext, 'recorded'),
});

async function fieldsOf(
  dependencies: PageDependencies,
  { team: { team }, form: typed, query }: TeamPageContext,
): Promise<readonly InputField[]> {
  const choices = await memberChoices(dependencies, team);
  const currency = (typed.get('currency') ?? '').trim().toUpperCase();
  const now = dependencies.now();
  const email = typed.get('email');
  const whom = email ?? typed.get('member') ?? query.get('member') ?? '';
  const member = {
    input: 'member_id',
    wrong: en.problems.member,
    read: async () =>
      (await payerNamed(dependencies, team, whom)) ??
      new Wrong(email === null ? en.problems.member : en.problems.memberEmail),
  };
  return [
    choices
      ? {
          value: query.get('member') ?? '',
          ...member,
          name: 'member',
          label: texts.member,
          options: [{ value: '', label: texts.choose }, ...choices],
        }
      : {
          ...member,
          name: 'email',
          label: texts.memberEmail,
          value: (await payersNamed(dependencies, [whom])).get(whom)?.email ?? '',
        },
    {
      name: 'amount',
      input: 'amount_minor',
      label: texts.amount,
      hint: texts.amountHint,
      read: (text) => amountIn(text, currency),
    },
    {
      name: 'currency',
      label: texts.currency,
      value: (await lastCurrency(dependencies, team)) ?? '',
      hint: texts.currencyHint,
      maxlength: 3,
      read: () => currency,
      wrong: en.problems.currency,
    },
    {
      name: 'date',
      input: 'occurred_at',
      label: texts.date,
      type: 'date',
      value: readerDay(now),
      read: (day) => occurredAt(day, now),
    },
    { name: 'memo', label: texts.memo, optional: true, maxlength: 200, wrong: en.problems.memo },
  ];
}

/** In the smallest unit. In a currency that there is not, every number of digits is an amount. */
function amountIn(text: string, currency: string): number | Wrong {
  const digits = minorDigits.get(currency);
  const amount = amountMinorIn(text, digits === undefined ? 'KWD' : currency);
  if (amount === 'not_an_amount') return new Wrong(en.problems.amount);
  if (amount === 'not_positive') return new Wrong(en.problems.amountZero);
  if (amount === 'too_many_digits') return new Wrong(en.problems.amountDigits(currency, digits ?? 2));
  return amount;
}

/** A day is kept as its noon, which is the same day nearly everywhere. Today is kept as now: undefined. */
function occurredAt(day: string, now: Date): string | undefined | Wrong {
  const noon = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  if (Number.isNaN(noon) || !new Date(noon).toISOString().startsWith(day)) return new Wrong(en.problems.date);
  if (noon < 0) return new Wrong(en.problems.past);
  if (noon <= now.getTime()) return new Date(noon).toISOString();
  const begun = Date.parse(`${day}T00:00:00Z`) - aheadMs <= now.getTime();
  return begun ? undefined : new Wrong(en.problems.future);
}

async function recordView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, form: typed, formToken } = pageContext;
  return {
    title: en.record,
    content: html`<section class="card">
      ${form({
        action: ofTeam(recordPath, team.team),
        token: formToken,
        content: html`${hidden('team', team.team)}
          ${inputFields(await fieldsOf(dependencies, pageContext), typed, problems)}
          ${
            refused instanceof SamePayment
              ? html`<div class="notice wrong" role="alert">
                  <p>
                    ${texts.same}
                    <a href="${ofTeam(`${paths.payments}/${refused.payment}`, team.team)}"
                      >${texts.seeSame}</a
                    >
                  </p>
                  ${checkbox({ name: 'another', label: texts.another, ticked: false })}
                </div>`
              : when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))
          }
          <div class="choices">
            ${button(texts.save)}
            <a class="button secondary" href="${ofTeam(paths.payments, team.team)}">${texts.cancel}</a>
          </div>`,
      })}
    </section>`,
  };
}
