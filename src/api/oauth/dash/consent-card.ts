import { isVerified } from '../../../events/oauth/domains.ts';
import type { ClientSnapshot } from '../../../events/oauth/client.ts';
import { when } from '../../pages/controls.ts';
import { avatar } from '../../pages/frame/layout.ts';
import { html, type Html } from '../../pages/html.ts';
import { badge } from '../../pages/parts/badge.ts';
import { shownSiteName } from '../../pages/parts/named-site.ts';
import { paths } from '../../pages/paths.ts';

/** Which site asks: its name, who runs it, and where the person will be sent. `host`: that of the redirect URI. */
export const siteCard = (client: ClientSnapshot, team: string, host: string): Html =>
  html`<div class="site-card">
    ${avatar(client.name, 'site')}
    <div>
      <strong><bdi>${shownSiteName(client)}</bdi></strong>
      <dl>
        <div>
          <dt>Run by</dt>
          <dd>${team}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>
            <span class="host">${host}</span>
            ${when(isLocal(host), badge('in development'))}
            ${when(isVerified(client, host), badge('verified', 'good'))}
          </dd>
        </div>
      </dl>
    </div>
  </div>`;

/** What a consent does not give, and how it ends. */
export const whatStays = html`<p class="quiet small">
  It never sees your password. You stay signed in there, even after you sign out here, until you revoke its
  access under <a href="${paths.apps}">Sites with access</a>.
</p>`;

const isLocal = (host: string): boolean => /^localhost(:|$)/.test(host);
