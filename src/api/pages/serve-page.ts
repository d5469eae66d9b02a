import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { formOf } from '../http/forms.ts';
import { browserCookie, setCookies, type Cookie } from '../http/host-cookie.ts';
import { keepOpener } from '../http/security-headers.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { contextOf } from '../sign-in-dependencies.ts';
import { signInPath } from './interaction.ts';
import { sendSeeOther } from './redirects.ts';
import { queryOf } from '../http/query-string.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { isBrowser, newBrowser } from './form-token.ts';
import { layout } from './layout.ts';
import { isFromOurPages } from './same-origin.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { expiredFormView, administratorsOnlyView } from './common-views.ts';
import {
  redirectTo,
  EarlyAnswer,
  type Answer,
  type Download,
  type SignedInPageContext,
  type Page,
  type View,
  type PageContext,
} from './page-context.ts';
import { currentUserOf } from './current-user.ts';

/** Serves a page and its forms, after the checks that all pages share. */
export function servePage(scope: FastifyInstance, dependencies: PageDependencies, page: Page): void {
  const { path, get, post } = page;
  const at = { url: path, compress: false, schema: { hide: true } } as const;
  if (get) scope.route({ method: 'GET', ...at, handler: (request, reply) => answer(request, reply) });
  if (post) scope.route({ method: 'POST', ...at, handler: (request, reply) => answer(request, reply) });
  refuseOtherMethods(scope, path, [...(get ? ['GET', 'HEAD'] : []), ...(post ? ['POST'] : [])]);

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!dependencies.gate.open) await dependencies.gate.pass();
    const named = browserCookie(dependencies.issuer()).read(request);
    const browser = isBrowser(named) ? named : newBrowser();
    const currentUser = await currentUserOf(dependencies, request);
    const holder = page.audience === 'everybody' ? browser : (currentUser?.session.sessionId ?? browser);
    const pageContext: PageContext = {
      request,
      query: new URLSearchParams(queryOf(request.raw.url ?? '')),
      form: new URLSearchParams(formOf(request)),
      formToken: dependencies.forms.for(holder),
      browser,
      currentUser,
      context: (user = currentUser?.person.user ?? '') =>
        contextOf({ kind: 'user', id: user }, request, dependencies.now()),
    };
    // The person is on the way to a site.
    if (pageContext.query.has('continue') || pageContext.form.has('continue')) keepOpener(reply);
    const given = await answered(pageContext, holder);
    if ('to' in given) return redirect(given.to, given.cookies ?? [], reply);
    if ('download' in given) return sendFile(given, reply);
    if (browser !== named) setCookies(reply, [browserCookie(dependencies.issuer()).set(browser)]);
    return show(given, pageContext, reply);
  }

  async function answered(pageContext: PageContext, holder: string): Promise<Answer> {
    try {
      const { request } = pageContext;
      if (request.method === 'POST') {
        const ours = isFromOurPages(request.headers, dependencies.issuer());
        if (!ours || !dependencies.forms.isFor(holder, pageContext.form.get('token')))
          return pageContext.currentUser || page.audience === 'everybody'
            ? expiredFormView(path)
            : signInFirst();
      }
      return await asked(pageContext);
    } catch (error) {
      if (error instanceof EarlyAnswer) return error.answer;
      throw error;
    }
  }

  function asked(pageContext: PageContext): Promise<Answer> | Answer {
    const posted = pageContext.request.method === 'POST';
    if (page.audience === 'everybody')
      return (posted ? page.post : page.get)?.(pageContext) ?? expiredFormView(path);
    if (!pageContext.currentUser) return signInFirst();
    if (page.audience === 'administrators' && pageContext.currentUser.person.role !== 'administrator')
      return administratorsOnlyView();
    return (posted ? page.post : page.get)?.(pageContext as SignedInPageContext) ?? expiredFormView(path);
  }

  function signInFirst(): Answer {
    return redirectTo(
      `${signInPath}?to=${encodeURIComponent(path.includes(':') ? path.slice(0, path.indexOf('/:')) : path)}`,
    );
  }

  function show(view: View, { currentUser }: PageContext, reply: FastifyReply): FastifyReply {
    const { passkeys = false, status = 200, headers = {} } = view;
    const sessionToken = currentUser && dependencies.forms.for(currentUser.session.sessionId);
    return reply
      .code(status)
      .headers({
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'content-security-policy': contentSecurityPolicy({ script: passkeys }),
      })
      .send(layout(view, { currentUser, sessionToken, path }));
  }
}

function sendFile({ download, filename, type }: Download, reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    })
    .send(download);
}

function redirect(location: string, cookies: readonly Cookie[], reply: FastifyReply): FastifyReply {
  setCookies(reply, cookies);
  return sendSeeOther(reply, location);
}
