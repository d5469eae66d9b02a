import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { allowedIn } from '../../commands/teams/rights.ts';
import { slug } from '../../events/define.ts';
import { teams } from '../../projections/teams.ts';
import { formOf } from '../http/forms.ts';
import { discardBody, fieldsBeforeFile, hasFile, takeFiles } from '../http/sent-file.ts';
import { browserCookie, setCookies, teamCookie, type Cookie } from '../http/host-cookie.ts';
import { keepOpener } from '../http/security-headers.ts';
import { contextOf } from '../sign-in-dependencies.ts';
import { signInPath } from './interaction.ts';
import { sendSeeOther } from './redirects.ts';
import { queryOf } from '../http/query-string.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { readerClockOf, withClock, zoneCookie, zoneIn } from './reader-clock.ts';
import { isBrowser, newBrowser } from './form-token.ts';
import { layout, type Menu } from './frame/layout.ts';
import { aboutOf } from './frame/navigation.ts';
import { isFromOurPages } from './same-origin.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { requirePasskeyIn } from './frame/passkey-first.ts';
import { currentTeamOf, teamsOfPerson, teamWithRight } from './frame/current-team.ts';
import {
  administratorsOnlyView,
  closedTeamView,
  expiredFormView,
  keptFormView,
  otherTeamView,
  refusedChoiceView,
  tooManyChangesView,
} from './frame/common-views.ts';
import {
  redirectTo,
  EarlyAnswer,
  type Answer,
  type CurrentUser,
  type Download,
  type Fragment,
  type SignedInPageContext,
  type Page,
  type View,
  type PageContext,
  type TeamPageContext,
} from './page-context.ts';
import { currentUserOf } from './current-user.ts';
import { ofTeam, ownPath } from './paths.ts';

/** The longest form of a team: a record of the directory with its texts, hours and places. */
const teamFormBytes = 256 * 1024;

/** The only download that is no text. */
const zipType = 'application/zip';

/** Serves a page and its forms, after the checks that all pages share. */
export function servePage(scope: FastifyInstance, dependencies: PageDependencies, page: Page): void {
  if (page.audience !== 'team' || page.takesFile !== true) {
    serveIn(scope, dependencies, page);
    return;
  }
  // Other pages take no files.
  void scope.register((own, _options, done) => {
    takeFiles(own);
    serveIn(own, dependencies, page);
    done();
  });
}

function serveIn(scope: FastifyInstance, dependencies: PageDependencies, page: Page): void {
  const { path, get, post } = page;
  const at = {
    url: path,
    compress: false,
    schema: { hide: true },
    ...(page.audience === 'team' ? { bodyLimit: page.formBytes ?? teamFormBytes } : {}),
  } as const;
  if (get) scope.route({ method: 'GET', ...at, handler: (request, reply) => answer(request, reply) });
  if (post) scope.route({ method: 'POST', ...at, handler: (request, reply) => answer(request, reply) });

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    if (!dependencies.gate.open) await dependencies.gate.pass();
    const named = browserCookie(dependencies.issuer()).read(request);
    const browser = isBrowser(named) ? named : newBrowser();
    const currentUser = await currentUserOf(dependencies, request);
    const holder = page.audience === 'everybody' ? browser : (currentUser?.session.sessionId ?? browser);
    const { form, file } = hasFile(request)
      ? await fieldsBeforeFile(request)
      : { form: new URLSearchParams(formOf(request)), file: undefined };
    const commands = commandsOf(request, form, currentUser);
    const pageContext: PageContext = {
      request,
      query: new URLSearchParams(queryOf(request.raw.url ?? '')),
      form,
      ...(file === undefined ? {} : { file }),
      formToken: dependencies.forms.for(holder),
      browser,
      currentUser,
      lastTeam: teamCookie(dependencies.issuer()).read(request),
      context: commands.context,
      onceContext: commands.onceContext,
      correlationId: commands.correlationId,
    };
    // The person is on the way to a site.
    if (pageContext.query.has('continue') || pageContext.form.has('continue')) keepOpener(reply);
    const clock = readerClockOf(request, await zoneOf(pageContext));
    const result = await withClock(clock, () => answered(pageContext, holder, commands)).finally(() => {
      if (file !== undefined) discardBody(request);
    });
    if ('to' in result) return redirect(result.to, result.cookies ?? [], reply);
    if ('download' in result) return sendFile(result, reply);
    if ('fragment' in result) return sendFragment(result, reply);
    if (browser !== named) setCookies(reply, [browserCookie(dependencies.issuer()).set(browser)]);
    return show(result, pageContext, reply);
  }

  /** Of the team that is shown, else of the installation. Read only where the browser has not named its own. */
  async function zoneOf({ request, query, currentUser, lastTeam }: PageContext): Promise<string | undefined> {
    const team = query.get('team') ?? lastTeam;
    const isNeeded = currentUser !== undefined && zoneIn(request.cookies[zoneCookie]) === undefined;
    const found =
      isNeeded && slug.safeParse(team).success
        ? await dependencies.documents.collection(teams.collection).get(team ?? '')
        : undefined;
    return found?.time_zone ?? dependencies.config.timeZone;
  }

  async function answered(pageContext: PageContext, holder: string, commands: Commands): Promise<Answer> {
    try {
      const { request } = pageContext;
      if (request.method === 'POST') {
        if (!isFromOurPages(request.headers, dependencies.issuer())) return expiredFormView(path);
        if (!dependencies.forms.isFor(holder, pageContext.form.get('token')))
          return page.audience === 'everybody'
            ? expiredFormView(path)
            : keptFormView(hereIn(pageContext), pageContext);
      }
      return await withinLimit(pageContext, commands);
    } catch (error) {
      if (error instanceof EarlyAnswer) return error.answer;
      throw error;
    }
  }

  /** Counts what the person may be about to append. What turns out to make no command does not count. */
  async function withinLimit(pageContext: PageContext, commands: Commands): Promise<Answer> {
    const { request, currentUser } = pageContext;
    const mayAppend = request.method === 'POST' ? page.endsSessions !== true : page.recordsViews === true;
    if (page.audience === 'everybody' || !currentUser || !mayAppend) return answerOf(pageContext);
    const { seconds, giveBack } = await dependencies.limits.take(['person-changes', currentUser.person.user]);
    if (seconds > 0) return tooManyChangesView(hereIn(pageContext), pageContext, seconds);
    try {
      return await answerOf(pageContext);
    } finally {
      if (!commands.made()) await giveBack();
    }
  }

  async function answerOf(pageContext: PageContext): Promise<Answer> {
    const posted = pageContext.request.method === 'POST';
    if (page.audience === 'everybody')
      return (posted ? page.post : page.get)?.(pageContext) ?? expiredFormView(path);
    if (!isSignedIn(pageContext)) return signInFirst(pageContext);
    if (page.audience === 'administrators' && pageContext.currentUser.person.role !== 'administrator')
      return administratorsOnlyView();
    if (page.audience === 'team') return answerOfTeam(page, pageContext);
    return (posted ? page.post : page.get)?.(pageContext) ?? expiredFormView(path);
  }

  async function answerOfTeam(
    { right, whenClosed, get, post }: Extract<Page, { readonly audience: 'team' }>,
    pageContext: SignedInPageContext,
  ): Promise<Answer> {
    const { request, query, form, currentUser } = pageContext;
    const named = query.get('team') ?? form.get('team');
    if (form.has('team') && form.get('team') !== named) return refusedChoiceView;
    if (named === null) {
      const team = await teamWithRight(dependencies, pageContext, right);
      if (!team || request.method === 'POST') return otherTeamView(undefined);
      return redirectTo(ofTeam(pathOf(request), team.team, Object.fromEntries(query)));
    }
    const { user } = currentUser.person;
    const allowed = await allowedIn(dependencies.store, { user, team: named, right });
    if (!allowed) return otherTeamView(named);
    await requirePasskeyIn(dependencies, pageContext, named);
    const inTeam: TeamPageContext = { ...pageContext, team: { team: named, ...allowed } };
    if (allowed.closed && whenClosed !== true) return closedTeamView(inTeam);
    return (request.method === 'POST' ? post : get)?.(inTeam) ?? expiredFormView(path);
  }

  /** After signing in, the person comes to the page that was asked for, as far as an address may say. */
  function signInFirst(pageContext: PageContext): Answer {
    const to = ownPath(hereIn(pageContext)) ?? ownPath(pathOf(pageContext.request)) ?? '';
    return redirectTo(`${signInPath}?to=${encodeURIComponent(to)}`);
  }

  /** How the changes of a request are told apart, and what they have in common. */
  function commandsOf(
    request: FastifyRequest,
    form: URLSearchParams,
    currentUser: CurrentUser | undefined,
  ): Commands {
    const signedIn = page.audience === 'everybody' ? undefined : currentUser?.person.user;
    const sent =
      signedIn === undefined
        ? undefined
        : dependencies.formCommands.of(form, { user: signedIn, path: pathOf(request) });
    const correlationId = sent?.id ?? request.id;
    let made = false;
    const context = (user = currentUser?.person.user ?? '') => {
      made = true;
      return { ...contextOf({ kind: 'user', id: user }, request, dependencies.now()), correlationId };
    };
    let number = 0;
    const onceContext = () =>
      sent ? { ...context(), commandId: sent.commandId(number++), requestHash: sent.requestHash } : context();
    return { correlationId, context, onceContext, made: () => made };
  }

  async function show(view: View, pageContext: PageContext, reply: FastifyReply): Promise<FastifyReply> {
    const { currentUser, lastTeam } = pageContext;
    const { passkeys = false, frames = false, status = 200, headers = {}, shape = 'wide' } = view;
    const menu = currentUser && shape === 'wide' ? await menuOf(currentUser, pageContext) : undefined;
    const shown = menu?.team?.team;
    if (shown !== undefined && shown !== lastTeam)
      setCookies(reply, [teamCookie(dependencies.issuer()).set(shown, lastTeamSeconds)]);
    return reply
      .code(status)
      .headers({
        ...headers,
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy({
          script: passkeys || menu !== undefined,
          live: menu !== undefined,
          frames,
        }),
      })
      .send(layout(view, menu));
  }

  async function menuOf(currentUser: CurrentUser, pageContext: PageContext): Promise<Menu> {
    const teams = await teamsOfPerson(dependencies, currentUser);
    const team = await currentTeamOf(dependencies, currentUser, teams, pageContext);
    const sessionToken = dependencies.forms.for(currentUser.session.sessionId);
    const outbox = dependencies.config.smtpUrl === undefined;
    const path = pathOf(pageContext.request);
    const about = aboutOf(path, pageContext.query.get('team'), team?.team);
    return { currentUser, sessionToken, path, teams, team, about, outbox };
  }
}

/** The commands of a request. */
interface Commands extends Pick<PageContext, 'context' | 'onceContext' | 'correlationId'> {
  /** Whether the page has begun to make one. */
  made(): boolean;
}

/** How long a browser keeps which team it showed last. */
const lastTeamSeconds = 90 * 24 * 3_600;

const isSignedIn = (pageContext: PageContext): pageContext is SignedInPageContext =>
  pageContext.currentUser !== undefined;

/** The path that was asked for, without the query. */
const pathOf = ({ raw }: FastifyRequest): string => (raw.url ?? '').split('?', 1)[0] ?? '';

/** The same, of the team that the request is about. */
function hereIn({ request, query }: PageContext): string {
  const team = query.get('team');
  return team === null ? pathOf(request) : ofTeam(pathOf(request), team);
}

function sendFile({ download, filename, type }: Download, reply: FastifyReply): FastifyReply {
  return reply
    .headers({
      'content-type': type === zipType ? type : `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${filename}"`,
    })
    .send(download);
}

const sendFragment = ({ fragment }: Fragment, reply: FastifyReply): FastifyReply =>
  reply
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy({ script: false }),
    })
    .send(fragment.text);

function redirect(location: string, cookies: readonly Cookie[], reply: FastifyReply): FastifyReply {
  setCookies(reply, cookies);
  return sendSeeOther(reply, location);
}
