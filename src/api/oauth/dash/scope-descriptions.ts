import type { SignInScope } from '../../../events/oauth/values.ts';
import { html, type Html } from '../../pages/html.ts';
import type { CurrentUser } from '../../pages/page-context.ts';

/** What a scope allows a site, in everyday words. offline_access changes nothing, so it is not mentioned. */
const words: Readonly<Record<SignInScope, string | undefined>> = {
  openid: 'Know that it is you, each time you come back',
  profile: 'See your name, username and picture',
  email: 'See your email address, and that you have confirmed it',
  phone: 'See your phone number',
  'teams:read': 'See which teams you belong to, and your role in each',
  'wallet:read': 'See your wallet',
  'tasks:read': 'See your tasks',
  'purchases:read': 'See your purchases',
  'feeds:read': 'See your feeds',
  offline_access: undefined,
};

/** A list of what scopes allow a site. `currentUser`: also shows the values that the site will see. */
export const scopeList = (scopes: readonly SignInScope[], currentUser?: CurrentUser): Html =>
  html`<ul class="scopes">
    ${scopes.map((scope) => {
      const says = words[scope];
      const shown = currentUser && shownBy(scope, currentUser);
      if (says === undefined) return '';
      return html`<li>${says}${shown === undefined ? '' : html`<span class="quiet">${shown}</span>`}</li>`;
    })}
  </ul>`;

function shownBy(scope: SignInScope, { profile, email }: CurrentUser): string | undefined {
  switch (scope) {
    case 'profile':
      return [profile.name, profile.username].filter((each) => each !== undefined).join(', ');
    case 'email':
      return email;
    case 'phone':
      return profile.phone ?? 'none yet';
    case 'openid':
    case 'teams:read':
    case 'wallet:read':
    case 'tasks:read':
    case 'purchases:read':
    case 'feeds:read':
    case 'offline_access':
      return undefined;
  }
}
