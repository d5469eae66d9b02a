import { searchLog } from '../../../actions/audit-log.ts';
import { valueOf } from '../../../actions/perform.ts';
import { proposedActors } from '../../../audit/named-subjects.ts';
import type { ShownEvent } from '../../../audit/shown-event.ts';
import { beginsOperation } from '../../../events/operations.ts';
import { defined } from '../../../ground/defined.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { hidden, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { empty, filterBar, pager } from '../../pages/parts/list-controls.ts';
import { redirectTo, type Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditHead, auditPage, inAudit, requireIndex, type AuditPageContext } from './audit-page.ts';
import { tablePath } from './events-table.ts';
import { fieldsOf, readSearch, typedIn, withoutSecrets, type Typed } from './search-fields.ts';
import { en } from './texts.ts';

const perPage = 50;

/** The search of the audit log: the newest events first. An import is one line, unless its records are asked for. */
export const eventsPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: paths.audit,
    async get(pageContext) {
      const { query, team } = pageContext;
      const all = typedIn(query);
      const typed = withoutSecrets(all);
      const chosen = query.get('parts') === 'each' ? { parts: 'each' } : {};
      const here = { ...typed, ...chosen };
      if (all.about !== typed.about || all.by !== typed.by)
        return redirectTo(inAudit(paths.audit, { team }, here));
      const [read, proposed] = await Promise.all([
        readSearch(dependencies, typed, team, dependencies.now()),
        proposedActors(dependencies, team?.team),
      ]);
      if ('problems' in read) {
        const content = html`${auditHead(paths.audit, pageContext)}${bar(pageContext, here, proposed, read.problems)}`;
        return { title: en.title, status: 400, content };
      }
      await requireIndex(dependencies);
      const withParts = 'parts' in here || read.withParts;
      const before = /^\d{1,15}$/.exec(query.get('before') ?? '')?.[0];
      const { events, next } = valueOf(
        await performFor(dependencies, pageContext, searchLog, {
          ...read,
          newestFirst: true,
          withParts,
          ...defined({ place: before === undefined ? undefined : Number(before) }),
          limit: perPage,
        }),
      );
      return {
        title: en.title,
        content: html`${auditHead(paths.audit, pageContext)}${bar(pageContext, here, proposed)}${read.withParts ? '' : partsChoice(pageContext, here)}
          ${
            events.length === 0
              ? empty(
                  en.nothingFound,
                  html`<p>
                    ${en.nothingFoundNext} <a href="${inAudit(paths.audit, { team })}">${en.clear}</a>
                  </p>`,
                )
              : html`<p class="small">
                    <a href="${inAudit(tablePath, { team }, here)}">${en.table}</a>
                    <span class="quiet">${en.tableNote}</span>
                  </p>
                  ${eventList(events, pageContext, withParts)}`
          }
          ${pager({
            first: before === undefined ? undefined : inAudit(paths.audit, { team }, here),
            next:
              next === undefined
                ? undefined
                : inAudit(paths.audit, { team }, { ...here, before: String(next) }),
          })}
          <p class="quiet small">${en.recordedNote}</p>`,
      };
    },
  });

/** What was typed, and whether each part of an operation is a line too. */
type Here = Typed & { readonly parts?: string };

const partsChoice = ({ team }: AuditPageContext, { parts, ...typed }: Here): Html =>
  html`<p class="quiet small">
    ${
      parts === undefined
        ? html`${en.partsHidden}
            <a href="${inAudit(paths.audit, { team }, { ...typed, parts: 'each' })}">${en.showParts}</a>`
        : html`${en.partsShown} <a href="${inAudit(paths.audit, { team }, typed)}">${en.hideParts}</a>`
    }
  </p>`;

const bar = (
  { team }: AuditPageContext,
  { parts, ...typed }: Here,
  proposed: readonly string[],
  problems = {},
): Html =>
  filterBar({
    action: paths.audit,
    label: en.title,
    button: en.find,
    ...(team ? { team: team.team } : {}),
    fields: html`${parts === undefined ? '' : hidden('parts', parts)}${fieldsOf(typed, problems, proposed)}`,
  });

/** Sentences with their times. An import opens its records, where they are no lines here. */
const eventList = (events: readonly ShownEvent[], { team }: AuditPageContext, withParts: boolean): Html =>
  html`<ul class="card feed">
    ${events.map(
      ({ id, at, type, sentence, correlation_id: correlation }) =>
        html`<li>
          <a
            href="${
              !withParts && beginsOperation(type)
                ? inAudit(paths.audit, { team }, { correlation })
                : inAudit(`${paths.auditEvent}/${id}`, { team })
            }"
            >${sentence}</a
          >
          <p class="quiet small">
            ${time(at, 'second')} ·
            <a href="${inAudit(`${paths.auditWalk}/${correlation}`, { team })}"
              >${en.walk}<span class="unseen">: ${sentence}</span></a
            >
          </p>
        </li>`,
    )}
  </ul>`;
