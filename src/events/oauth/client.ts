import { z } from 'zod';
import { event, line, slug, stream, text, type EventOf } from '../define.ts';
import { clientId, signInScope } from './values.ts';

const uri = text(2_000);

/** How often a client was reactivated. */
export const activation = z.int().positive();

/** A host as it stands in a URL: in lower case and ASCII, with the port when it is not 443. */
const host = z.string().regex(/^[\x21-\x7e]{1,260}$/);
const provedBy = z
  .enum(['file', 'dns'])
  .describe('file: a file under /.well-known on the host. dns: a TXT record.');

/** Every client event repeats the whole state, so that the newest event alone decides a request. */
const snapshot = {
  client: clientId,
  /** The team it belongs to. */
  team: slug,
  /** The name that people see on the consent page. */
  name: line(200),
  logo_uri: uri.optional(),
  redirect_uris: z.array(uri).min(1).max(50),
  post_logout_redirect_uris: z.array(uri).max(50),
  /** The scopes that it may request. */
  scopes: z.array(signInScope).min(1),
  first_party: z.boolean(),
  status: z.enum(['active', 'inactive']),
  activation: activation
    .optional()
    .describe(
      'How often the client was reactivated. Codes and tokens with a lower number are invalid. Absent: never.',
    ),
  verified_domains: z
    .array(z.strictObject({ host, by: provedBy, since: z.iso.datetime() }))
    .max(50)
    .optional()
    .describe('Hosts of redirect URIs of which the team has proved that it controls them. Absent: none.'),
};

export const clientStream = stream('client', {
  ClientRegistered: event('A client was registered. People can sign in to it.', z.strictObject(snapshot)),
  ClientDetailsChanged: event('The name or the logo of the client was changed.', z.strictObject(snapshot)),
  ClientRedirectUrisChanged: event(
    'The redirect URIs of the client were replaced.',
    z.strictObject(snapshot),
  ),
  ClientPostLogoutUrisChanged: event(
    'The post-logout redirect URIs of the client were replaced.',
    z.strictObject(snapshot),
  ),
  ClientScopesChanged: event(
    'The scopes that the client may request were replaced.',
    z.strictObject(snapshot),
  ),
  ClientFirstPartySet: event(
    'An operator made the client a first-party client, or no longer one. Only first-party clients may have the reserved scopes.',
    z.strictObject(snapshot),
  ),
  ClientDeactivated: event(
    'The client was deactivated. Its requests and its tokens are refused.',
    z.strictObject(snapshot),
  ),
  ClientReactivated: event(
    'The client was reactivated. Codes and tokens from before stay invalid.',
    z.strictObject(snapshot),
  ),
  ClientDomainVerified: event(
    'The team proved that it controls a host of the redirect URIs.',
    z.strictObject({ ...snapshot, host, by: provedBy }),
  ),
  ClientDomainLapsed: event(
    'The proof for a host was no longer found on several checks in a row. The host is no longer verified.',
    z.strictObject({ ...snapshot, host, reason: text(500) }),
  ),
});
export type ClientEvent = EventOf<typeof clientStream>;
/** The state of a client. */
export type ClientSnapshot = Extract<ClientEvent, { type: 'ClientRegistered' }>['data'];

/** The state of a client after an event of its stream. */
export function snapshotAfter(event: ClientEvent): ClientSnapshot {
  if (event.type !== 'ClientDomainVerified' && event.type !== 'ClientDomainLapsed') return event.data;
  const { host: _host, ...rest } = event.data;
  if ('by' in rest) {
    const { by: _by, ...snapshot } = rest;
    return snapshot;
  }
  const { reason: _reason, ...snapshot } = rest;
  return snapshot;
}
