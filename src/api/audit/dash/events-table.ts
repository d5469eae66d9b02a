import { Readable } from 'node:stream';
import { downloadLog } from '../../../actions/audit-log.ts';
import { valueOf } from '../../../actions/perform.ts';
import { csvLine, withoutFormula } from '../../../ground/csv.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { redirectTo, type Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditPage, inAudit, requireIndex } from './audit-page.ts';
import { readSearch, typedIn, withoutSecrets } from './search-fields.ts';
import { en } from './texts.ts';

export const tablePath = `${paths.audit}/events.csv`;

/** What a search of the audit log finds, as a table: when, who, and what in a sentence. Recorded as the search is. */
export const eventsTable = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: tablePath,
    async get(pageContext) {
      const { query, team } = pageContext;
      const typed = withoutSecrets(typedIn(query));
      const read = await readSearch(dependencies, typed, team, dependencies.now());
      // The page says what is wrong, beside the field.
      if ('problems' in read) return redirectTo(inAudit(paths.audit, { team }, typed));
      await requireIndex(dependencies);
      const lines = valueOf(
        await performFor(dependencies, pageContext, downloadLog, {
          ...read,
          newestFirst: true,
          withParts: query.get('parts') === 'each' || read.withParts,
        }),
      );
      const table = [
        csvLine(en.tableColumns),
        ...lines.map(({ at, who, what, sentence, team: of, id }) =>
          csvLine([at, who, what, sentence, of, id].map(withoutFormula)),
        ),
      ];
      return {
        download: Readable.from(table),
        filename: `audit-log${team ? `-${team.team}` : ''}.csv`,
        type: 'text/csv',
      };
    },
  });
