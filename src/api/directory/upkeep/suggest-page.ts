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
import { longestNote, openedWith, suggestForm, type SuggestView } from './suggest-form.ts';
import {
  shownValues,
  suggestedBy,
  touchedNames,
  typedText,
  typedValues,
  type SuggestProblems,
} from './suggest-values.ts';

/** What came back of the form. */
type Filled = Pick<SuggestView, 'seen' | 'values' | 'closed' | 'note' | 'contact'>;

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
    filled: Filled = openedWith(shownValues(fields)),
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
      const filled = filledIn(context.form, found);
      const again = (wrong: SuggestProblems) => form(found, context, filled, wrong);
      const name = isFromOurPages(request.headers, base)
        ? openForms.nameOf(context.form.get('token') ?? '', found.svcId, context)
        : undefined;
      if (name === undefined) return again({ form: sentences.expired });
      const checked = checkedIn(filled, found, texts);
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

const filledIn = (form: URLSearchParams, { fields }: PublicRecord): Filled => ({
  seen: (form.get('seen') ?? '').slice(0, 1_000),
  values: typedValues(form, shownValues(fields)),
  closed: form.get('closed') === 'yes',
  note: typedText(form.get('note')),
  contact: typedText(form.get('contact')),
});

/** What is suggested, or what is wrong with the fields. */
function checkedIn(
  { seen, values, closed, note, contact }: Filled,
  { fields }: PublicRecord,
  { suggest, report }: PublicContext['texts'],
): CheckedSuggestion | SuggestProblems {
  const touched = closed ? [] : touchedNames(seen, shownValues(fields), values);
  const { fields: suggested, problems: ofFields } = suggestedBy(fields, values, touched, suggest);
  const problems: SuggestProblems = {
    ...ofFields,
    ...(Array.from(note).length > longestNote
      ? { note: suggest.problems.tooLong({ most: longestNote }) }
      : {}),
    ...(contact === '' || isContact(contact) ? {} : { contact: report.problems.contact }),
    ...(!closed && note === '' && touched.length === 0 ? { form: suggest.problems.nothing } : {}),
  };
  if (Object.keys(problems).length > 0) return problems;
  return {
    kind: closed ? 'closed' : 'change',
    suggested: {
      ...(touched.length === 0 ? {} : { fields: suggested }),
      ...(note === '' ? {} : { note }),
      ...(contact === '' ? {} : { contact }),
    },
  };
}

const doneView = ({ svcId }: PublicRecord, { texts: { suggest, report } }: PublicContext): PublicView => ({
  title: report.doneTitle,
  noStore: true,
  content: html`<p role="status">${suggest.done}</p>
    <p><a class="button primary" href="${recordPath(svcId)}">${report.back}</a></p>`,
});
