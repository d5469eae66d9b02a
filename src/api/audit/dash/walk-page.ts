import { followRequest, type ShownNode } from '../../../actions/audit-log.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditPage, inAudit, parameterOf, requireIndex, type AuditPageContext } from './audit-page.ts';
import { en } from './texts.ts';

/** All that one request did, as a tree of causes and effects: at most 1,000 events. */
export const walkPage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: `${paths.auditWalk}/:correlation`,
    async get(pageContext) {
      const { team } = pageContext;
      const id = parameterOf(pageContext, 'correlation');
      const back = { to: inAudit(paths.audit, { team }), label: en.back };
      await requireIndex(dependencies);
      const performed = await performFor(dependencies, pageContext, followRequest, { id });
      if (performed.kind !== 'done') return notFoundView(en.noWalk, back);
      const tree = performed.value;
      return {
        title: en.walkTitle,
        content: html`<p class="lead">${en.walkLead}</p>
          ${
            tree.truncated
              ? notice(
                  html`${en.walkCut}
                    <a href="${inAudit(paths.audit, { team }, { correlation: tree.correlation })}"
                      >${en.walkWhole}</a
                    >`,
                  'plain',
                )
              : ''
          }
          ${tree.roots.map(
            (root) =>
              html`<section class="card">
                <p class="quiet small">${causeOf(root, pageContext)}</p>
                <ul class="walk">
                  ${nodeOf(root, pageContext)}
                </ul>
              </section>`,
          )}
          <p><a href="${back.to}">${back.label}</a></p>`,
      };
    },
  });

const nodeOf = ({ id, at, sentence, type, effects }: ShownNode, pageContext: AuditPageContext): Html =>
  html`<li>
    <a href="${inAudit(`${paths.auditEvent}/${id}`, pageContext)}">${sentence}</a>
    <p class="quiet small">${time(at, 'second')} · ${type}</p>
    ${
      effects.length === 0
        ? ''
        : html`<ul>
            ${effects.map((each) => nodeOf(each, pageContext))}
          </ul>`
    }
  </li>`;

function causeOf({ cause }: ShownNode, pageContext: AuditPageContext): Html | string {
  switch (cause?.kind) {
    case undefined:
    case 'request':
      return en.byRequest;
    case 'unknown':
      return en.causeUnknown;
    case 'cycle':
      return en.causeCycle;
    case 'event':
      return html`${en.causedBy}:
        <a href="${inAudit(`${paths.auditEvent}/${cause.id ?? ''}`, pageContext)}"
          >${cause.sentence ?? ''}</a
        >`;
  }
}
