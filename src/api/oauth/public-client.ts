import type { IncomingHttpHeaders } from 'node:http';
import { requireClient } from '../../commands/oauth/authorization.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import { isClientId } from './authorization-request.ts';
import { OAuthProblem } from './errors.ts';
import { required } from './parameters.ts';

/** How a client identifies itself. All parameters but the first are read to be refused. */
export const publicClientParameters = ['client_id', 'client_secret', 'client_assertion'] as const;

type ClientValues = Readonly<Partial<Record<(typeof publicClientParameters)[number], string>>>;

/**
 * The client_id of a request. All clients are public (interface 2.4). A client that tries to authenticate is
 * misconfigured and would believe that its secret protects it, so it is refused.
 * @throws OAuthProblem, OAuthRefused invalid_client (RFC 6749 section 5.2), invalid_request
 */
export function publicClientOf(values: ClientValues, { authorization }: IncomingHttpHeaders): string {
  if (authorization !== undefined) {
    throw new OAuthProblem('invalid_client', `${publicOnly}, without an Authorization header.`, {
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Commonweal"' },
    });
  }
  if (values.client_secret !== undefined || values.client_assertion !== undefined) {
    throw new OAuthRefused('invalid_client', `${publicOnly}, without client_secret or client_assertion.`);
  }
  const clientId = required(values, 'client_id', 'RFC 6749 section 3.2.1');
  return isClientId(clientId) ? clientId : requireClient<never>(undefined);
}

const publicOnly = 'Clients are public (RFC 6749 section 2.1): send client_id in the body';
