import { html, type Html } from '../html.ts';
import { signInPath } from '../oauth/interaction.ts';
import type { Assets } from './assets.ts';
import { button, form, when } from './controls.ts';
import { paths } from './paths.ts';
import type { View, Visitor } from './visit.ts';
import { initialsOf } from './visitor.ts';

interface Around {
  readonly assets: Assets;
  readonly who: Visitor | undefined;
  /** Of the session, for the sign-out button. */
  readonly sessionToken: string | undefined;
  /** Which page it is, for the navigation. */
  readonly path: string;
}

/** A whole page around a view. */
export function layout(
  { title, content, shape = 'wide', passkeys = false, status = 200 }: View,
  around: Around,
): string {
  const wrong = status >= 400 && status !== 404;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${wrong ? 'Error: ' : ''}${title} · Commonweal</title>
        <link rel="icon" type="image/svg+xml" href="${around.assets.icon}" />
        <link rel="stylesheet" href="${around.assets.style}" />
        ${when(passkeys, html`<script src="${around.assets.passkeys}" defer></script>`)}
      </head>
      <body class="${shape}">
        <a class="skip" href="#main">Skip to the content</a>
        <header>
          <a class="brand" href="/">${mark} Commonweal</a>
          ${shape === 'wide' && around.who ? menu(around.who, around) : ''}
        </header>
        <main id="main">
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`.text;
}

/** Three people around a table, seen from above. */
const mark = html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
  <circle cx="12" cy="12" r="4.5" fill="none" stroke="currentColor" stroke-width="2" />
  <circle cx="12" cy="3.5" r="2.5" fill="currentColor" />
  <circle cx="4.6" cy="16.3" r="2.5" fill="currentColor" />
  <circle cx="19.4" cy="16.3" r="2.5" fill="currentColor" />
</svg>`;

function menu({ profile, person }: Visitor, { path, sessionToken = '' }: Around): Html {
  const entries = [
    [paths.me, 'Account'],
    [paths.apps, 'Sites with access'],
    [paths.sites, 'Your sites'],
    ...(person.role === 'administrator' ? [[paths.outbox, 'Outbox'] as const] : []),
  ] as const;
  const here = entries.findLast(([to]) => path === to || path.startsWith(`${to}/`))?.[0];
  return html`<nav aria-label="Account">
      <ul>
        ${entries.map(
          ([to, label]) =>
            html`<li><a href="${to}" ${when(to === here, html`aria-current="page"`)}>${label}</a></li>`,
        )}
      </ul>
    </nav>
    <div class="who">
      ${avatar(profile.name)}<span class="unseen">Signed in as ${profile.name}</span>
      ${form({
        action: paths.signOut,
        token: sessionToken,
        inline: true,
        content: button('Sign out', { weight: 'quiet' }),
      })}
    </div>`;
}

/** The initials of somebody, or of a site, for the eye alone: the name stands beside them. */
export const avatar = (name: string, kind: 'person' | 'site' = 'person'): Html =>
  html`<span class="avatar ${kind}" aria-hidden="true">${initialsOf(name)}</span>`;

/** The way from one narrow page to another. */
export const signInLink = (query: string): Html => html`<a href="${signInPath}${query}">Sign in</a>`;
