import { z } from 'zod';
import { CommandRefused } from '../ground/refusals.ts';
import { changeClient, loadClient, registerClient, type ClientChange } from '../commands/oauth/client.ts';
import { provableHosts } from '../events/oauth/domains.ts';
import type { Config } from '../config.ts';
import { checkDomain, type DomainParts } from '../dispatch/operations/check-domain.ts';
import { destinationPolicy } from '../dispatch/operations/destination-policy.ts';
import { siteName } from '../events/display-name.ts';
import type { ClientSnapshot } from '../events/oauth/client.ts';
import { clientId, signInScope } from '../events/oauth/values.ts';
import { defined } from '../ground/defined.ts';
import { clients, type ClientDocument } from '../projections/oauth-clients.ts';
import type { Limits } from '../stores/limits/port.ts';
import { action, type ActionParts, type Performing, type Who } from './action.ts';
import type { Listing } from './listing.ts';

const right = 'change sites';

const noSite = (): CommandRefused => new CommandRefused('not_found', 'There is no such site.');

/** The sites of a team, who registered first first. */
export const siteList: Listing<ClientDocument, ClientDocument> = {
  name: 'sites',
  right,
  readModel: clients,
  orderBy: ['registered_at', 'client'],
  id: clientId,
  none: noSite,
  open: (_, docs) => Promise.resolve(docs),
};

const settings = {
  redirect_uris: z.array(z.string()),
  post_logout_redirect_uris: z.array(z.string()).optional(),
  /** Null: none. */
  logo_uri: z.string().nullish(),
  /** These two are the operator's alone to say. */
  scopes: z.array(signInScope).min(1, 'name at least one').optional(),
  first_party: z.boolean().optional(),
};

/** Registers a site of a team: a public client, which has an id and no secret. */
export const registerSite = action({
  name: 'sites.register',
  right,
  input: z.object({ name: siteName, ...settings }),
  once: true,
  async run({ store }, input, { who, context }) {
    const { name, redirect_uris: redirectUris, scopes, first_party: firstParty } = allowedTo(who, input);
    const { post_logout_redirect_uris: postLogoutRedirectUris, logo_uri } = input;
    const optional = { postLogoutRedirectUris, logoUri: logo_uri ?? undefined, scopes, firstParty };
    const site = { team: who.team ?? '', name, redirectUris, ...defined(optional) };
    const { clientId: id, outcome } = await registerClient(store, site, context);
    return { changes: outcome, value: () => ({ id, site: outcome.state }) };
  },
});

/**
 * Changes settings of a site, all or none. What is left out stays. `seen`: the digest of those that somebody has looked at;
 * newer ones are not overwritten. A name from before the rule of names stays while it is not changed.
 */
export const changeSite = action({
  name: 'sites.change',
  right,
  input: z.object({
    client: clientId,
    seen: z.string().optional(),
    ...settings,
    name: z.string().optional(),
    redirect_uris: settings.redirect_uris.optional(),
  }),
  run(parts, { client, seen, ...input }, by) {
    const { first_party, scopes, name, logo_uri, ...uris } = allowedTo(by.who, input);
    const changes: (ClientChange | undefined)[] = [
      seen === undefined ? undefined : { kind: 'require-settings', seen },
      // Reserved scopes are allowed only after it.
      first_party === undefined ? undefined : { kind: 'set-first-party', firstParty: first_party },
      { kind: 'change-details', ...defined({ name, logoUri: logo_uri }) },
      uris.redirect_uris && { kind: 'change-redirect-uris', uris: uris.redirect_uris },
      uris.post_logout_redirect_uris && {
        kind: 'change-post-logout-uris',
        uris: uris.post_logout_redirect_uris,
      },
      scopes && { kind: 'change-scopes', scopes },
    ];
    return changed(parts, client, changes, by);
  },
});

/** Deactivates a site, or reactivates it. Its earlier tokens stay invalid. */
export const setSiteStatus = action({
  name: 'sites.set-status',
  right,
  input: z.object({ client: clientId, status: z.enum(['active', 'inactive']) }),
  run: (parts, { client, status }, by) =>
    changed(parts, client, [{ kind: status === 'active' ? 'reactivate' : 'deactivate' }], by),
});

interface DomainCheckParts extends ActionParts {
  readonly config: Config;
  readonly limits: Limits;
  readonly domainLookups?: Omit<DomainParts, 'store' | 'side' | 'policy'>;
}

/** Looks for the proof of a host now. Its value: what came of it. */
export const checkSiteDomain = action({
  name: 'sites.check-domain',
  right,
  input: z.object({ client: clientId, host: z.string() }),
  async run(parts: DomainCheckParts, { client, host }, { who, context }) {
    const { store, side, config, limits, domainLookups } = parts;
    const nothing = (why: 'otherHost' | 'checkedTooOften') => ({ changes: [], value: () => why });
    if (!provableHosts(await requireSite(parts, who, client)).includes(host)) return nothing('otherHost');
    if ((await limits.take(['domain-check', client])).seconds > 0) return nothing('checkedTooOften');
    const checking = { store, side, policy: destinationPolicy(config), ...domainLookups };
    const { proof, outcome } = await checkDomain(checking, { client, host }, context);
    return { changes: outcome ?? [], value: () => (proof.by === undefined ? 'notProved' : 'verified') };
  },
});

/** One command for all changes: a refusal changes nothing, and unchanged settings make no event. */
async function changed(
  parts: ActionParts,
  client: string,
  changes: readonly (ClientChange | undefined)[],
  { who, context }: Performing,
) {
  await requireSite(parts, who, client);
  const made = changes.filter((each) => each !== undefined);
  const outcome = await changeClient(parts.store, client, made, context);
  return { changes: outcome, value: () => outcome.state };
}

/** The site, if it is one of theirs. @throws CommandRefused not_found */
async function requireSite({ store }: ActionParts, { team }: Who, client: string): Promise<ClientSnapshot> {
  const site = await loadClient(store, client);
  if (!site || (team !== undefined && site.team !== team)) throw noSite();
  return site;
}

const allowedTo = <Input extends object>(who: Who, input: Input): Input =>
  who.kind === 'operator' ? input : { ...input, scopes: undefined, first_party: undefined };
