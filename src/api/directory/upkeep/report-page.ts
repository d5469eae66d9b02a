import { reportMistake } from '../../../commands/directory/upkeep/mistake.ts';
import { uuidOf } from '../../../events/ids.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { networksOf } from '../../../ground/network.ts';
import { OpenForms } from '../../pages/frame/open-form.ts';
import { isFromOurPages } from '../../pages/same-origin.ts';
import { html } from '../../pages/html.ts';
import { missingView, publicRecords, svcIdIn } from '../pages/record-page.ts';
import { recordPath, reportPath, type PublicRecord } from '../pages/record-view.ts';
import type { PublicContext, PublicPage, PublicView } from '../../pages/frame/public-page.ts';
import type { PublicPageDependencies } from '../../pages/frame/serve-public-page.ts';
import {
  checked,
  fieldsOfForm,
  reportForm,
  type CheckedReport,
  type ReportFields,
  type ReportProblems,
} from './report-form.ts';

const empty: ReportFields = { what: '', text: '', contact: '' };

/** The form with which anybody reports a mistake in a public record. Its team reviews what is reported. */
export const reportPage = (dependencies: PublicPageDependencies): PublicPage => {
  const { documents, masterKey, limits } = dependencies;
  const read = publicRecords(dependencies);
  const collection = documents.collection(resources.collection);
  const openForms = new OpenForms(masterKey, 'report form');

  /** The form again, with what was filled in. A new token, because the old one may have expired. */
  const form = (
    record: PublicRecord,
    context: PublicContext,
    {
      fields = empty,
      problems = {},
    }: { readonly fields?: ReportFields; readonly problems?: ReportProblems } = {},
  ): PublicView => {
    const { texts } = context;
    const { svcId, fields: shown } = record;
    const { token, ...opened } = openForms.open(svcId, context);
    const view = { svcId, name: shown.name, token, fields, problems };
    return {
      title: texts.report.title,
      status: Object.keys(problems).length > 0 ? 422 : 200,
      about: [shown.category, ...(shown.categories ?? [])],
      noStore: true,
      ...opened,
      content: reportForm(view, texts),
    };
  };

  const report = async (
    record: PublicRecord,
    { kind, texts }: CheckedReport,
    id: string,
    context: PublicContext,
  ) => {
    const doc = await collection.get(record.svcId);
    if (!doc) return;
    const { svc_id, team } = doc;
    await reportMistake(
      dependencies,
      { svc_id, team, kind, said: texts },
      {
        actor: { kind: 'system', id: 'public-page' },
        // The name of the form: sent twice, it is one report.
        commandId: uuidOf('report form', id),
        correlationId: context.request.id,
        at: context.now,
      },
    );
  };

  return {
    path: reportPath(':svc_id'),
    hasForm: true,
    async get(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: reportPath(found.mergedInto) };
      return context.query.get('done') === null ? form(found, context) : doneView(found, context);
    },
    async post(context) {
      const found = await read(svcIdIn(context));
      if (typeof found === 'string') return missingView(found, context);
      if ('mergedInto' in found) return { movedTo: reportPath(found.mergedInto) };
      const { texts, request, base } = context;
      const { problems } = texts.report;
      const fields = fieldsOfForm(context.form);
      const again = (wrong: ReportProblems) => form(found, context, { fields, problems: wrong });
      const token = context.form.get('token') ?? '';
      const name = isFromOurPages(request.headers, base)
        ? openForms.nameOf(token, found.svcId, context)
        : undefined;
      if (name === undefined) return again({ form: problems.expired });
      const checkedReport = checked(fields, texts);
      if (!('kind' in checkedReport)) return again(checkedReport);
      // People do not see this field. A program that fills it in is told nothing.
      if ((context.form.get('more') ?? '') === '') {
        const [narrow, wide] = networksOf(request.ip);
        const { refused } = await limits.take(
          ['report-network', narrow],
          ['report-wide-network', wide],
          ['report-record', found.svcId],
        );
        if (refused !== undefined)
          return {
            ...again({ form: refused === 'report-record' ? problems.full : problems.tooMany }),
            status: 429,
          };
        await report(found, checkedReport, name, context);
      }
      return { to: `${reportPath(found.svcId)}?done` };
    },
  };
};

const doneView = ({ svcId }: PublicRecord, { texts: { report } }: PublicContext): PublicView => ({
  title: report.doneTitle,
  noStore: true,
  content: html`<p role="status">${report.done}</p>
    <p><a class="button primary" href="${recordPath(svcId)}">${report.back}</a></p>`,
});
