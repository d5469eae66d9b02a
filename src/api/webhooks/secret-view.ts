import { notice } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { secretOnce } from '../pages/parts/show-once.ts';
import { ofTeam } from '../pages/paths.ts';
import { en } from './texts.ts';

interface SecretTexts {
  readonly title: string;
  readonly done: (host: string) => string;
  readonly label?: string;
  /** What to do with it. */
  readonly next?: string;
  /** What is said in place of the secret when the form was sent twice, and what to do then. */
  readonly again: string;
  readonly lost?: string;
  readonly open: string;
}

/** The answer to a form shows the signing secret, and nothing else ever does. `to`: the page to go on with. */
export const secretView = (
  { team }: TeamPageContext,
  texts: SecretTexts,
  { host, secret }: { readonly host: string; readonly secret: string | undefined },
  to: string,
): View => ({
  title: texts.title,
  content: html`${
      secret === undefined
        ? html`${notice(texts.again, 'plain')} ${texts.lost === undefined ? '' : html`<p>${texts.lost}</p>`}`
        : html`${notice(texts.done(host))}
          ${secretOnce({
            label: texts.label ?? en.secret.label,
            value: secret,
            sentence: en.secret.sentence,
            kept: 'sealed',
          })}
          ${texts.next === undefined ? '' : html`<p>${texts.next}</p>`}`
    }
    <p><a class="button primary" href="${ofTeam(to, team.team)}">${texts.open}</a></p>`,
});
