import { knownNames, type KnownNames } from '../../../audit/known-names.ts';
import { shown } from '../../../audit/shown-event.ts';
import { onceIndexed } from '../../../audit/once-indexed.ts';
import { walk, type Cause, type WalkNode } from '../../../audit/walk.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { notice } from '../../pages/controls.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditPage, inAudit, record, requireIndex, type AuditPageContext } from './audit-page.ts';
import { parameterOf, uuid } from './parameters.ts';
import { en } from './texts.ts';

/** All that one request did, as a tree of causes and effects: at most 1,000 events. */
export const walkPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: `${paths.auditWalk}/:correlation`,
    async get(pageContext) {
      const { team } = pageContext;
      const id = parameterOf(pageContext, 'correlation');
      const back = { to: inAudit(paths.audit, { team }), label: en.back };
      if (!uuid.test(id)) return notFoundView(en.noWalk, back);
      await requireIndex(dependencies);
      const tree = await onceIndexed(dependencies, () => walk(dependencies, id, team?.team));
      await record(dependencies, pageContext, {
        question: 'correlation',
        filter: { correlation: tree?.correlation ?? id },
        events: tree?.events.length ?? 0,
      });
      if (!tree) return notFoundView(en.noWalk, back);
      const names = await knownNames(dependencies, tree.events, team?.team);
      return {
        title: en.walkTitle,
        content: html`<p class="lead">${en.walkLead}</p>
          ${tree.truncated ? notice(en.walkCut, 'plain') : ''}
          ${tree.roots.map(
            (root) =>
              html`<section class="card">
                <p class="quiet small">${causeOf(root.cause, names, pageContext)}</p>
                <ul class="walk">
                  ${nodeOf(root, names, pageContext)}
                </ul>
              </section>`,
          )}
          <p><a href="${back.to}">${back.label}</a></p>`,
      };
    },
  });

const nodeOf = ({ found, effects }: WalkNode, names: KnownNames, pageContext: AuditPageContext): Html => {
  const { id, at, sentence, type } = shown(found, names);
  return html`<li>
    <a href="${inAudit(`${paths.auditEvent}/${id}`, pageContext)}">${sentence}</a>
    <p class="quiet small">${time(at, 'minute')} · ${type}</p>
    ${
      effects.length === 0
        ? ''
        : html`<ul>
            ${effects.map((each) => nodeOf(each, names, pageContext))}
          </ul>`
    }
  </li>`;
};

function causeOf(cause: Cause | undefined, names: KnownNames, pageContext: AuditPageContext): Html | string {
  switch (cause?.kind) {
    case undefined:
    case 'request':
      return en.byRequest;
    case 'unknown':
      return en.causeUnknown;
    case 'cycle':
      return en.causeCycle;
    case 'event': {
      const { sentence, id } = shown(cause.event, names);
      return html`${en.causedBy}:
        <a href="${inAudit(`${paths.auditEvent}/${id}`, pageContext)}">${sentence}</a>`;
    }
  }
}
