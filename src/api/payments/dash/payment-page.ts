import { z } from 'zod';
import { CommandRefused } from '../../../commands/errors.ts';
import {
  openMemos,
  openReasons,
  reversalReason,
  reversePayment,
} from '../../../commands/payments/payment.ts';
import type { Actor } from '../../../events/metadata.ts';
import { writtenAmount } from '../../../events/payments/currencies.ts';
import { payments, type PaymentDocument } from '../../../projections/payments/payments.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { field, hidden, notice, time, when } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../pages/page-context.ts';
import { ask } from '../../pages/parts/ask.ts';
import { doneNotice, redirectDone } from '../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { peopleNamed, type NamedPerson } from '../../pages/parts/people-named.ts';
import { en } from './texts.ts';

const texts = en.one;
const uuid = z.uuid();

/** One payment, and its reversal. */
export const paymentPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: `${paths.payments}/:payment`,
  get: (pageContext) => paymentView(dependencies, pageContext),
});

/** Reverses a payment, with a reason. */
export const reversePage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'record payments',
  path: `${paths.payments}/:payment/reverse`,
  get: (pageContext) => redirectTo(addressOf(pageContext)),
  async post(pageContext) {
    const { team, form } = pageContext;
    const id = askedIn(pageContext);
    if (!uuid.safeParse(id).success) return noPaymentView(pageContext);
    const reason = reversalReason.safeParse(form.get('reason') ?? '');
    if (!reason.success)
      return {
        ...(await paymentView(dependencies, pageContext, { reason: en.problems.reason })),
        status: 422,
      };
    try {
      const by = { asTeam: team.team, reason: reason.data };
      const outcome = await reversePayment(dependencies, id, by, pageContext.onceContext());
      await untilShown(dependencies.documents, outcome);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const view = await paymentView(dependencies, pageContext, { whole: error.message });
      return { ...view, status: error.status };
    }
    return redirectDone(`${paths.payments}/${id}`, pageContext, 'reversed');
  },
});

const askedIn = ({ request }: TeamPageContext): string =>
  (request.params as { readonly payment?: string }).payment ?? '';

const addressOf = (pageContext: TeamPageContext): string => {
  const id = askedIn(pageContext);
  return ofTeam(
    uuid.safeParse(id).success ? `${paths.payments}/${id}` : paths.payments,
    pageContext.team.team,
  );
};

async function paymentView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  problems: { readonly reason?: string; readonly whole?: string } = {},
): Promise<View> {
  const { team } = pageContext;
  const { documents, personal } = dependencies;
  const id = askedIn(pageContext);
  const doc = uuid.safeParse(id).success
    ? await documents.collection(payments.collection).get(id)
    : undefined;
  if (doc?.team !== team.team) return noPaymentView(pageContext);
  const people = [doc.member, ...[doc.recorded_by, doc.reversed_by].flatMap((by) => personIn(by) ?? [])];
  const [[memo], named, [reason]] = await Promise.all([
    openMemos(personal, [doc]),
    peopleNamed(dependencies, people),
    openReasons(personal, [doc]),
  ]);
  const amount = writtenAmount(doc.amount_minor, doc.currency);
  return {
    title: texts.title(amount),
    content: html`${when(problems.whole !== undefined, notice(problems.whole ?? '', 'wrong'))}
      ${doneNotice(pageContext, en.done)}
      ${when(
        doc.status === 'reversed',
        html`<p class="lead">${texts.reversed} <a href="#reversal">${texts.seeReversal}</a></p>`,
      )}
      <section class="card">
        <dl class="facts">
          ${fact(texts.member, named.get(doc.member)?.name ?? en.erased)}
          ${fact(texts.paid, time(doc.occurred_at))} ${memo === undefined ? '' : fact(texts.memo, memo)}
          ${fact(texts.recorded, whenAndBy(doc.recorded_at, doc.recorded_by, named))}
        </dl>
        ${doc.status === 'reversed' ? '' : reverseForm(pageContext, doc, amount, problems.reason)}
      </section>
      ${
        doc.reversed_at === undefined
          ? ''
          : html`<section class="card" id="reversal">
              <h2>${texts.reversal}</h2>
              <dl class="facts">
                ${fact(texts.when, whenAndBy(doc.reversed_at, doc.reversed_by, named))}
                ${fact(texts.because, reason ?? texts.noReason)}
              </dl>
            </section>`
      }
      <p><a href="${ofTeam(paths.payments, team.team)}">${en.back}</a></p>`,
  };
}

const reverseForm = (
  { team, formToken, form }: TeamPageContext,
  { payment }: PaymentDocument,
  amount: string,
  problem: string | undefined,
): Html =>
  ask({
    label: texts.reverse,
    of: amount,
    sentence: texts.reverseSentence,
    action: `${paths.payments}/${payment}/reverse`,
    token: formToken,
    open: problem !== undefined,
    fields: html`${hidden('team', team.team)}
    ${field({
      name: 'reason',
      label: texts.reason,
      value: form.get('reason') ?? '',
      maxlength: 200,
      error: problem,
    })}`,
  });

const fact = (label: string, value: string | Html): Html =>
  html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;

/** When something was done, and by whom. */
const whenAndBy = (at: string, by: Actor | undefined, named: ReadonlyMap<string, NamedPerson>): Html =>
  html`${time(at, 'minute')}, ${texts.by} ${actorName(by, named)}`;

const personIn = (by: Actor | undefined): string | undefined => (by?.kind === 'user' ? by.id : undefined);

function actorName(by: Actor | undefined, named: ReadonlyMap<string, NamedPerson>): string {
  const person = personIn(by);
  if (person !== undefined) return named.get(person)?.name ?? en.erased;
  return by?.kind === 'key' ? texts.program : texts.operator;
}

const noPaymentView = ({ team }: TeamPageContext): View =>
  notFoundView(texts.none, { to: ofTeam(paths.payments, team.team), label: en.back });
