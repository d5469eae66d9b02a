import { outcomes, requestKinds } from '../../audit/request-kinds.ts';
import { legacyCallers, usageOf, type KeyUsage } from '../../audit/key-usage.ts';
import { DomainsChanged, findKey, type Key } from '../../actions/keys.ts';
import type { CommandRefused } from '../../ground/refusals.ts';
import { errorsPath } from '../http/responses/problem.ts';
import { isValid } from '../../projections/keys.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { inputFields, whoOf, type Again, type InputField } from '../pages/action-form.ts';
import { button, form, hidden, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { dayText } from '../pages/time.ts';
import { facts } from '../pages/parts/facts.ts';
import type { View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { changedMeanwhile } from '../pages/parts/changes.ts';
import { doneNotice } from '../pages/parts/notices.ts';
import { barChart } from '../pages/parts/chart.ts';
import { table } from '../pages/parts/table.ts';
import { expiryField, keyDomainsField, oldEndField } from './key-form.ts';
import { addressIn, homeOf, nameOf, requireKey, type KeyPageContext, type KeyHome } from './key-home.ts';
import { domainsOf, lastUse, legacyDays, makerOf, makersOf, scopesOf, statusBadge } from './key-list.ts';
import { en } from './texts.ts';

const usageDays = 30;

export const reasonField: InputField = {
  name: 'reason',
  label: en.revoke.reason,
  hint: en.revoke.reasonHint,
  wrong: en.revoke.reasonLong,
  autocomplete: 'off',
  optional: true,
};

/** One key: what it may do, what it was used for, its domains, and how to revoke it. */
export async function keyView(
  dependencies: PageDependencies,
  pageContext: KeyPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { formToken: token, form: typed } = pageContext;
  const home = homeOf(pageContext);
  const key = await requireKey(dependencies, pageContext, home);
  const { side, now, keyUsage } = dependencies;
  await keyUsage.flush();
  const [usage, [legacy], makers] = await Promise.all([
    usageOf(side, key.key_id, { days: usageDays, now: now() }),
    legacyCallers(side, [key.key_id], { days: legacyDays, now: now() }),
    makersOf(dependencies, [key]),
  ]);
  const at = (rest = '') => addressIn(home, `${home.path}/${key.key_id}${rest}`);
  const active = isValid(key, now());
  const next =
    key.replaced_by === undefined
      ? undefined
      : await findKey(dependencies, whoOf(pageContext), key.replaced_by);
  const isRolled = next !== undefined && isValid(next, now());
  const values = html`${Object.entries(home.values).map(([name, value]) => hidden(name, value))}`;
  return {
    title: nameOf(key),
    content: html`${refused ? refusedNotice(refused, typed) : doneNotice(pageContext, en.done)}
      ${legacy && legacy.by_programs > 0 ? notice(en.legacy.callers(legacy.by_programs, legacy.by_web_pages), 'plain') : ''}
      ${active ? '' : notice(key.status === 'revoked' ? en.key.revoked : en.key.expired, 'plain')}
      ${active && isRolled ? rolledNotice(home, key, next.key_id) : ''}
      <section class="card">${factsOf(home, key, usage, makerOf(key, makers), now())}</section>
      <section class="card">
        <h2>${en.key.usage}</h2>
        ${usageOfKey(usage)}
      </section>
      ${usage.last_requests.length === 0 ? '' : lastRequests(usage)}
      ${
        active
          ? html`<section class="card">
                <h2>${en.key.settings}</h2>
                ${form({
                  action: at(),
                  token,
                  label: en.key.settings,
                  content: html`${values}${hidden('was', key.domains.join(' '))}
                  ${inputFields([keyDomainsField(key.domains.join('\n'))], typed, problems)}
                  ${button(en.key.save)}`,
                })}
              </section>
              ${
                isRolled
                  ? ''
                  : ask({
                      label: en.roll.label,
                      of: nameOf(key),
                      sentence: en.roll.sentence,
                      action: at('/roll'),
                      token,
                      values: home.values,
                      weight: 'secondary',
                      confirm: en.roll.button,
                      open: problems['expires'] !== undefined,
                      fields: inputFields([expiryField(now()), oldEndField(now())], typed, problems),
                    })
              }
              ${ask({
                label: en.revoke.label,
                of: nameOf(key),
                sentence: en.revoke.sentence,
                action: at('/revoke'),
                token,
                values: { ...home.values, reasoned: 'yes' },
                open: problems['reason'] !== undefined,
                fields: inputFields([reasonField], typed, problems),
              })}`
          : ''
      }
      <p><a href="${addressIn(home, home.path)}">${en[home.kind].back}</a></p>`,
  };
}

/** Of domains that somebody else has changed: what they have saved, and what was typed. */
function refusedNotice(refused: CommandRefused, typed: URLSearchParams): Html {
  if (!(refused instanceof DomainsChanged)) return notice(refused.message, 'wrong');
  const after = (typed.get('domains') ?? '')
    .trim()
    .split(/[\s,]+/)
    .join(', ');
  return changedMeanwhile([{ label: 'Domains', before: refused.domains.join(', '), after }]);
}

const keyLink = (home: KeyHome, id: string): Html =>
  html`<a href="${addressIn(home, `${home.path}/${id}`)}"><code>${id}</code></a>`;

/** What is left to do with a key whose place another has. */
const rolledNotice = (home: KeyHome, { expires_at }: Key, next: string): Html =>
  notice(
    html`${en.roll.rolled} ${keyLink(home, next)}
    ${expires_at === undefined ? en.roll.untilRevoked : html`${en.roll.until} ${time(expires_at, 'minute')}.`}`,
    'plain',
  );

function factsOf(
  home: KeyHome,
  key: Key,
  { last_used, counted_since }: KeyUsage,
  maker: string,
  now: Date,
): Html {
  const { facts: names } = en.key;
  return facts([
    [names.id, html`<code>${key.key_id}</code> ${statusBadge(key, now)}`],
    [names.may, scopesOf(key)],
    [names.domains, domainsOf(key)],
    [en.list.columns.maker, home.kind === 'team' ? maker : undefined],
    [names.made, time(key.created_at, 'minute')],
    [names.expires, key.expires_at === undefined ? undefined : time(key.expires_at, 'minute')],
    [names.replaces, key.replaces === undefined ? undefined : keyLink(home, key.replaces)],
    [names.replacedBy, key.replaced_by === undefined ? undefined : keyLink(home, key.replaced_by)],
    [names.revokedAt, key.revoked_at === undefined ? undefined : time(key.revoked_at, 'minute')],
    [names.used, lastUse(key, last_used ?? undefined, counted_since)],
  ]);
}

/** Requests per day with their numbers, and by kind. */
function usageOfKey({ until, days, totals, counted_since }: KeyUsage): Html {
  const since =
    counted_since === null ? '' : html`<p class="quiet small">${en.key.since} ${time(counted_since)}.</p>`;
  if (totals.length === 0)
    return html`<p>${en.key.unused}</p>
      ${since}`;
  const byDay = new Map(days.map(({ day, requests }) => [day, requests]));
  const shown = daysUntil(until);
  const sum = (day: string, accepted: boolean) =>
    (byDay.get(day) ?? []).reduce(
      (all, { outcome, requests }) => ((outcome === 'accepted') === accepted ? all + requests : all),
      0,
    );
  const { columns } = en.key;
  return html`${barChart({
    title: en.key.perDay,
    by: en.key.day,
    labels: shown.map((day) => dayText(day, 'chart day')),
    series: [
      { label: en.key.answered, kind: 'good', values: shown.map((day) => sum(day, true)) },
      { label: en.key.refused, kind: 'bad', values: shown.map((day) => sum(day, false)) },
    ],
  })}
  ${table({
    caption: en.key.kinds,
    columns: [
      { label: columns.kind },
      { label: columns.outcome },
      { label: columns.requests, numbers: true },
      { label: columns.last },
    ],
    rows: totals.map(({ kind, outcome, requests, last_at }) => [
      requestKinds[kind],
      outcomes[outcome],
      requests.toLocaleString('en'),
      time(last_at, 'minute'),
    ]),
  })}
  ${since}`;
}

/** Each with its route, status and reason: what somebody looks for whose program is refused. */
function lastRequests({ last_requests }: KeyUsage): Html {
  const { columns, heading, hint } = en.requests;
  return html`<section class="card">
    <h2>${heading}</h2>
    <p class="quiet small">${hint}</p>
    ${table({
      caption: heading,
      columns: [
        { label: columns.at },
        { label: columns.request },
        { label: columns.status, numbers: true },
        { label: columns.reason },
      ],
      rows: last_requests.map(({ at, method, route, status, reason }) => [
        time(at, 'second'),
        html`<code>${method} ${route}</code>`,
        String(status),
        reason === null
          ? ''
          : (outcomeTexts[reason] ?? html`<a href="${errorsPath}#${reason}">${reason}</a>`),
      ]),
    })}
  </section>`;
}

const outcomeTexts: Readonly<Record<string, string>> = outcomes;

/** The days of the chart, each as YYYY-MM-DD, the last one given. */
function daysUntil(last: string): string[] {
  const end = Date.parse(`${last}T00:00:00Z`);
  return Array.from({ length: usageDays }, (_, index) =>
    new Date(end - (usageDays - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}
