import { assets } from './assets.ts';
import { html, type Html } from './html.ts';
import { signInPath } from './interaction.ts';
import { page } from './page-frame.ts';
import { button, form, when } from './controls.ts';
import { paths } from './paths.ts';
import type { View, CurrentUser } from './page-context.ts';
import { initialsOf } from './current-user.ts';

interface Around {
  readonly currentUser: CurrentUser | undefined;
  /** The form token of the session, for the sign-out button. */
  readonly sessionToken: string | undefined;
  /** The path of the page, for the navigation. */
  readonly path: string;
}

/** A whole page around a view. */
export function layout(
  { title, content, shape = 'wide', passkeys = false, status = 200 }: View,
  around: Around,
): string {
  return page({
    title,
    content,
    shape,
    wrong: status >= 400 && status !== 404,
    ...(shape === 'wide' && around.currentUser ? { menu: menu(around.currentUser, around) } : {}),
    ...(passkeys ? { script: assets.passkeys } : {}),
  });
}

function menu({ profile, person }: CurrentUser, { path, sessionToken = '' }: Around): Html {
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

/** The initials of a person or a site. Hidden from screen readers, because the name is beside them. */
export const avatar = (name: string, kind: 'person' | 'site' = 'person'): Html =>
  html`<span class="avatar ${kind}" aria-hidden="true">${initialsOf(name)}</span>`;

/** The link from a narrow page to the sign-in page. */
export const signInLink = (query: string): Html => html`<a href="${signInPath}${query}">Sign in</a>`;
