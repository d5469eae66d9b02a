import { recordAccess } from '../../commands/audit/access.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import type { Page, TeamPageContext } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { changeDomains, createKey, keysView, revokeKey, shownDone } from './key-changes.ts';
import { developerHome, requireKey, teamHome } from './key-home.ts';
import { keyView } from './key-view.ts';

const developerKeys = (dependencies: PageDependencies): Page => ({
  audience: 'signed in',
  path: paths.developers,
  get: (asked) => keysView(dependencies, asked, developerHome(asked)),
  post: (asked) => createKey(dependencies, asked, developerHome(asked)),
});

const developerKey = (dependencies: PageDependencies): Page => ({
  audience: 'signed in',
  path: `${paths.developers}/:key`,
  async get(asked) {
    const home = developerHome(asked);
    const key = await requireKey(dependencies, asked, home);
    return keyView(dependencies, asked, home, key, { top: shownDone(asked) });
  },
  post: (asked) => changeDomains(dependencies, asked, developerHome(asked)),
});

const revokeDeveloperKey = (dependencies: PageDependencies): Page => ({
  audience: 'signed in',
  path: `${paths.developers}/:key/revoke`,
  post: (asked) => revokeKey(dependencies, asked, developerHome(asked)),
});

const right = 'change keys';

const teamKeys = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right,
  path: paths.teamKeys,
  get: async (asked) => keysView(dependencies, asked, await teamHome(dependencies, asked)),
  post: async (asked) => createKey(dependencies, asked, await teamHome(dependencies, asked)),
});

const teamKey = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right,
  path: `${paths.teamKeys}/:key`,
  recordsViews: true,
  async get(asked) {
    const home = await teamHome(dependencies, asked);
    const key = await requireKey(dependencies, asked, home);
    await recordReading(dependencies, asked, key.key_id);
    return keyView(dependencies, asked, home, key, { top: shownDone(asked) });
  },
  post: async (asked) => changeDomains(dependencies, asked, await teamHome(dependencies, asked)),
});

const revokeTeamKey = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right,
  path: `${paths.teamKeys}/:key/revoke`,
  post: async (asked) => revokeKey(dependencies, asked, await teamHome(dependencies, asked)),
});

/** What a key of a team was used for is part of its audit: that somebody asked is recorded, as in the API. */
async function recordReading(
  { store }: PageDependencies,
  asked: TeamPageContext,
  keyId: string,
): Promise<void> {
  const data = { question: 'key-usage', filter: { key: keyId, days: '30' }, events: 0 } as const;
  await recordAccess(store, { type: 'AuditQueried', data }, asked.context());
}

/** The pages about API keys (interface 2.3). */
export const keyPages = [
  developerKeys,
  developerKey,
  revokeDeveloperKey,
  teamKeys,
  teamKey,
  revokeTeamKey,
] as const;
