import type { FastifyInstance } from 'fastify';
import { confirmOffice, officeLinkOf, stopOffice } from '../../actions/forms-office.ts';
import { perform } from '../../actions/perform.ts';
import { networksOf } from '../../ground/network.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { queryOf } from '../http/query-string.ts';
import { visitorForm, type VisitorPageContext } from '../pages/action-form.ts';
import { button, form, hidden } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import { EarlyAnswer, type PageContext, type View } from '../pages/page-context.ts';
import { paths } from '../pages/paths.ts';
import { contextOf } from '../sign-in-dependencies.ts';

interface About {
  readonly link: string;
  readonly title: string;
  readonly team: string;
  readonly content: boolean;
}

const aboutLink =
  (kind: 'confirm' | 'stop') =>
  async (dependencies: PageDependencies, { query, form: typed }: PageContext): Promise<About> => {
    const link = typed.get('link') ?? query.get('link') ?? '';
    const found = await officeLinkOf(dependencies, kind, link, dependencies.now());
    if (!found) throw new EarlyAnswer(goneView);
    return { link, ...found };
  };

/** Confirms an address outside of a team. It needs a press: mail programs follow links by themselves. */
export const confirmOfficePage = visitorForm({
  path: paths.confirmOffice,
  action: confirmOffice,
  about: aboutLink('confirm'),
  also: ({ about: { link } }) => ({ link }),
  view: (_, pageContext, { refused }) =>
    refused ? goneView : linkView(pageContext, paths.confirmOffice, texts.confirm),
  done: ({ about }) => messageView(texts.confirm.title, texts.confirmed(about.title)),
});

/** Ends the mails to it. */
export const stopOfficePage = visitorForm({
  path: paths.stopOffice,
  action: stopOffice,
  about: aboutLink('stop'),
  also: ({ about: { link } }) => ({ link }),
  view: (_, pageContext, { refused }) =>
    refused ? goneView : linkView(pageContext, paths.stopOffice, texts.stop),
  done: ({ about }) => messageView(texts.stop.title, texts.stopped(about.title)),
});

/** For mail programs, which end mails by one request without a page (RFC 8058). The link alone is the proof. */
export function serveStopAtOnce(scope: FastifyInstance, dependencies: PageDependencies): void {
  void scope.register((inner, _options, done) => {
    inner.removeAllContentTypeParsers();
    // A form of either kind. What it says is always the same.
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4_096 }, (_request, _body, ready) =>
      ready(null, undefined),
    );
    const at = { url: paths.stopOfficeAtOnce, schema: { hide: true } } as const;
    const linkIn = (url = '') => new URLSearchParams(queryOf(url)).get('link') ?? '';
    inner.route({
      method: 'GET',
      ...at,
      handler: (request, reply) =>
        reply.redirect(
          `${paths.stopOffice}?${new URLSearchParams({ link: linkIn(request.raw.url) }).toString()}`,
          303,
        ),
    });
    inner.route({
      method: 'POST',
      ...at,
      async handler(request, reply) {
        await perform(stopOffice, dependencies, {
          who: { kind: 'visitor', networks: networksOf(request.ip), browserAt: () => undefined },
          input: { link: linkIn(request.raw.url) },
          context: () => contextOf({ kind: 'system', id: 'form-office' }, request, dependencies.now()),
        });
        return reply.code(200).header('cache-control', 'no-store').send();
      },
    });
    done();
  });
}

function linkView(
  { formToken, about }: VisitorPageContext<About>,
  action: string,
  { title, sentence, press }: (typeof texts)['confirm' | 'stop'],
): View {
  return {
    title,
    shape: 'narrow',
    content: html`<p>${sentence(about)}</p>
      ${form({ action, token: formToken, content: html`${hidden('link', about.link)} ${button(press)}` })}`,
  };
}

const messageView = (title: string, sentence: string): View => ({
  title,
  shape: 'narrow',
  content: html`<p>${sentence}</p>`,
});

const texts = {
  confirm: {
    title: 'Mails about answers',
    sentence: ({ title, team, content }: About) =>
      `${team} wants to send mails to your address when answers to the form “${title}” have come. ${content ? 'The answers stand in them.' : 'They say how many answers have come, and not what they say.'} Each has a link that ends them.`,
    press: 'Send me these mails',
  },
  stop: {
    title: 'No more mails',
    sentence: ({ title, team }: About) =>
      `Mails about answers to the form “${title}” of ${team} go to your address. Do you want no more of them?`,
    press: 'Send me no more',
  },
  confirmed: (title: string) => `From now on you get mails about answers to “${title}”.`,
  stopped: (title: string) => `You get no more mails about answers to “${title}”. Your address is erased.`,
} as const;

const goneView: View = {
  ...messageView(
    'This link no longer works',
    'The address was removed already, or the link has expired, or part of it is missing. Some mail programs break long links: copy the whole link.',
  ),
  status: 400,
};
