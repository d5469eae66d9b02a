import { suggestChange } from '../../../commands/directory/upkeep/suggestion.ts';
import type { SuggestedFields } from '../../../commands/directory/upkeep/suggested-values.ts';
import { uuidOf } from '../../../events/ids.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import { networksOf } from '../../../ground/network.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { html } from '../../pages/html.ts';
import { OpenForms } from '../../pages/frame/open-form.ts';
import type { PublicContext, PublicPage, PublicView } from '../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../pages/frame/serve-public-page.ts';
import { isFromOurPages } from '../../pages/same-origin.ts';
import { missingView, publicRecords, svcIdIn } from '../pages/record-page.ts';
import { recordPath, suggestPath, type PublicRecord } from '../pages/record-view.ts';
import { isContact } from './report-form.ts';
import { suggestForm } from './suggest-form.ts';
import { checkedIn, filledIn, openedWith, type FilledForm, type SuggestProblems } from './suggest-values.ts';

interface CheckedSuggestion {
  readonly kind: 'change' | 'closed';
  readonly suggested: {
    readonly fields?: SuggestedFields;
    readonly note?: string;
    readonly contact?: string;
  };
}

/** The form on which anybody suggests a change of a public record, field by field. Its team reviews what is suggested. */
export const suggestPage = (dependencies: PublicPageDependencies): PublicPage => {
  const { documents, masterKey, limits } = dependencies;
  const read = publicRecords(dependencies);
  const collection = documents.collection(resources.collection);
  const openForms = new OpenForms(masterKey, 'suggestion form');

  /** The form again, with what was filled in. A new token, because the old one may have expired. */
  const form = (
    { svcId, fields }: PublicRecord,
    context: PublicContext,
    filled: FilledForm = openedWith(fields),
    problems: SuggestProblems = {},
  ): PublicView => {
    const { token, ...opened } = openForms.open(svcId, context);
    return {
      title: context.texts.suggest.title,
      status: Object.keys(problems).length > 0 ? 422 : 200,
      about: [fields.category, ...(fields.categories ?? [])],
      noStore: true,
      ...opened,
      content: suggestForm({ svcId, fields, token, ...filled, problems }, context.texts),
    };
  };

  /** @throws CommandRefused */
  const suggest = async (svcId: string, checked: CheckedSuggestion, id: string, context: PublicContext) => {
    const doc = await collection.get(svcId);
    if (!doc) return;
    const { svc_id, team } = doc;
    await suggestChange(
      dependencies,
      { svc_id, team, by: 'visitor', ...checked },
      {
        actor: { kind: 'system', id: 'public-page' },
        // The name of the form: sent twice, it is one suggestion.
        commandId: uuidOf('suggestion form', id),
        correlationId: context.request.id,
        at: context.now,
      },
    );
  };

  return {
    path: suggestPath(':svc_id'),
    hasForm: true,
    async get(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: suggestPath(found.mergedInto) };
      return context.query.get('done') === null ? form(found, context) : doneView(found, context);
    },
    async post(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: suggestPath(found.mergedInto) };
      const { texts, request, base } = context;
      const { problems: sentences } = texts.suggest;
      const filled = filledIn(context.form, found.fields);
      const again = (wrong: SuggestProblems) => form(found, context, filled, wrong);
      const name = isFromOurPages(request.headers, base)
        ? openForms.nameOf(context.form.get('token') ?? '', found.svcId, context)
        : undefined;
      if (name === undefined) return again({ form: sentences.expired });
      const checked = suggestionIn(filled, found, texts);
      if (!('kind' in checked)) return again(checked);
      // People do not see this field. A program that fills it in is told nothing.
      if ((context.form.get('more') ?? '') === '') {
        const [narrow, wide] = networksOf(request.ip);
        const { refused } = await limits.take(
          ['suggestion-network', narrow],
          ['suggestion-wide-network', wide],
          ['suggestion-record', found.svcId],
        );
        if (refused !== undefined) {
          const sentence = refused === 'suggestion-record' ? sentences.full : sentences.network;
          return { ...again({ form: sentence }), status: 429 };
        }
        try {
          await suggest(found.svcId, checked, name, context);
        } catch (error) {
          if (!(error instanceof CommandRefused)) throw error;
          // It is public no more, or says what was suggested by now.
          if (error.code === 'conflict' || error.code === 'not_found') return missingView('gone', context);
          return again({ form: sentences.nothing });
        }
      }
      return { to: `${suggestPath(found.svcId)}?done` };
    },
  };
};

/** What is suggested, or what is wrong with the form. */
function suggestionIn(
  filled: FilledForm,
  { fields: record }: PublicRecord,
  { suggest, report }: PublicContext['texts'],
): CheckedSuggestion | SuggestProblems {
  const { note, contact } = filled;
  const checked = checkedIn(filled, record, suggest);
  const isReachable = contact === '' || isContact(contact);
  if (!('kind' in checked)) return { ...checked, ...(!isReachable && { contact: report.problems.contact }) };
  if (!isReachable) return { contact: report.problems.contact };
  const { kind, fields } = checked;
  return {
    kind,
    suggested: {
      ...(Object.keys(fields).length > 0 && { fields }),
      ...(note !== '' && { note }),
      ...(contact !== '' && { contact }),
    },
  };
}

const doneView = ({ svcId }: PublicRecord, { texts: { suggest, report } }: PublicContext): PublicView => ({
  title: report.doneTitle,
  noStore: true,
  content: html`<p role="status">${suggest.done}</p>
    <p><a class="button primary" href="${recordPath(svcId)}">${report.back}</a></p>`,
});
