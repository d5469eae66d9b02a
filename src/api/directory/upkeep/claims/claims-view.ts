import { recordsOf } from '../../../../actions/directory/upkeep/claims/claimed-records.ts';
import {
  approve,
  chooseRules,
  claimList,
  end,
  refuse,
  rulesOf,
} from '../../../../actions/directory/upkeep/claims/claims.ts';
import { oneOf } from '../../../../actions/listing.ts';
import { valueOf, type Performed } from '../../../../actions/perform.ts';
import { hasRight } from '../../../../events/teams-rights.ts';
import { refusals } from '../../../../ground/refusals.ts';
import { fieldsIn } from '../../../../projections/directory/document-fields.ts';
import { resources } from '../../../../projections/directory/resources.ts';
import { claims, claimsQuery, type ClaimDocument } from '../../../../projections/directory/upkeep/claims.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { performFor } from '../../../pages/action-form.ts';
import { button, checkbox, field, form, hidden, notice, time, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Redirect, TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { empty } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam, paths } from '../../../pages/paths.ts';
import { dashRecordPath } from '../../dash/dash-paths.ts';
import { queueTabs } from '../../dash/queue-tabs.ts';
import { nameOf } from '../../dash/record-as-seen.ts';
import { waitingIn } from '../../dash/team-records.ts';
import { en } from '../../dash/texts.ts';
import { claimTexts as texts } from './claims-texts.ts';

/** In characters, as the event takes it. */
const longestReason = 2_000;

/** How many of each are shown. */
const mostShown = 50;

/** Who wants to keep the records of an organization, and who keeps them. */
export async function claimsView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  problem?: string,
): Promise<View> {
  const { documents } = dependencies;
  const { team } = pageContext;
  const collection = documents.collection(claims.collection);
  const of = (status: ClaimDocument['status']) =>
    collection.page({ ...claimsQuery({ team: team.team, status }), limit: mostShown });
  const [proven, approved, waiting, rules] = await Promise.all([
    of('proven'),
    of('approved'),
    waitingIn(documents, team.team),
    rulesOf(dependencies, team.team),
  ]);
  const cards = (docs: readonly ClaimDocument[]) =>
    Promise.all(docs.map((doc) => card(dependencies, pageContext, doc)));
  return {
    title: en.review.title,
    ...(problem !== undefined && { status: refusals.conflict }),
    content: html`${doneNotice(pageContext, texts.done)}
    ${problem === undefined ? '' : notice(problem, 'wrong')} ${queueTabs(team.team, 'claims', waiting)}
    ${proven.length === 0 ? empty(texts.none, html`<p class="quiet">${texts.noneNext}</p>`) : await cards(proven)}
    ${when(approved.length > 0, html`<h2>${texts.keepers}</h2>`)} ${await cards(approved)}
    ${rulesForm(pageContext, rules)}`,
  };
}

/** Approves, refuses or ends a claim, or chooses what those who keep records may do. */
export async function decideClaim(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
): Promise<View | Redirect> {
  const { form: sent, team } = pageContext;
  const decision = chosen(sent, 'decision', ['approve', 'refuse', 'end', 'rules']);
  if (decision === 'rules') {
    const rule = (name: string) => (sent.get(name) === 'yes' ? 'at_once' : 'wait');
    const rules = { changes: rule('changes'), later_claims: rule('later_claims') };
    valueOf(await performFor(dependencies, pageContext, chooseRules, rules));
    return redirectDone(paths.review, pageContext, 'rules', { show: 'claims' });
  }
  const { claim: id } = await oneOf(claimList, dependencies, team.team, sent.get('claim') ?? '');
  const reason = (sent.get(reasonOf(id)) ?? '').trim();
  const performed: Performed<unknown> =
    decision === 'approve'
      ? await performFor(dependencies, pageContext, approve, { id })
      : decision === 'end'
        ? await performFor(dependencies, pageContext, end, { id })
        : await performFor(dependencies, pageContext, refuse, { id, ...(reason !== '' && { reason }) });
  if (performed.kind === 'invalid') return claimsView(dependencies, pageContext, texts.reasonWrong);
  if (performed.kind === 'refused' && performed.refusal.code !== 'not_found')
    return claimsView(dependencies, pageContext, performed.refusal.message);
  valueOf(performed);
  return redirectDone(paths.review, pageContext, decision, { show: 'claims' });
}

/** Each claim on the page has a field of its own. */
const reasonOf = (claim: string): string => `reason-${claim.slice(0, 12)}`;

async function card(
  { documents }: PageDependencies,
  { team, formToken }: TeamPageContext,
  doc: ClaimDocument,
): Promise<Html> {
  const [record, kept] = await Promise.all([
    documents.collection(resources.collection).get(doc.svc_id),
    recordsOf(documents, doc),
  ]);
  const name = record === undefined ? doc.host : nameOf(record);
  const organization = record && fieldsIn(record, 'developer').organization?.name;
  const shared = { of: name, action: ofTeam(paths.review, team.team), token: formToken };
  const values = { team: team.team, claim: doc.claim };
  const waits = doc.status === 'proven';
  return html`<section class="card" aria-label="${name}">
    ${when(waits, html`<p>${texts.check({ of: organization ?? name, host: doc.host })}</p>`)}
    ${facts([
      [texts.organization, organization],
      [texts.record, html`<a href="${ofTeam(dashRecordPath(doc.svc_id), team.team)}">${name}</a>`],
      [texts.host, doc.host],
      [texts.records, String(kept.length)],
      waits
        ? [texts.provenAt, doc.proven_at === undefined ? undefined : time(doc.proven_at, 'minute')]
        : [texts.since, doc.settled_at === undefined ? undefined : time(doc.settled_at, 'day')],
    ])}
    ${when(!kept.some(({ svc_id }) => svc_id === doc.svc_id), notice(texts.moved, 'plain'))}
    <div class="choices">
      ${
        waits
          ? html`${form({
              action: shared.action,
              token: formToken,
              label: `${texts.approve} ${name}`,
              content: html`${Object.entries({ ...values, decision: 'approve' }).map(([key, value]) =>
                hidden(key, value),
              )}${button(texts.approve, { of: name })}`,
            })}
            ${ask({
              ...shared,
              label: texts.refuse,
              sentence: texts.refuseSentence,
              values: { ...values, decision: 'refuse' },
              fields: field({
                name: reasonOf(doc.claim),
                label: texts.reason,
                maxlength: longestReason,
                optional: true,
              }),
            })}`
          : ask({
              ...shared,
              label: texts.end,
              sentence: texts.endSentence,
              values: { ...values, decision: 'end' },
            })
      }
    </div>
  </section>`;
}

function rulesForm(
  { team, formToken, currentUser }: TeamPageContext,
  { changes, later_claims }: Awaited<ReturnType<typeof rulesOf>>,
): Html {
  const decides = currentUser.person.role === 'administrator' || hasRight(team.role, 'change the team');
  const boxes = [
    ['changes', texts.changesAtOnce, changes],
    ['later_claims', texts.laterAtOnce, later_claims],
  ] as const;
  return html`<section class="card" aria-labelledby="claim-rules">
    <h2 id="claim-rules">${texts.rules}</h2>
    <p class="quiet">${texts.rulesHint}</p>
    ${
      decides
        ? form({
            action: ofTeam(paths.review, team.team),
            token: formToken,
            label: texts.rules,
            content: html`${hidden('team', team.team)} ${hidden('claim', 'rules')}
            ${hidden('decision', 'rules')}
            ${boxes.map(([name, label, rule]) => checkbox({ name, label, ticked: rule === 'at_once' }))}
            ${button(texts.save)}`,
          })
        : html`<ul class="points">
            ${boxes.map(([, label, rule]) => html`<li>${label}: ${rule === 'at_once' ? texts.yes : texts.no}</li>`)}
          </ul>`
    }
  </section>`;
}
