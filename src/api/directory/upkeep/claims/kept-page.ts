import {
  changeOwn,
  confirmOwn,
  endOwn,
  openedClaim,
  proveClaim,
  type OpenedClaim,
} from '../../../../actions/directory/upkeep/claims/own-claim.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { CommandRefused } from '../../../../ground/refusals.ts';
import { networksOf } from '../../../../ground/network.ts';
import { hidden } from '../../../pages/controls.ts';
import { html } from '../../../pages/html.ts';
import { OpenForms } from '../../../pages/frame/open-form.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import { paths } from '../../../pages/paths.ts';
import { publicRecords } from '../../pages/record-page.ts';
import type { PublicRecord } from '../../pages/record-view.ts';
import { formNameOf, linkIn } from '../asking/agency-page.ts';
import { goneLinkView, linkedTo, privateView } from '../asking/agency-view.ts';
import { suggestForm } from '../suggest-form.ts';
import { checkedIn, filledIn, openedWith, type FilledForm, type SuggestProblems } from '../suggest-values.ts';
import { keptView, proveView } from './kept-view.ts';

const formsOf = ({ masterKey }: Pick<PublicPageDependencies, 'masterKey'>): OpenForms =>
  new OpenForms(masterKey, 'kept records');

async function mayAnswer(
  { limits }: Pick<PublicPageDependencies, 'limits'>,
  { claim }: OpenedClaim,
  ip: string,
): Promise<boolean> {
  const [narrow] = networksOf(ip);
  const { refused } = await limits.take(['agency-network', narrow], ['claim-answer', claim]);
  return refused === undefined;
}

const goneView = (context: PublicContext): PublicView => ({
  ...goneLinkView(context),
  content: html`<p>${context.texts.claim.gone}</p>`,
});

const sentenceView = (title: string, sentence: string): PublicView => ({
  title,
  ...privateView,
  content: html`<p role="status">${sentence}</p>`,
});

const waitsView = ({ teamName: team }: OpenedClaim, { texts: { claim } }: PublicContext): PublicView =>
  sentenceView(claim.provenTitle, claim.waits({ team }));

/**
 * The page behind the private links of a claim: first the button that proves it, once it is approved the records. Looking at it
 * changes nothing: programs that follow the links of mails prove and say nothing.
 */
export const keptPage = (dependencies: PublicPageDependencies): PublicPage => {
  const read = publicRecords(dependencies);
  const forms = formsOf(dependencies);

  const view = async (context: PublicContext, opened: OpenedClaim, problem?: string): Promise<PublicView> => {
    const { token, ...cookies } = forms.open(opened.claim, context);
    const page = { link: linkIn(context), opened, token, problem };
    if (opened.status === 'proven') return { ...waitsView(opened, context), ...cookies };
    if (opened.status === 'begun') return { ...proveView(page, context), ...cookies };
    const found = await Promise.all(opened.records.map(({ svc_id }) => read(svc_id)));
    const records = found.filter(
      (each): each is PublicRecord => typeof each === 'object' && 'fields' in each,
    );
    return { ...keptView({ ...page, records }, context), ...cookies };
  };

  return {
    path: paths.claim,
    hasForm: true,
    async get(context) {
      const opened = await openedClaim(dependencies, linkIn(context), context.now);
      return opened ? view(context, opened) : goneView(context);
    },
    async post(context) {
      const { form, texts, now, request } = context;
      const link = linkIn(context);
      const opened = await openedClaim(dependencies, link, now);
      if (!opened) return goneView(context);
      const { problems, ...words } = texts.claim;
      const name = formNameOf(forms, opened.claim, context);
      if (opened.status === 'proven') return view(context, opened);
      if (name === undefined) return { ...(await view(context, opened, problems.expired)), status: 422 };
      if (!(await mayAnswer(dependencies, opened, request.ip)))
        return { ...(await view(context, opened, problems.tooMany)), status: 429 };
      const pressed = form.get('answer') ?? '';
      const svcId = form.get('svc_id') ?? '';
      // Each press is a command of its own; the same form sent twice is one.
      const commandId = uuidOf('kept form', name, svcId, pressed);
      const by = { commandId, at: now, correlationId: request.id };
      try {
        if (opened.status === 'begun') {
          if (pressed !== 'prove') return await view(context, opened);
          const became = await proveClaim(dependencies, opened, by);
          return became === 'waits'
            ? waitsView(opened, context)
            : sentenceView(words.provenTitle, words.approved);
        }
        if (pressed === 'end') {
          await endOwn(dependencies, opened, by);
          return sentenceView(words.provenTitle, words.ended);
        }
        if (pressed === 'yes') await confirmOwn(dependencies, opened, svcId, by);
        else if (pressed === 'closed') await changeOwn(dependencies, opened, { svcId, kind: 'closed' }, by);
        else return await view(context, opened);
      } catch (error) {
        // The link was used, or the record is kept by them no more.
        if (!(error instanceof CommandRefused)) throw error;
        const since = await openedClaim(dependencies, link, now);
        if (!since) return goneView(context);
        if (since.status === 'proven') return view(context, since);
        return { ...(await view(context, since, problems.record)), status: 409 };
      }
      const done = pressed === 'yes' ? 'yes' : 'waits';
      return { to: `${linkedTo(paths.claim, link, { done, of: svcId })}#${encodeURIComponent(svcId)}` };
    },
  };
};

/** The form on which those who keep a record change it: that of a suggestion. */
export const keptChangePage = (dependencies: PublicPageDependencies): PublicPage => {
  const read = publicRecords(dependencies);
  const forms = formsOf(dependencies);

  const opening = async (context: PublicContext) => {
    const svcId = context.form.get('svc_id') ?? context.query.get('svc_id') ?? '';
    const opened = await openedClaim(dependencies, linkIn(context), context.now);
    if (!opened?.records.some(({ svc_id }) => svc_id === svcId)) return undefined;
    const record = await read(svcId);
    return typeof record === 'object' && 'fields' in record ? { opened, record } : undefined;
  };

  const view = (
    { opened, record }: { readonly opened: OpenedClaim; readonly record: PublicRecord },
    context: PublicContext,
    filled: FilledForm = openedWith(record.fields),
    problems: SuggestProblems = {},
  ): PublicView => {
    const { svcId, fields } = record;
    const link = linkIn(context);
    const { token, ...cookies } = forms.open(opened.claim, context);
    const elsewhere = {
      action: paths.claimChange,
      fields: html`${hidden('link', link)} ${hidden('svc_id', svcId)}`,
      back: linkedTo(paths.claim, link),
      asksWhetherClosed: true,
    };
    return {
      title: context.texts.claim.change,
      ...privateView,
      ...cookies,
      ...(Object.keys(problems).length > 0 && { status: 422 }),
      content: suggestForm({ svcId, fields, token, ...filled, problems, elsewhere }, context.texts),
    };
  };

  return {
    path: paths.claimChange,
    hasForm: true,
    async get(context) {
      const found = await opening(context);
      return found ? view(found, context) : goneView(context);
    },
    async post(context) {
      const found = await opening(context);
      if (!found) return goneView(context);
      const { opened, record } = found;
      const { form, texts, now, request } = context;
      const { problems: words } = texts.claim;
      const filled = filledIn(form, record.fields);
      const again = (problems: SuggestProblems, status = 422) => ({
        ...view(found, context, filled, problems),
        status,
      });
      const name = formNameOf(forms, opened.claim, context);
      if (name === undefined) return again({ form: words.expired });
      const checked = checkedIn(filled, record.fields, texts.suggest);
      if (!('kind' in checked)) return again(checked);
      if (!(await mayAnswer(dependencies, opened, request.ip))) return again({ form: words.tooMany }, 429);
      const { svcId } = record;
      const link = linkIn(context);
      try {
        const became = await changeOwn(
          dependencies,
          opened,
          { svcId, note: filled.note, ...checked },
          { commandId: uuidOf('kept change', name), at: now, correlationId: request.id },
        );
        return {
          to: `${linkedTo(paths.claim, link, { done: became, of: svcId })}#${encodeURIComponent(svcId)}`,
        };
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return again({ form: error.code === 'invalid' ? texts.suggest.problems.nothing : words.record });
      }
    },
  };
};
