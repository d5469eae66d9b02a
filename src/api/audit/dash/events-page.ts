import { searchLog } from '../../../actions/audit-log.ts';
import { valueOf } from '../../../actions/perform.ts';
import type { ShownEvent } from '../../../audit/shown-event.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { redirectTo, type Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditHead, auditPage, inAudit, requireIndex, type AuditPageContext } from './audit-page.ts';
import { fieldsOf, readSearch, typedIn, withoutSecrets, type Typed } from './search-fields.ts';
import { en } from './texts.ts';

const perPage = 50;

/** The search of the audit log: the newest events first. */
export const eventsPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: paths.audit,
    async get(pageContext) {
      const { query, team } = pageContext;
      const all = typedIn(query);
      const typed = withoutSecrets(all);
      if (all.about !== typed.about || all.by !== typed.by)
        return redirectTo(inAudit(paths.audit, { team }, typed));
      const read = await readSearch(dependencies, typed, team, dependencies.now());
      if ('problems' in read) {
        const content = html`${auditHead(paths.audit, pageContext)}${bar(pageContext, typed, read.problems)}`;
        return { title: en.title, status: 400, content };
      }
      await requireIndex(dependencies);
      const before = /^\d{1,15}$/.exec(query.get('before') ?? '')?.[0];
      const { events, next } = valueOf(
        await performFor(dependencies, pageContext, searchLog, {
          conditions: read.conditions,
          newestFirst: true,
          ...defined({ place: before === undefined ? undefined : Number(before) }),
          limit: perPage,
        }),
      );
      return {
        title: en.title,
        content: html`${auditHead(paths.audit, pageContext)}${bar(pageContext, typed)}
          ${
            events.length === 0
              ? empty(
                  en.nothingFound,
                  html`<p>
                    ${en.nothingFoundNext} <a href="${inAudit(paths.audit, { team })}">${en.clear}</a>
                  </p>`,
                )
              : eventList(events, pageContext)
          }
          ${pager({
            first: before === undefined ? undefined : inAudit(paths.audit, { team }, typed),
            next:
              next === undefined
                ? undefined
                : inAudit(paths.audit, { team }, { ...typed, before: String(next) }),
          })}
          <p class="quiet small">${en.recordedNote}</p>`,
      };
    },
  });

const bar = ({ team }: AuditPageContext, typed: Typed, problems = {}): Html =>
  filterBar({
    action: paths.audit,
    label: en.title,
    button: en.find,
    ...(team ? { team: team.team } : {}),
    fields: fieldsOf(typed, problems),
  });

/** Sentences with their times. */
const eventList = (events: readonly ShownEvent[], { team }: AuditPageContext): Html =>
  html`<ul class="card feed">
    ${events.map(
      ({ id, at, sentence, correlation_id: correlation }) =>
        html`<li>
          <a href="${inAudit(`${paths.auditEvent}/${id}`, { team })}">${sentence}</a>
          <p class="quiet small">
            ${time(at, 'minute')} ·
            <a href="${inAudit(`${paths.auditWalk}/${correlation}`, { team })}"
              >${en.walk}<span class="unseen">: ${sentence}</span></a
            >
          </p>
        </li>`,
    )}
  </ul>`;
