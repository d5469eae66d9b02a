import { assets } from '../assets/assets.ts';
import { html, type Html } from '../html.ts';
import { signInPath } from '../interaction.ts';
import { page } from './page-frame.ts';
import { button, form, when } from '../controls.ts';
import { placeOf, sectionsFor, teamHeading, type About } from './navigation.ts';
import { guideFor, ofTeam, paths } from '../paths.ts';
import type { View, CurrentUser, CurrentTeam } from '../page-context.ts';
import { initialsOf } from '../current-user.ts';

/** What the navigation of a signed-in person is drawn from. */
export interface Menu {
  readonly currentUser: CurrentUser;
  /** The form token of the session, for the sign-out button. */
  readonly sessionToken: string;
  /** The path of the page. */
  readonly path: string;
  /** The teams among which the person can switch. */
  readonly teams: readonly CurrentTeam[];
  /** The team that is shown, or that the person looked at last. */
  readonly team: CurrentTeam | undefined;
  /** What the page is about. */
  readonly about: About;
  /** Whether mails wait for an administrator, because no mail server is set. */
  readonly outbox: boolean;
}

/** A whole page around a view. Without a menu for people who are not signed in, and for pages with a single task. */
export function layout(
  { title, content, shape = 'wide', passkeys = false, status = 200, style, script }: View,
  menu: Menu | undefined,
): string {
  return page({
    title,
    content,
    shape,
    wrong: status >= 400 && status !== 404,
    ...(menu
      ? {
          top: html`${where(menu)}${who(menu)}`,
          menu: navigation(menu),
        }
      : {}),
    head: html`${[...(menu ? [assets.dashboardStyle] : []), ...(style === undefined ? [] : [style])].map(
      (each) => html`<link rel="stylesheet" href="${each}" />`,
    )}`,
    scripts: [
      ...(menu ? [assets.dashboard] : []),
      ...(passkeys ? [assets.passkeys] : []),
      ...(script === undefined ? [] : [script]),
    ],
  });
}

/** The id of the navigation. A phone shows it when the address names it, so it opens and closes without a script. */
const menuId = 'menu';

/** What the page is about, where the reader sees it on a phone too, and the way back to the team. */
function where({ team, about, path }: Menu): Html {
  const to = guideFor(path);
  const guide = to && html` <a class="guide-link" href="${to}">Guide</a>`;
  const name = team && html`<a href="${ofTeam(paths.teamHome, team.team)}">${team.name}</a>`;
  if (about === 'team') return html`<p class="where">${name ?? ''}${guide ?? ''}</p>`;
  const what = about === 'you' ? 'Only about you' : 'The whole service';
  return html`<p class="where">${what}${name ? html` · Back to ${name}` : ''}${guide ?? ''}</p>`;
}

const who = ({ currentUser: { profile }, sessionToken }: Menu): Html =>
  html`<div class="who">
    ${avatar(profile.name)}<span class="unseen">Signed in as ${profile.name}</span>
    ${form({
      action: paths.signOut,
      token: sessionToken,
      inline: true,
      content: button('Sign out', { weight: 'quiet' }),
    })}
    <a class="button menu-open" href="#${menuId}">Menu</a>
  </div>`;

function navigation(menu: Menu): Html {
  const { currentUser, team, path, outbox } = menu;
  const administrator = currentUser.person.role === 'administrator';
  const shown = sectionsFor({ administrator, team, outbox });
  const here = placeOf(path, shown);
  return html`<nav class="menu" id="${menuId}" aria-label="Commonweal">
    <a class="button menu-close" href="#main">Close the menu</a>
    ${shown.map(
      ({ heading, about, places }) =>
        html`<section>
          ${heading === teamHeading ? switcher(menu) : html`<h2>${heading}</h2>`}
          <ul>
            ${places.map(
              ({ path: to, label }) =>
                html`<li>
                  <a
                    href="${about === 'team' && team ? ofTeam(to, team.team) : to}"
                    ${when(to === here, html`aria-current="page"`)}
                    >${label}</a
                  >
                </li>`,
            )}
          </ul>
        </section>`,
    )}
  </nav>`;
}

/** The name of the team that is shown, and the way to others. */
function switcher({ teams, team }: Menu): Html {
  const others = teams.filter((each) => each.team !== team?.team);
  const name = team ? shownName(team) : '';
  if (others.length === 0) return html`<h2>${name}</h2>`;
  return html`<h2 class="unseen">${name}</h2>
    <details class="switcher">
      <summary>${name}<span class="unseen">, switch to another team</span></summary>
      <ul>
        ${others.map((each) => html`<li><a href="${ofTeam(paths.teamHome, each.team)}">${shownName(each)}</a></li>`)}
      </ul>
    </details>`;
}

const shownName = ({ name, closed }: CurrentTeam): string => (closed ? `${name} (closed)` : name);

/** The initials of a person or a site. Hidden from screen readers, because the name is beside them. */
export const avatar = (name: string, kind: 'person' | 'site' = 'person'): Html =>
  html`<span class="avatar ${kind}" aria-hidden="true">${initialsOf(name)}</span>`;

/** The link from a narrow page to the sign-in page. */
export const signInLink = (query: string): Html => html`<a href="${signInPath}${query}">Sign in</a>`;
