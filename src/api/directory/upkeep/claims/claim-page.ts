import { claimableHosts } from '../../../../commands/directory/upkeep/claim-host.ts';
import { claimOfAddress, claimRecord } from '../../../../actions/directory/upkeep/claims/own-claim.ts';
import { normalAddress } from '../../../../events/accounts/email-address.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { networksOf } from '../../../../ground/network.ts';
import { resources } from '../../../../projections/directory/resources.ts';
import { hidden, notice, when } from '../../../pages/controls.ts';
import { html } from '../../../pages/html.ts';
import { OpenForms } from '../../../pages/frame/open-form.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import { focusable } from '../../../pages/parts/first-wrong-focused.ts';
import { isFromOurPages } from '../../../pages/same-origin.ts';
import { missingView, publicRecords, svcIdIn } from '../../pages/record-page.ts';
import { claimPath, recordPath, suggestPath, type PublicRecord } from '../../pages/record-view.ts';

/** The most characters of an email address (RFC 5321 section 4.5.3.1). */
const longestAddress = 254;

interface Problem {
  readonly text: string;
  /** It is about the address, not about the form. */
  readonly ofAddress?: true;
  readonly status?: number;
}

/**
 * On which somebody says that they are of the organization of a record, and gives an address at its website. The answer is the same
 * for every address: whether it fits, is turned away or has a claim already is said by mail alone.
 */
export const claimPage = (dependencies: PublicPageDependencies): PublicPage => {
  const { documents, masterKey, limits } = dependencies;
  const read = publicRecords(dependencies);
  const collection = documents.collection(resources.collection);
  const openForms = new OpenForms(masterKey, 'claim form');

  const view = ({ svcId, fields }: PublicRecord, context: PublicContext, problem?: Problem): PublicView => {
    const { claim, report } = context.texts;
    const hosts = claimableHosts(fields);
    if (hosts.length === 0) return notOpen({ svcId, fields }, context);
    const { token, ...cookies } = openForms.open(svcId, context);
    const typed = problem === undefined ? '' : (context.form.get('email') ?? '').slice(0, longestAddress);
    const wrong = problem?.ofAddress === true;
    return {
      title: claim.ask,
      noStore: true,
      ...cookies,
      ...(problem && { status: problem.status ?? 422 }),
      content: html`<p class="lead">${claim.lead({ name: fields.name })}</p>
        ${when(problem !== undefined && !wrong, notice(problem?.text ?? '', 'wrong'))}
        <form method="post" action="${claimPath(svcId)}" novalidate>
          ${hidden('token', token)}
          <div class="field">
            <label for="email">${claim.email}</label>
            <p class="hint" id="email-hint">
              ${claim.rule}
              ${hosts.map((host, place) => html`${place > 0 ? ', ' : ''}<strong>…@${host}</strong>`)}
            </p>
            <input
              type="email"
              id="email"
              name="email"
              maxlength="${longestAddress}"
              autocomplete="email"
              value="${typed}"
              aria-describedby="email-hint${wrong ? ' email-error' : ''}"
              ${when(wrong, html`aria-invalid="true" ${focusable({ isWrong: true })}`)}
            />
            ${wrong ? html`<p class="error" id="email-error">${problem.text}</p>` : ''}
          </div>
          <button type="submit" class="primary">${claim.send}</button>
        </form>
        <p class="quiet">${claim.next}</p>
        <p><a href="${recordPath(svcId)}">${report.back}</a></p>`,
    };
  };

  return {
    path: claimPath(':svc_id'),
    hasForm: true,
    async get(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: claimPath(found.mergedInto) };
      return context.query.get('sent') === null ? view(found, context) : sentView(found, context);
    },
    async post(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: claimPath(found.mergedInto) };
      const { svcId, fields } = found;
      if (claimableHosts(fields).length === 0) return notOpen(found, context);
      const { form, request, base, now, language, texts } = context;
      const { problems } = texts.claim;
      const name = isFromOurPages(request.headers, base)
        ? openForms.nameOf(form.get('token') ?? '', svcId, context)
        : undefined;
      if (name === undefined) return view(found, context, { text: problems.expired });
      const address = (form.get('email') ?? '').trim();
      if (address.length > longestAddress || normalAddress(address) === undefined)
        return view(found, context, { text: problems.email, ofAddress: true });
      const [narrow] = networksOf(request.ip);
      const { refused } = await limits.take(['claim-network', narrow], ['claim-record', svcId]);
      if (refused !== undefined) return view(found, context, { text: problems.tooMany, status: 429 });
      const doc = await collection.get(svcId);
      const claim = doc && (await claimOfAddress(dependencies, doc, address));
      // A further mail to the same address is left out without a word: whether there would have been one is nobody's business.
      const taken = await limits.take(['claim-address', claim ?? '']);
      if (taken.refused === undefined)
        await claimRecord(
          dependencies,
          { svcId, address, language },
          { commandId: uuidOf('claim form', name, address), at: now, correlationId: request.id },
        );
      return { to: `${claimPath(svcId)}?sent` };
    },
  };
};

/** The record has no website, or one of many: this way is not open, and says so. */
const notOpen = (
  { svcId, fields }: Pick<PublicRecord, 'svcId' | 'fields'>,
  { texts: { claim, suggest, report } }: PublicContext,
): PublicView => ({
  title: claim.ask,
  noStore: true,
  content: html`<p>${claim.closed({ name: fields.name })}</p>
    <p class="choices">
      <a class="button primary" href="${suggestPath(svcId)}" rel="nofollow">${suggest.title}</a>
    </p>
    <p><a href="${recordPath(svcId)}">${report.back}</a></p>`,
});

const sentView = ({ svcId }: PublicRecord, { texts: { claim, report } }: PublicContext): PublicView => ({
  title: report.doneTitle,
  noStore: true,
  content: html`<p role="status">${claim.sent}</p>
    <p><a class="button primary" href="${recordPath(svcId)}">${report.back}</a></p>`,
});
