import { z } from 'zod';
import { event, line, slug, stream, text, type EventOf } from '../define.ts';
import { clientId, signInScope } from './values.ts';

const uri = text(2_000);

/** How often a client was reactivated, plus one. */
export const activation = z.int().positive();

/** Every client event repeats the whole state, so that the newest event alone decides a request. */
const standing = {
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
    .describe('How often it was reactivated; codes and tokens from before are invalid. Absent: never.'),
};

export const clientStream = stream('client', {
  ClientRegistered: event('A site may let people sign in with us.', z.strictObject(standing)),
  ClientDetailsChanged: event('Its name or logo is another.', z.strictObject(standing)),
  ClientRedirectUrisChanged: event('People are sent back to these URIs only.', z.strictObject(standing)),
  ClientPostLogoutUrisChanged: event(
    'After signing out people may be sent to these URIs.',
    z.strictObject(standing),
  ),
  ClientScopesChanged: event('It may ask for exactly these scopes.', z.strictObject(standing)),
  ClientFirstPartySet: event(
    'An operator declared it one of our own, or no longer so; only our own may hold the reserved scopes.',
    z.strictObject(standing),
  ),
  ClientDeactivated: event('It is refused, and so is every token it holds.', z.strictObject(standing)),
  ClientReactivated: event(
    'The client is served again; codes and tokens from before stay invalid.',
    z.strictObject(standing),
  ),
});
export type ClientEvent = EventOf<typeof clientStream>;
/** The state of a client. */
export type ClientStanding = ClientEvent['data'];
