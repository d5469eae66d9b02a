import { redirectUriProblem } from '../../../events/oauth/redirect-uri.ts';
import { longestSiteName, siteName } from '../../../events/display-name.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import { Wrong, type InputField } from '../../pages/action-form.ts';
import type { FieldChange } from '../../pages/parts/changes.ts';
import { misleadingProblem } from '../../pages/parts/misleading-name.ts';

const urisAtMost = 50;

/** The fields of a site in a form. `site`: as it is now. A name from before the rule stays while it is not changed. */
export const siteFields = (site?: ClientSnapshot) =>
  [
    {
      name: 'name',
      label: 'Name',
      value: site?.name ?? '',
      hint: 'People see it when they are asked to sign in.',
      autocomplete: 'off',
      read: (typed) => {
        const name = typed.normalize('NFC');
        if (name === site?.name || siteName.safeParse(name).success) return name;
        return new Wrong(misleadingProblem(name) ?? `Enter a name of up to ${longestSiteName} characters.`);
      },
    },
    {
      name: 'redirect_uris',
      label: 'Redirect URIs',
      type: 'lines',
      value: (site?.redirect_uris ?? []).join('\n'),
      hint: 'Where people come back to, one a line. Compared character by character; https, or http://localhost for development.',
      read: (typed) =>
        typed === ''
          ? new Wrong('Enter at least one address, such as https://example.org/callback.')
          : urisIn(typed),
    },
    {
      name: 'post_logout_redirect_uris',
      label: 'Addresses after signing out',
      type: 'lines',
      value: (site?.post_logout_redirect_uris ?? []).join('\n'),
      hint: 'Where people may be sent after they sign out, one a line.',
      optional: true,
      read: urisIn,
    },
    {
      name: 'logo_uri',
      label: 'Logo',
      type: 'url',
      value: site?.logo_uri ?? '',
      hint: 'An https address. Our own pages show initials instead.',
      autocomplete: 'off',
      optional: true,
      read: (typed) =>
        typed === '' || /^https:\/\/[^\s"'<>\\\0]{1,1900}$/.test(typed)
          ? typed || null
          : new Wrong('Enter an address that begins with https://.'),
    },
  ] as const satisfies readonly InputField[];

/** Where the site as somebody else has saved it differs from what is typed. */
export const siteDifferences = (site: ClientSnapshot, typed: URLSearchParams): FieldChange[] =>
  siteFields(site)
    .map(({ name, label, value, read }) => {
      const after = read((typed.get(name) ?? '').trim());
      return { label, before: value, after: after instanceof Wrong ? '' : [after].flat().join('\n') };
    })
    .filter(({ before, after }) => before !== after);

function urisIn(typed: string): readonly string[] | Wrong {
  const uris = typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (uris.length > urisAtMost) return new Wrong(`A site has at most ${urisAtMost} addresses.`);
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) return new Wrong(`${uri.slice(0, 80)}: ${problem}`);
  }
  return uris;
}
