import { CommandRefused } from '../../../commands/errors.ts';
import { findByEmail } from '../../../commands/accounts/person.ts';
import {
  paymentIdOf,
  paymentInput,
  recordPayment,
  type PaymentInput,
} from '../../../commands/payments/payment.ts';
import { requireTeam } from '../../../commands/teams/team.ts';
import { userId } from '../../../events/oauth/values.ts';
import { amountMinorIn, minorDigits } from '../../../events/payments/currencies.ts';
import { defined } from '../../../ground/defined.ts';
import type { PaymentDocument } from '../../../projections/payments/payments.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, checkbox, fields, form, hidden, type Field, type Problems } from '../../pages/controls.ts';
import { html } from '../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { recordPath } from './ledger-page.ts';
import { memberChoices } from './member-choices.ts';
import { samePayment } from './same-payment.ts';
import { en } from './texts.ts';

const texts = en.recording;

/** No place on earth is further ahead of UTC: there, today may be tomorrow. */
const aheadMs = 14 * 3_600_000;

/** Records a payment against a member of a team. */
export const recordPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: recordPath,
  get: (pageContext) => recordView(dependencies, pageContext),
  async post(pageContext) {
    const { team, form: typed } = pageContext;
    const { input, problems } = await inputIn(dependencies, pageContext);
    if (!input) return { ...(await recordView(dependencies, pageContext, problems)), status: 422 };
    const context = pageContext.onceContext();
    if (typed.get('another') !== 'yes') {
      const same = await samePayment(dependencies, team.team, input, paymentIdOf(context));
      if (same) return { ...(await recordView(dependencies, pageContext, {}, same)), status: 409 };
    }
    try {
      const outcome = await recordPayment(dependencies, team.team, input, context);
      await untilShown(dependencies.documents, outcome);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const view = await recordView(dependencies, pageContext, { member: en.problems.member });
      return { ...view, status: error.status };
    }
    return redirectDone(paths.payments, pageContext, 'recorded');
  },
});

/** The payment in a form, or what is wrong with it, by field. */
async function inputIn(
  dependencies: PageDependencies,
  { form: typed, team }: TeamPageContext,
): Promise<{ readonly input?: PaymentInput; readonly problems: Problems }> {
  const { shape } = paymentInput;
  const said = (name: string) => (typed.get(name) ?? '').trim();
  const member = await memberIn(dependencies, team.team, typed);
  const currency = said('currency').toUpperCase();
  const digits = minorDigits.get(currency);
  const amount = amountMinorIn(said('amount'), digits === undefined ? 'KWD' : currency);
  const memo = shape.memo.safeParse(said('memo') === '' ? undefined : said('memo'));
  const paid = occurredAt(said('date'), dependencies.now());
  const problems: Record<string, string> = {};
  if (member === undefined)
    problems['member'] = typed.has('email') ? en.problems.memberEmail : en.problems.member;
  if (digits === undefined) problems['currency'] = en.problems.currency;
  if (amount === 'not_an_amount') problems['amount'] = en.problems.amount;
  if (amount === 'not_positive') problems['amount'] = en.problems.amountZero;
  if (amount === 'too_many_digits') problems['amount'] = en.problems.amountDigits(currency, digits ?? 2);
  if (!memo.success) problems['memo'] = en.problems.memo;
  if ('problem' in paid) problems['date'] = paid.problem;
  if (
    member === undefined ||
    typeof amount !== 'number' ||
    !memo.success ||
    'problem' in paid ||
    Object.keys(problems).length > 0
  )
    return { problems };
  const input = {
    member_id: member,
    amount_minor: amount,
    currency,
    ...defined({ memo: memo.data, occurred_at: paid.at }),
  };
  return { input, problems };
}

/** Who was chosen, or whose address was typed: a member of the team. */
async function memberIn(
  dependencies: PageDependencies,
  team: string,
  typed: URLSearchParams,
): Promise<string | undefined> {
  const email = typed.get('email');
  const user =
    email === null
      ? (userId.safeParse(typed.get('member')).data ?? undefined)
      : (await findByEmail(dependencies, email))?.user;
  if (user === undefined) return undefined;
  const { members } = await requireTeam(dependencies.store, team);
  return members.has(user) ? user : undefined;
}

/** A day is kept as its noon, which is the same day nearly everywhere. Today is kept as now. */
function occurredAt(
  day: string,
  now: Date,
): { readonly at: string | undefined } | { readonly problem: string } {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return { problem: en.problems.date };
  const noon = Date.parse(`${day}T12:00:00Z`);
  if (Number.isNaN(noon) || !new Date(noon).toISOString().startsWith(day))
    return { problem: en.problems.date };
  if (noon < 0) return { problem: en.problems.past };
  if (noon <= now.getTime()) return { at: new Date(noon).toISOString() };
  return Date.parse(`${day}T00:00:00Z`) - aheadMs <= now.getTime()
    ? { at: undefined }
    : { problem: en.problems.future };
}

async function recordView(
  dependencies: PageDependencies,
  { team, form: typed, formToken }: TeamPageContext,
  problems: Problems = {},
  same?: PaymentDocument,
): Promise<View> {
  const choices = await memberChoices(dependencies, team.team);
  const value = (name: string, otherwise = '') => typed.get(name) ?? otherwise;
  const today = dependencies.now().toISOString().slice(0, 10);
  const rest: Field[] = [
    { name: 'amount', label: texts.amount, hint: texts.amountHint, value: value('amount') },
    {
      name: 'currency',
      label: texts.currency,
      hint: texts.currencyHint,
      value: value('currency'),
      maxlength: 3,
    },
    { name: 'date', label: texts.date, type: 'date', value: value('date', today) },
    { name: 'memo', label: texts.memo, value: value('memo'), optional: true, maxlength: 200 },
  ];
  return {
    title: en.record,
    content: html`<section class="card">
      ${form({
        action: recordPath,
        token: formToken,
        content: html`${hidden('team', team.team)}
          ${
            choices
              ? selectField({
                  name: 'member',
                  label: texts.member,
                  options: [{ value: '', label: texts.choose }, ...choices],
                  value: value('member'),
                  error: problems['member'],
                })
              : fields([{ name: 'email', label: texts.memberEmail, type: 'email', value: value('email') }], {
                  email: problems['member'],
                })
          }
          ${fields(rest, problems)}
          ${
            same
              ? html`<div class="notice wrong" role="alert">
                  <p>
                    ${texts.same}
                    <a href="${ofTeam(`${paths.payments}/${same.payment}`, team.team)}">${texts.seeSame}</a>
                  </p>
                  ${checkbox({ name: 'another', label: texts.another, ticked: false })}
                </div>`
              : ''
          }
          <div class="choices">
            ${button(texts.save)}
            <a class="button secondary" href="${ofTeam(paths.payments, team.team)}">${texts.cancel}</a>
          </div>`,
      })}
    </section>`,
  };
}
