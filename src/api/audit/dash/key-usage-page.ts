import { readKeyUse } from '../../../actions/audit-log.ts';
import { outcomes, requestKinds } from '../../../audit/request-kinds.ts';
import { flushSeconds } from '../../../audit/key-usage-counts.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { performFor } from '../../pages/action-form.ts';
import { time } from '../../pages/controls.ts';
import { notFoundView } from '../../pages/frame/common-views.ts';
import { html } from '../../pages/html.ts';
import { barChart } from '../../pages/parts/chart.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import type { Page } from '../../pages/page-context.ts';
import { paths } from '../../pages/paths.ts';
import { auditPage, inAudit, parameterOf } from './audit-page.ts';
import { en } from './texts.ts';

const days = 30;

/** What a key was used for in the last 30 days, also after its revocation. */
export const keyUsagePage = (dependencies: PageDependencies): Page =>
  auditPage(dependencies, {
    path: `${paths.auditKeys}/:key`,
    async get(pageContext) {
      const { team } = pageContext;
      const id = parameterOf(pageContext, 'key');
      const performed = await performFor(dependencies, pageContext, readKeyUse, { key: id, days });
      if (performed.kind !== 'done')
        return notFoundView(en.noKey, { to: inAudit(paths.audit, { team }), label: en.back });
      const { key, usage } = performed.value;
      const byDay = usage.days.toReversed();
      const sum = (accepted: boolean) =>
        byDay.map(({ requests }) =>
          requests.reduce(
            (all, each) => all + ((each.outcome === 'accepted') === accepted ? each.requests : 0),
            0,
          ),
        );
      return {
        title: en.keyUseTitle,
        content: html`<p class="lead">
            <strong>${key.label ?? id}</strong>, ${key.status === 'active' ? en.keyWorks : en.keyRevoked}
            ${usage.last_used === null ? en.neverUsed : html`${en.lastUsed} ${time(usage.last_used, 'second')}.`}
          </p>
          ${
            usage.totals.length === 0
              ? empty(en.noUse)
              : html`<section class="card">
                    ${barChart({
                      title: en.requestsPerDay,
                      by: en.day,
                      labels: byDay.map(({ day }) => day),
                      series: [
                        { label: en.accepted, kind: 'good', values: sum(true) },
                        { label: en.refused, kind: 'bad', values: sum(false) },
                      ],
                    })}
                  </section>
                  ${table({
                    caption: en.keyUseTitle,
                    columns: [
                      { label: en.whatFor },
                      { label: en.outcome },
                      { label: en.requests, numbers: true },
                      { label: en.firstUse },
                      { label: en.lastUse },
                    ],
                    rows: usage.totals.map((each) => [
                      requestKinds[each.kind],
                      outcomes[each.outcome],
                      each.requests.toLocaleString('en'),
                      time(each.first_at, 'second'),
                      time(each.last_at, 'second'),
                    ]),
                  })}`
          }
          <p class="quiet small">${en.usageNote(flushSeconds)}</p>
          <p>
            <a href="${inAudit(paths.audit, { team }, { about: `key:${id}` })}">${en.keyEvents}</a> ·
            <a href="${inAudit(paths.audit, { team }, { by: `key:${id}` })}">${en.doneByKey}</a>
          </p>`,
      };
    },
  });
