import { longestSiteName } from '../../../events/display-name.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import { html, type Html } from '../html.ts';

interface AskingSite {
  readonly client: Pick<ClientSnapshot, 'name'>;
  readonly redirectUri: string;
}

/** The host that a person is sent back to. A team chooses the name of a site freely, but not this. */
export const hostOf = ({ redirectUri }: Pick<AskingSite, 'redirectUri'>): string => new URL(redirectUri).host;

/** Names from before there was a limit are cut. */
export const shownSiteName = ({ name }: Pick<ClientSnapshot, 'name'>): string => {
  const letters = Array.from(name);
  return letters.length > longestSiteName ? `${letters.slice(0, longestSiteName - 1).join('')}…` : name;
};

/** Which site asks, by its name and its host. */
export const namedSite = (site: AskingSite): Html =>
  html`<strong><bdi>${shownSiteName(site.client)}</bdi></strong> at
    <span class="host">${hostOf(site)}</span>`;
