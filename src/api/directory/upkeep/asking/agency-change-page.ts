import { suggestByLink } from '../../../../actions/directory/upkeep/agency-answers.ts';
import { openedLink, type OpenedLink } from '../../../../actions/directory/upkeep/agency-links.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { CommandRefused } from '../../../../ground/refusals.ts';
import { hidden } from '../../../pages/controls.ts';
import { html } from '../../../pages/html.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import { paths } from '../../../pages/paths.ts';
import { publicRecords } from '../../pages/record-page.ts';
import type { PublicRecord } from '../../pages/record-view.ts';
import { suggestForm } from '../suggest-form.ts';
import { checkedIn, filledIn, openedWith, type FilledForm, type SuggestProblems } from '../suggest-values.ts';
import { agencyForms, formNameOf, mayAnswer } from './agency-page.ts';
import { goneLinkView, linkedTo, privateView } from './agency-view.ts';

interface Opened {
  readonly link: string;
  readonly opened: OpenedLink;
  readonly record: PublicRecord;
}

/** The page on which a contact writes what has changed: the form of a suggestion, which the team reviews. */
export const agencyChangePage = (dependencies: PublicPageDependencies): PublicPage => {
  const read = publicRecords(dependencies);
  const openForms = agencyForms(dependencies);

  const opening = async ({ query, form, now }: PublicContext): Promise<Opened | undefined> => {
    const link = form.get('link') ?? query.get('link') ?? '';
    const svcId = form.get('svc_id') ?? query.get('svc_id') ?? '';
    const opened = await openedLink(dependencies, 'answer', link, now);
    if (!opened?.svcIds.includes(svcId)) return undefined;
    const record = await read(svcId);
    return typeof record === 'object' && 'fields' in record ? { link, opened, record } : undefined;
  };

  const view = (
    { link, opened, record }: Opened,
    context: PublicContext,
    filled: FilledForm = openedWith(record.fields),
    problems: SuggestProblems = {},
  ): PublicView => {
    const { svcId, fields } = record;
    const { token, ...cookies } = openForms.open(opened.contact, context);
    const elsewhere = {
      action: paths.agencyChange,
      fields: html`${hidden('link', link)} ${hidden('svc_id', svcId)}`,
      back: linkedTo(paths.agency, link),
      // The page before has a button for it.
      asksWhetherClosed: false,
    };
    return {
      title: context.texts.agency.changeTitle,
      ...privateView,
      ...cookies,
      ...(Object.keys(problems).length > 0 && { status: 422 }),
      content: suggestForm({ svcId, fields, token, ...filled, problems, elsewhere }, context.texts),
    };
  };

  return {
    path: paths.agencyChange,
    hasForm: true,
    async get(context) {
      const found = await opening(context);
      return found ? view(found, context) : goneLinkView(context);
    },
    async post(context) {
      const found = await opening(context);
      if (!found) return goneLinkView(context);
      const { link, opened, record } = found;
      const { texts, form, now, request } = context;
      const { problems: words } = texts.agency;
      const filled = { ...filledIn(form, record.fields), closed: false };
      const again = (problems: SuggestProblems, status = 422) => ({
        ...view(found, context, filled, problems),
        status,
      });
      const name = formNameOf(openForms, opened.contact, context);
      if (name === undefined) return again({ form: words.expired });
      const checked = checkedIn(filled, record.fields, texts.suggest);
      if (!('kind' in checked)) return again(checked);
      if (!(await mayAnswer(dependencies, opened.contact, request.ip)))
        return again({ form: words.tooMany }, 429);
      const { svcId } = record;
      const { team, ask, contact } = opened;
      try {
        await suggestByLink(
          dependencies,
          { contact, svcId, team, ask, fields: checked.fields, note: filled.note },
          uuidOf('agency change', name),
          { at: now, correlationId: request.id },
        );
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        return again({ form: texts.suggest.problems.nothing });
      }
      return { to: `${linkedTo(paths.agency, link)}#${encodeURIComponent(svcId)}` };
    },
  };
};
