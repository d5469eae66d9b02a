import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defined } from '../../../ground/defined.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { etagOf, matches } from '../../http/responses/etag.ts';
import { problemAndLog } from '../../http/responses/error-answers.ts';
import { formOf } from '../../http/forms.ts';
import { setCookies } from '../../http/host-cookie.ts';
import { queryOf } from '../../http/query-string.ts';
import type { Problem } from '../../http/responses/problem.ts';
import type { Gate } from '../../http/ready-gate.ts';
import { contentSecurityPolicy } from '../content-security-policy.ts';
import { html } from '../html.ts';
import { sendMoved, sendSeeOther } from '../redirects.ts';
import { publicPage } from './public-frame.ts';
import { textsIn, type Texts } from './texts.ts';
import { languageCookie, languageOf, type ChosenLanguage } from './language.ts';
import type { PublicContext, PublicPage, PublicView } from './public-page.ts';

/** What the public pages depend on. */
export interface PublicPageDependencies extends ServerDependencies {
  readonly gate: Gate;
  readonly now: () => Date;
  /** The address of the directory. */
  readonly base: () => string;
}

/** How long a browser keeps the chosen language. */
const languageSeconds = 365 * 86_400;

/** Serves a page for everybody. It needs no cookie to be read, and sets one only when a language is chosen. */
export function servePublicPage(
  scope: FastifyInstance,
  dependencies: PublicPageDependencies,
  { path, get, post, hasForm }: PublicPage,
): void {
  const at = { url: path, schema: { hide: true }, ...(hasForm ? { compress: false as const } : {}) };
  scope.route({ method: 'GET', ...at, handler: answering(dependencies, get) });
  if (post) scope.route({ method: 'POST', ...at, handler: answering(dependencies, post) });
}

/** A route's handler that answers with the page or the redirect that `handler` returns. */
export const answering =
  (dependencies: PublicPageDependencies, handler: PublicPage['get']) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!dependencies.gate.open) await dependencies.gate.pass();
    const [context, chosen] = contextOf(request, dependencies);
    const answer = await handler(context);
    if ('to' in answer) return sendSeeOther(reply, answer.to);
    if ('movedTo' in answer) return sendMoved(reply, answer.movedTo);
    return send(answer, context, chosen, reply, dependencies);
  };

/** Shows errors of a scope as pages that tell people what to do. Faults of the service are logged. */
export function answerFaults(scope: FastifyInstance, dependencies: PublicPageDependencies): void {
  scope.setErrorHandler((error, request, reply) => sendFault(error, request, reply, dependencies));
}

/** An error as a page. `faultView`: what the page says of this error instead of the common words. */
export function sendFault(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  dependencies: PublicPageDependencies,
  faultView: (problem: Problem, texts: Texts) => Pick<PublicView, 'title' | 'content'> | undefined = () =>
    undefined,
): FastifyReply {
  const problem = problemAndLog(error, request);
  const { status, headers } = problem;
  const [context, chosen] = contextOf(request, dependencies);
  const { errors } = context.texts;
  const fault = status >= 500 || status === 429;
  const view: PublicView = {
    title: fault ? errors.faultTitle : errors.refusedTitle,
    content: html`<p>${fault ? errors.fault : errors.refused}</p>
      <p><a class="button primary" href="/">${errors.home}</a></p>`,
    ...faultView(problem, context.texts),
    status,
    noStore: true,
    headers,
  };
  return send(view, context, chosen, reply, dependencies);
}

/** The request as pages see it, and how its language was found. */
export function contextOf(
  request: FastifyRequest,
  { now, base }: PublicPageDependencies,
): readonly [PublicContext, ChosenLanguage] {
  const target = request.raw.url ?? '';
  const query = new URLSearchParams(queryOf(target));
  const chosen = languageOf(request, query, base());
  const context: PublicContext = {
    request,
    path: target.split('?', 1)[0] ?? '',
    query,
    form: new URLSearchParams(formOf(request)),
    language: chosen.language,
    texts: textsIn(chosen.language),
    now: now(),
    base: base(),
  };
  return [context, chosen];
}

function send(
  view: PublicView,
  context: PublicContext,
  { requested, kept }: ChosenLanguage,
  reply: FastifyReply,
  { config }: Pick<PublicPageDependencies, 'config'>,
): FastifyReply {
  const { status = 200, noStore = false, headers = {}, cookies = [] } = view;
  const body = publicPage(view, context, config);
  const chosen =
    requested === undefined || requested === kept
      ? []
      : [languageCookie(context.base).set(requested, languageSeconds)];
  setCookies(reply, [...chosen, ...cookies]);
  reply.code(status).headers({
    'content-type': 'text/html; charset=utf-8',
    'content-language': context.language,
    'content-security-policy': contentSecurityPolicy({
      script: true,
      ...defined({ imagesFrom: view.imagesFrom }),
    }),
    vary: 'accept-language, cookie',
    // A page says what is open now. An answer with a cookie is for one browser.
    'cache-control': noStore ? 'no-store' : chosen.length > 0 ? 'private, no-cache' : 'no-cache',
    ...headers,
  });
  if (noStore || status !== 200) return reply.send(body);
  const etag = etagOf(body);
  reply.header('etag', etag);
  if (matches(context.request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.send(body);
}
