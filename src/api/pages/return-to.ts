import { loadServedClient } from '../../commands/oauth/client.ts';
import { OAuthRefused } from '../../commands/oauth/errors.ts';
import { html, type Html } from './html.ts';
import { authorizationRequestIn, type AuthorizationRequest } from '../oauth/authorization-request.ts';
import type { Pending } from './pending-authorization.ts';
import { hidden } from './controls.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { ownPath, paths } from './paths.ts';
import { signInTookTooLongView } from './frame/common-views.ts';
import { redirectTo, EarlyAnswer, type PageContext } from './page-context.ts';

/** Where a person continues after signing in or registering: at a site, or at a page of ours. */
export interface ReturnTo {
  /** The address after signing in. */
  readonly end: string;
  /** The request of the site that sent the person. */
  readonly site: { readonly pending: Pending; readonly request: AuthorizationRequest } | undefined;
  /** Passes this on to another page: as a query, and as hidden fields of a form. */
  readonly query: string;
  readonly inputs: Html;
}

/** The longest sealed request in an email. A longer link might be broken by mail programs. */
const longestInMail = 1_500;

/** @throws EarlyAnswer when the request of a site cannot continue */
export async function returnToOf(
  { interaction, store }: PageDependencies,
  { query, form }: PageContext,
): Promise<ReturnTo> {
  const sealed = form.get('continue') ?? query.get('continue');
  if (sealed === null || sealed === '') return returnHome(form.get('to') ?? query.get('to'));
  const pending = interaction.open(sealed);
  if (!pending) throw new EarlyAnswer(signInTookTooLongView());
  try {
    const request = await authorizationRequestIn(pending.query, (clientId) =>
      loadServedClient(store, clientId),
    );
    return {
      end: interaction.resume(pending),
      site: { pending, request },
      query: `?continue=${sealed}`,
      inputs: hidden('continue', sealed),
    };
  } catch (error) {
    // The client has changed meanwhile. The endpoint answers with the error.
    if (error instanceof OAuthRefused) throw new EarlyAnswer(redirectTo(interaction.resume(pending)));
    throw error;
  }
}

/** The same, but an expired request is dropped, because the link in an email is still useful. */
export async function returnToOrHome(
  dependencies: PageDependencies,
  pageContext: PageContext,
): Promise<ReturnTo> {
  try {
    return await returnToOf(dependencies, pageContext);
  } catch (error) {
    if (error instanceof EarlyAnswer) return returnHome(null);
    throw error;
  }
}

/** For a link in an email: `&continue=…` or `&to=…`, unless it is too long. */
export const returnToInMail = ({ query }: ReturnTo): string =>
  query !== '' && query.length <= longestInMail ? `&${query.slice(1)}` : '';

function returnHome(to: string | null): ReturnTo {
  const end = ownPath(to);
  return {
    end: end ?? paths.home,
    site: undefined,
    query: end === undefined ? '' : `?to=${encodeURIComponent(end)}`,
    inputs: end === undefined ? html`` : hidden('to', end),
  };
}
