import { redirectUriProblem } from '../../../commands/oauth/redirect-uri.ts';
import { longestSiteName, siteName } from '../../../events/display-name.ts';
import { html, type Html } from '../../pages/html.ts';
import { fields, type Problems } from '../../pages/controls.ts';
import type { FieldChange } from '../../pages/parts/changes.ts';
import { misleadingProblem } from '../../pages/parts/misleading-name.ts';

/** What a team enters about a site. */
export interface SiteFields {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly logoUri: string | undefined;
}

const urisAtMost = 50;

/** The site in a form, and what is wrong with it. A name from before the rule stays while it is not changed. */
export function siteIn(
  form: URLSearchParams,
  formerName?: string,
): { readonly site: SiteFields; readonly problems: Problems } {
  const name = (form.get('name') ?? '').trim().normalize('NFC');
  const redirectUris = linesOf(form.get('redirect_uris'));
  const postLogoutRedirectUris = linesOf(form.get('post_logout_redirect_uris'));
  const logo = (form.get('logo_uri') ?? '').trim();
  const problems: Problems = {
    name: name === formerName ? undefined : nameProblem(name),
    redirect_uris:
      redirectUris.length === 0
        ? 'Enter at least one address, such as https://example.org/callback.'
        : uriProblem(redirectUris),
    post_logout_redirect_uris: uriProblem(postLogoutRedirectUris),
    logo_uri:
      logo === '' || /^https:\/\/[^\s"'<>\\\0]{1,1900}$/.test(logo)
        ? undefined
        : 'Enter an address that begins with https://.',
  };
  return {
    site: { name, redirectUris, postLogoutRedirectUris, logoUri: logo === '' ? undefined : logo },
    problems,
  };
}

function nameProblem(name: string): string | undefined {
  if (siteName.safeParse(name).success) return undefined;
  return misleadingProblem(name) ?? `Enter a name of up to ${longestSiteName} characters.`;
}

export const hasProblem = (problems: Problems): boolean =>
  Object.values(problems).some((each) => each !== undefined);

const labels = {
  name: 'Name',
  redirectUris: 'Redirect URIs',
  postLogoutRedirectUris: 'Addresses after signing out',
  logoUri: 'Logo',
} as const;

/** Where what they have saved differs from what is typed. */
export const siteDifferences = (theirs: SiteFields, typed: SiteFields): FieldChange[] =>
  [
    { label: labels.name, before: theirs.name, after: typed.name },
    {
      label: labels.redirectUris,
      before: theirs.redirectUris.join('\n'),
      after: typed.redirectUris.join('\n'),
    },
    {
      label: labels.postLogoutRedirectUris,
      before: theirs.postLogoutRedirectUris.join('\n'),
      after: typed.postLogoutRedirectUris.join('\n'),
    },
    { label: labels.logoUri, before: theirs.logoUri ?? '', after: typed.logoUri ?? '' },
  ].filter(({ before, after }) => before !== after);

/** The fields of a site in a form. */
export const siteFields = (site: SiteFields, problems: Problems): Html =>
  html`${fields(
    [
      {
        name: 'name',
        label: labels.name,
        value: site.name,
        hint: 'People see it when they are asked to sign in.',
        autocomplete: 'off',
      },
      {
        name: 'redirect_uris',
        label: labels.redirectUris,
        type: 'lines',
        value: site.redirectUris.join('\n'),
        hint: 'Where people come back to, one a line. Compared character by character; https, or http://localhost for development.',
      },
      {
        name: 'post_logout_redirect_uris',
        label: labels.postLogoutRedirectUris,
        type: 'lines',
        value: site.postLogoutRedirectUris.join('\n'),
        hint: 'Where people may be sent after they sign out, one a line.',
        optional: true,
      },
      {
        name: 'logo_uri',
        label: labels.logoUri,
        type: 'url',
        value: site.logoUri,
        hint: 'An https address. Our own pages show initials instead.',
        autocomplete: 'off',
        optional: true,
      },
    ],
    problems,
  )}`;

const linesOf = (text: string | null): string[] =>
  (text ?? '')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');

function uriProblem(uris: readonly string[]): string | undefined {
  if (uris.length > urisAtMost) return `A site has at most ${urisAtMost} addresses.`;
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) return `${uri.slice(0, 80)}: ${problem}`;
  }
  return undefined;
}
