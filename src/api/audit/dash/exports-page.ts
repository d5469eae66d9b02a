import { Readable } from 'node:stream';
import { exportable } from '../../../audit/exports/exportable.ts';
import { ExportError } from '../../../audit/exports/export-error.ts';
import { conditionsOf, exportFilter, isWhole } from '../../../audit/exports/filter.ts';
import { formatOf } from '../../../audit/exports/formats/format.ts';
import { logKey } from '../../../audit/proof-log/log-key.ts';
import { recordAccess } from '../../../commands/audit/access.ts';
import { installationOf } from '../../../commands/installation.ts';
import { exportFormat } from '../../../events/audit/audit-access.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { hidden, notice, time, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { countOf, cutWhenStalled, textOf } from '../export.ts';
import { logPath } from '../log/paths.ts';
import { auditHead, auditPage, type AuditPageContext } from './audit-page.ts';
import { fieldsOf, readSearch, typedIn, withoutSecrets, type Typed } from './search-fields.ts';
import { en } from './texts.ts';

/** Each reads the whole log: more at once would take the time of other requests. */
const atOnce = 2;
const filePath = `${paths.auditExports}/file`;

/** Where events are exported, and what the proof log says of itself. */
export const exportsPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: paths.auditExports,
    get: (pageContext) => view(dependencies, pageContext),
  });

async function view(
  { proofLog, vault }: PageDependencies,
  pageContext: AuditPageContext,
  typed: Typed = {},
  { status, problems, sentence }: { status?: number; problems?: Problems; sentence?: string } = {},
) {
  const [newest, key] = await Promise.all([proofLog.newest(), logKey(vault)]);
  return {
    title: en.title,
    ...(status === undefined ? {} : { status }),
    content: html`${auditHead(paths.auditExports, pageContext)}
      ${sentence === undefined ? '' : notice(sentence, 'wrong')}
      <section class="card">
        <h2>${en.exportTitle}</h2>
        <p>${en.exportLead}</p>
        ${exportForm(pageContext, typed, problems)}
      </section>
      <section class="card">
        <h2>${en.proof}</h2>
        ${
          newest === undefined || key === undefined
            ? html`<p>${en.nothingSigned}</p>`
            : html`<dl class="facts">
                <dt>${en.checkpoint}</dt>
                <dd>${newest.size.toLocaleString('en')} events, ${time(newest.signedAt, 'minute')}</dd>
                <dt>${en.vkey}</dt>
                <dd>${copyable(key.vkey, en.vkey)}</dd>
              </dl>`
        }
        <p><a href="${logPath}">${en.publicLog}</a></p>
      </section>`,
  };
}

const exportForm = ({ team }: AuditPageContext, typed: Typed, problems?: Problems): Html =>
  html`<form method="get" action="${filePath}" class="filters" aria-label="${en.exportTitle}">
    ${team ? hidden('team', team.team) : ''}
    ${selectField({ name: 'format', label: en.format, options: en.formats })} ${fieldsOf(typed, problems)}
    <button type="submit" class="primary">${en.download}</button>
  </form>`;

/** The events up to the newest signed state that fit, as a file. Each export is recorded before it begins. */
export function exportFile(dependencies: PageDependencies): Page {
  const { store, proofLog, vault, now } = dependencies;
  let running = 0;
  return auditPage(dependencies, {
    path: filePath,
    async get(pageContext) {
      const { query, team, request } = pageContext;
      const typed = withoutSecrets(typedIn(query));
      const refused = (sentence: string, status = 400) =>
        view(dependencies, pageContext, typed, { status, sentence });
      const format = exportFormat.safeParse(query.get('format') ?? 'ndjson');
      if (!format.success) return refused(en.noFormat);
      const read = await readSearch(dependencies, typed, team, now());
      if ('problems' in read)
        return view(dependencies, pageContext, typed, { status: 400, problems: read.problems });
      const filter = exportFilter.parse({ ...read.given, ...(team ? { team: team.team } : {}) });
      if (running >= atOnce) return refused(en.manyExports, 503);
      running += 1;
      let sent = false;
      const done = () => void (running -= 1);
      try {
        const from = await exportable(store, proofLog, (await logKey(vault))?.verifier);
        const gone = new AbortController();
        request.raw.once('close', () => gone.abort(new Error('The reader is gone.')));
        const { size } = from.checkpoint;
        const events = isWhole(filter) ? size : await countOf(from, filter, gone.signal);
        const data = { format: format.data, filter: conditionsOf(filter), events, tree_size: size };
        await recordAccess(store, { type: 'AuditExported', data }, pageContext.context());
        const form = formatOf(format.data, (await installationOf(store)) ?? '');
        const stream = cutWhenStalled(Readable.from(textOf(from, filter, form), { objectMode: false }));
        stream.once('close', done);
        sent = true;
        return { download: stream, filename: form.file, type: form.mediaType };
      } catch (error) {
        if (error instanceof ExportError) return await refused(error.message, 503);
        throw error;
      } finally {
        if (!sent) done();
      }
    },
  });
}
