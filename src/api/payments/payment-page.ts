import { paymentList, reverse, type Payment } from '../../actions/payments.ts';
import { findIn } from '../../actions/listing.ts';
import type { Actor } from '../../events/metadata.ts';
import { writtenAmount } from '../../events/payments-currencies.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, teamForm, type Again, type InputField } from '../pages/action-form.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { hidden, notice, time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { paidOn } from '../pages/time.ts';
import type { NamedPerson } from '../../actions/accounts/people-named.ts';
import { payersNamed } from '../../actions/teams/listed-members.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { facts } from '../pages/parts/facts.ts';
import { doneNotice, redirectDone } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

const texts = en.one;

/** One payment, and its reversal. */
export const paymentPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: `${paths.payments}/:payment`,
  get: (pageContext) => paymentView(dependencies, pageContext),
});

const reasonField: InputField = {
  name: 'reason',
  label: texts.reason,
  maxlength: 200,
  read: (typed) => typed,
  wrong: en.problems.reason,
};

/** Reverses a payment, with a reason. */
export const reversePage = teamForm({
  path: `${paths.payments}/:payment/reverse`,
  action: reverse,
  get(_, pageContext) {
    const id = paymentList.id.safeParse(idIn(pageContext));
    const path = id.success ? `${paths.payments}/${id.data}` : paths.payments;
    return redirectTo(ofTeam(path, pageContext.team.team));
  },
  fields: () => [reasonField],
  also: (pageContext) => ({ id: idIn(pageContext) }),
  view: paymentView,
  done: (pageContext, { payment: id }) => redirectDone(`${paths.payments}/${id}`, pageContext, 'reversed'),
});

const idIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly payment?: string }).payment ?? '';

async function paymentView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team } = pageContext.team;
  const paid = await findIn(paymentList, dependencies, team, idIn(pageContext));
  if (!paid) return notFoundView(texts.none, { to: ofTeam(paths.payments, team), label: en.back });
  const { member, recorded_by, reversed_by, reversed_at, memo, reason } = paid;
  const people = [recorded_by, reversed_by].flatMap((by) => (by?.kind === 'user' ? by.id : []));
  const named = await payersNamed(dependencies, [member, ...people]);
  const amount = writtenAmount(paid.amount_minor, paid.currency);
  return {
    title: texts.title(amount),
    content: html`${refused ? notice(refused.message, 'wrong') : ''} ${doneNotice(pageContext, en.done)}
      ${when(
        paid.status === 'reversed',
        html`<p class="lead">${texts.reversed} <a href="#reversal">${texts.seeReversal}</a></p>`,
      )}
      <section class="card">
        ${facts([
          [texts.member, named.get(member)?.name ?? en.erased],
          [texts.paid, paidOn(paid.occurred_at)],
          [texts.memo, memo ?? undefined],
          [texts.recorded, whenAndBy(paid.recorded_at, recorded_by, named)],
        ])}
        ${paid.status === 'reversed' ? '' : reverseForm(pageContext, paid, amount, problems)}
      </section>
      ${
        reversed_at === undefined
          ? ''
          : html`<section class="card" id="reversal">
              <h2>${texts.reversal}</h2>
              ${facts([
                [texts.when, whenAndBy(reversed_at, reversed_by, named)],
                [texts.because, reason ?? texts.noReason],
              ])}
            </section>`
      }
      <p><a href="${ofTeam(paths.payments, team)}">${en.back}</a></p>`,
  };
}

const reverseForm = (
  { team, formToken, form }: TeamPageContext,
  { payment }: Payment,
  amount: string,
  problems: Again['problems'],
): Html =>
  ask({
    label: texts.reverse,
    of: amount,
    sentence: texts.reverseSentence,
    action: ofTeam(`${paths.payments}/${payment}/reverse`, team.team),
    token: formToken,
    open: problems['reason'] !== undefined,
    fields: html`${hidden('team', team.team)} ${inputFields([reasonField], form, problems)}`,
  });

/** When something was done, and by whom. */
const whenAndBy = (at: string, by: Actor | undefined, named: ReadonlyMap<string, NamedPerson>): Html =>
  html`${time(at, 'minute')}, ${texts.by} ${actorName(by, named)}`;

function actorName(by: Actor | undefined, named: ReadonlyMap<string, NamedPerson>): string {
  if (by?.kind === 'user') return named.get(by.id)?.name ?? en.erased;
  return by?.kind === 'key' ? texts.program : texts.operator;
}
