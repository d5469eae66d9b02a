import type { KeyScope } from '../../events/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { html, type Html } from '../pages/html.ts';
import { dayText } from '../pages/time.ts';
import { referencePath } from '../reference-page.ts';
import { copyableLines } from '../pages/parts/show-once.ts';
import { legacyPath, listPath, sunset } from '../read-api.ts';
import { en, scopeTexts } from './texts.ts';

/** A key whose calls are shown. Without `key`, it is to be filled in. */
export interface Shown {
  readonly key?: string | undefined;
  readonly scopes: readonly KeyScope[];
  readonly domains: readonly string[];
}

/** For each scope, a call that needs it: what follows the base address, and further arguments. */
const calls: Readonly<Record<KeyScope, readonly [path: string, more?: string]>> = {
  'resources:read': [`${listPath}?limit=5`],
  'resources:submit': [
    listPath,
    `-H 'Content-Type: application/json' -d '{"name": "Corner Pantry", "category": "food"}'`,
  ],
  'directory:manage': ['/dash/api/v1/reports'],
  'needs:read': ['/dash/api/v1/needs?weeks=4'],
  'team:manage': ['/dash/api/v1/team'],
  'members:read': ['/dash/api/v1/members'],
  'forms:read': ['/dash/api/v1/forms'],
  'payments:write': ['/dash/api/v1/payments'],
  'webhooks:read': ['/dash/api/v1/webhooks/subscriptions'],
  'webhooks:write': [
    '/dash/api/v1/webhooks/test-receiver',
    `-H 'Content-Type: application/json' -d '{"events": ["resource.approved"]}'`,
  ],
  'audit:read': ['/audit/v1/events?limit=5'],
};

/** Calls to paste into a terminal, and what is left of the legacy endpoint. */
export function quickStart(
  { address, config, now }: PageDependencies,
  { key, scopes, domains }: Shown,
): Html {
  const base = address();
  const shown = key ?? 'API_KEY';
  return html`<section class="card">
    <h2>${en.start.heading}</h2>
    <p>${key === undefined ? en.start.withoutKey : en.start.withKey}</p>
    ${scopes.map((scope) => {
      const [path, more] = calls[scope];
      const call = `curl -H 'Authorization: Bearer ${shown}' ${more === undefined ? '' : `${more} `}'${base}${path}'`;
      return html`<h3>${scopeTexts[scope]}</h3>
        ${copyableLines(call, scopeTexts[scope])}`;
    })}
    <p>${en.start.more} <a href="${referencePath}">${en.start.reference}</a>.</p>
    ${
      scopes.includes('resources:read')
        ? html`<h3>${en.start.old}</h3>
            <p>${legacyText(config.legacyAfterSunset, now())}</p>
            ${copyableLines(legacyCall(base, shown, domains), en.start.old)}`
        : ''
    }
  </section>`;
}

/** The legacy endpoint refuses a restricted key that does not say where it is used. */
function legacyCall(base: string, key: string, [domain]: readonly string[]): string {
  const origin = domain === undefined ? '' : `-H 'Origin: https://${domain.replace(/^\*/, 'www')}' `;
  return `curl -H 'X-API-Key: ${key}' ${origin}'${base}${legacyPath}?limit=5'`;
}

/** What the legacy endpoint answers at a time. */
export function legacyText(after: 'serve' | 'gone', now: Date): string {
  const day = dayText(sunset.toISOString().slice(0, 10));
  if (now < sunset) return en.legacy.before(day);
  return after === 'serve' ? en.legacy.served(day) : en.legacy.gone(day);
}
