import type { ApiKeyEvent } from '../../events/keys.ts';
import type { ClientEvent } from '../../events/oauth/client.ts';
import type { ConsentEvent } from '../../events/oauth/consent.ts';
import type { GrantEvent } from '../../events/oauth/grant.ts';
import type { SigningKeyEvent } from '../../events/oauth/signing-key.ts';
import type { Sentences } from './of-people.ts';
import { plainLine, type DescribedEvent, type Speaker } from './speaker.ts';

/** A site by the name that the event itself has, which is public. */
const site = ({ data }: { readonly data: { readonly name: string } }): string =>
  `the site ${plainLine(data.name)}`;

export const ofSignIn: Sentences<ClientEvent | ConsentEvent | GrantEvent | SigningKeyEvent> = {
  ClientRegistered: (event, say) => `${say.actor} registered ${site(event)} for ${say.team(event.data.team)}`,
  ClientDetailsChanged: (event, say) => `${say.actor} changed the name or the logo of ${site(event)}`,
  ClientRedirectUrisChanged: (event, say) => `${say.actor} replaced the redirect addresses of ${site(event)}`,
  ClientPostLogoutUrisChanged: (event, say) =>
    `${say.actor} replaced the addresses after sign-out of ${site(event)}`,
  ClientScopesChanged: (event, say) =>
    `${say.actor} allowed ${site(event)} to ask for ${event.data.scopes.join(', ')}`,
  ClientFirstPartySet: (event, say) =>
    event.data.first_party
      ? `${say.actor} made ${site(event)} one of the service’s own`
      : `${say.actor} made ${site(event)} no longer one of the service’s own`,
  ClientDeactivated: (event, say) => `${say.actor} deactivated ${site(event)}`,
  ClientReactivated: (event, say) => `${say.actor} reactivated ${site(event)}`,
  ClientDomainVerified: (event, say) =>
    `${say.actor} verified ${plainLine(event.data.host)} for ${site(event)}, by ${
      event.data.by === 'file' ? 'a file on it' : 'a DNS record'
    }`,
  ClientDomainLapsed: (event, say) =>
    `${plainLine(event.data.host)} is no longer verified for ${site(event)}${say.because(event.data.reason)}`,
  ConsentGranted: ({ data }, say) =>
    `${say.person(data.user)} allowed ${say.client(data.client)} to see ${data.scopes.join(', ')}`,
  ConsentRevoked: ({ data }, say) =>
    `${say.person(data.user)} took back the consent to ${say.client(data.client)}`,
  AuthorizationCodeIssued: ({ data }, say) =>
    `${say.person(data.user)} signed in to ${say.client(data.client)}, which got a code`,
  TokensIssued: ({ data }, say) =>
    `${say.client(data.client)} exchanged its code for tokens of ${say.person(data.user)}`,
  TokensRefreshed: ({ data }, say) =>
    `${say.client(data.client)} refreshed its tokens of ${say.person(data.user)}`,
  TokenRevoked: ({ data }, say) =>
    `${say.actor} revoked an access token that ${say.client(data.client)} had for ${say.person(data.user)}`,
  AuthorizationCodeReplayed: ({ data }, say) =>
    `A code of ${say.client(data.client)} was used again, so its access to ${say.person(data.user)} ended`,
  RefreshTokenReused: ({ data }, say) =>
    `A replaced refresh token of ${say.client(data.client)} was used again, so its access to ${say.person(data.user)} ended`,
  GrantRevoked: ({ data }, say) =>
    `${say.actor} ended the access of ${say.client(data.client)} to ${say.person(data.user)}${say.because(data.reason)}`,
  SigningKeyPublished: (_, say) => `${say.actor} published a new key for signing sign-ins`,
  SigningKeyActivated: (_, say) => `${say.actor} began to sign sign-ins with a new key`,
  SigningKeyRetired: (_, say) => `${say.actor} removed an old key for signing sign-ins`,
};

const kinds = {
  developer: 'a developer key',
  team: 'a key',
  installation: 'a key of the installation',
} as const;

/** The key that an event of its stream is about. */
const key = ({ stream }: DescribedEvent, say: Speaker): string => say.key(stream.slice('api-key-'.length));

/** The label, where one was given: the event has it in clear, or sealed for a person. */
function calledIn(
  { key_id, label, label_sealed }: Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'],
  say: Speaker,
): string {
  const name = label ?? (label_sealed === undefined ? undefined : say.labelOf(key_id));
  return name === undefined ? '' : ` called ${plainLine(name)}`;
}

export const ofKeys: Sentences<ApiKeyEvent> = {
  ApiKeyCreated: ({ data }, say) =>
    [
      `${say.actor} made ${kinds[data.kind]}`,
      data.team === undefined ? '' : ` of ${say.team(data.team)}`,
      calledIn(data, say),
      ` with ${data.scopes.join(', ')}`,
    ].join(''),
  ApiKeyDomainsChanged: (event, say) =>
    event.data.domains.length === 0
      ? `${say.actor} allowed ${key(event, say)} to be used from everywhere`
      : `${say.actor} restricted ${key(event, say)} to ${event.data.domains.map(plainLine).join(', ')}`,
  ApiKeyRolled: (event, say) =>
    `${say.actor} rolled ${key(event, say)}: ${say.key(event.data.replaced_by)} is to take its place`,
  ApiKeyRevoked: (event, say) => `${say.actor} revoked ${key(event, say)}${say.because(event.data.reason)}`,
};
