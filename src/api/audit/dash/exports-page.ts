import { ExportError } from '../../../audit/exports/export-error.ts';
import { exportFilter } from '../../../audit/exports/filter.ts';
import { logKey, publishedKey } from '../../../audit/proof-log/format/log-key.ts';
import { exportFormat } from '../../../events/audit.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { checkbox, notice, type Problems } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { facts } from '../../pages/parts/facts.ts';
import { selectField } from '../../pages/parts/choices.ts';
import { copyable } from '../../pages/parts/show-once.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { EventExports } from '../event-exports.ts';
import { logPath } from '../log-paths.ts';
import { auditHead, auditPage, inAudit, signedState, type AuditPageContext } from './audit-page.ts';
import { exactFieldsOf, readSearch, typedIn, withoutSecrets, type Typed } from './search-fields.ts';
import { en } from './texts.ts';

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
    ...defined({ status }),
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
            : facts([
                [en.checkpoint, signedState(newest)],
                [en.vkey, copyable(publishedKey(key, newest).vkey, en.vkey)],
              ])
        }
        <p><a href="${logPath}">${en.publicLog}</a></p>
      </section>`,
  };
}

const exportForm = ({ team, query }: AuditPageContext, typed: Typed, problems?: Problems): Html =>
  html`<form
    method="get"
    action="${inAudit(filePath, { team })}"
    class="filters"
    aria-label="${en.exportTitle}"
  >
    ${selectField({ name: 'format', label: en.format, options: en.formats })}
    ${checkbox({ name: 'proofs', label: en.withProofs, ticked: query.has('proofs') })}
    ${exactFieldsOf(typed, problems)}
    <button type="submit" class="primary">${en.download}</button>
  </form>`;

/** The events up to the newest signed state that fit, as a file. Each export is recorded before it begins. */
export function exportFile(dependencies: PageDependencies): Page {
  const exports = new EventExports(dependencies);
  return auditPage(dependencies, {
    path: filePath,
    async get(pageContext) {
      const { query, team, request } = pageContext;
      // A file is of an exact search: one person, one type.
      const { what: _, record: __, ...typed } = withoutSecrets(typedIn(query));
      const refused = (sentence: string, status = 400) =>
        view(dependencies, pageContext, typed, { status, sentence });
      const format = exportFormat.safeParse(query.get('format') ?? 'ndjson');
      if (!format.success) return refused(en.noFormat);
      const read = await readSearch(dependencies, typed, team, dependencies.now());
      if ('problems' in read)
        return view(dependencies, pageContext, typed, { status: 400, problems: read.problems });
      if (read.actors)
        return view(dependencies, pageContext, typed, { status: 400, problems: { by: en.severalNamed } });
      const filter = exportFilter.parse({ ...read.conditions, ...defined({ team: team?.team }) });
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort(new Error('The reader is gone.')));
      try {
        const { stream, filename, mediaType } = await exports.start({
          team: team?.team,
          format: format.data,
          filter,
          proofs: query.has('proofs'),
          signal: gone.signal,
          context: pageContext.context(),
        });
        return { download: stream, filename, type: mediaType };
      } catch (error) {
        if (error instanceof ExportError) return await refused(error.message, 503);
        throw error;
      }
    },
  });
}
