import type { FastifyInstance } from 'fastify';
import {
  endMails,
  answerByLink,
  byAgencyLink,
  carryOut,
} from '../../../../actions/directory/upkeep/agency-answers.ts';
import { openedLink, type OpenedLink } from '../../../../actions/directory/upkeep/agency-links.ts';
import { agencyAnswer } from '../../../../events/directory/upkeep/agency-contact.ts';
import { uuidOf } from '../../../../events/ids.ts';
import { CommandRefused } from '../../../../ground/refusals.ts';
import { networksOf } from '../../../../ground/network.ts';
import type { PublicContext, PublicPage, PublicView } from '../../../pages/frame/public-page.ts';
import { servePublicPage, type PublicPageDependencies } from '../../../pages/frame/serve-public-page.ts';
import { OpenForms } from '../../../pages/frame/open-form.ts';
import { html } from '../../../pages/html.ts';
import { hidden } from '../../../pages/controls.ts';
import { isFromOurPages } from '../../../pages/same-origin.ts';
import { paths } from '../../../pages/paths.ts';
import { publicRecords } from '../../pages/record-page.ts';
import type { PublicRecord } from '../../pages/record-view.ts';
import { agencyView, goneLinkView, linkedTo, privateView } from './agency-view.ts';

export const linkIn = ({ query, form }: PublicContext): string => form.get('link') ?? query.get('link') ?? '';

/** The name of a form that came back from behind a private link. Undefined: it is not one of ours, or was open for too long. */
export function formNameOf(openForms: OpenForms, whose: string, context: PublicContext): string | undefined {
  const { request, base, form } = context;
  return isFromOurPages(request.headers, base)
    ? openForms.nameOf(form.get('token') ?? '', whose, context)
    : undefined;
}

/** Whether the contact and the network may answer once more. */
export async function mayAnswer(
  { limits }: Pick<PublicPageDependencies, 'limits'>,
  contact: string,
  ip: string,
): Promise<boolean> {
  const [narrow] = networksOf(ip);
  const { refused } = await limits.take(['agency-network', narrow], ['agency-contact', contact]);
  return refused === undefined;
}

export const agencyForms = ({ masterKey }: Pick<PublicPageDependencies, 'masterKey'>): OpenForms =>
  new OpenForms(masterKey, 'agency form');

/**
 * The private page on which a contact says what is so, without an account. Looking at it changes nothing: programs that follow
 * the links of mails answer for nobody.
 */
export const agencyPage = (dependencies: PublicPageDependencies): PublicPage => {
  const read = publicRecords(dependencies);
  const openForms = agencyForms(dependencies);

  const view = async (context: PublicContext, opened: OpenedLink, problem?: string): Promise<PublicView> => {
    const found = await Promise.all(opened.svcIds.map((svcId) => read(svcId)));
    const records = found.filter(
      (each): each is PublicRecord => typeof each === 'object' && 'fields' in each,
    );
    const { token, ...cookies } = openForms.open(opened.contact, context);
    const page = { link: linkIn(context), opened, records, token, problem };
    return { ...agencyView(page, context), ...cookies };
  };

  return {
    path: paths.agency,
    hasForm: true,
    async get(context) {
      const opened = await openedLink(dependencies, 'answer', linkIn(context), context.now);
      return opened ? view(context, opened) : goneLinkView(context);
    },
    async post(context) {
      const { form, texts, now, request } = context;
      const link = linkIn(context);
      const opened = await openedLink(dependencies, 'answer', link, now);
      if (!opened) return goneLinkView(context);
      const { contact } = opened;
      const { problems, doneTitle, doneFor } = texts.agency;
      const name = formNameOf(openForms, opened.contact, context);
      if (name === undefined) return { ...(await view(context, opened, problems.expired)), status: 422 };
      if (!(await mayAnswer(dependencies, contact, request.ip)))
        return { ...(await view(context, opened, problems.tooMany)), status: 429 };
      const pressed = form.get('answer') ?? '';
      if (pressed === 'done') {
        await carryOut(dependencies, contact, now);
        const content = html`<p role="status">${doneFor({ team: opened.teamName })}</p>
          <p><a href="${linkedTo(paths.agency, link)}">${texts.agency.back}</a></p>`;
        return { title: doneTitle, ...privateView, content };
      }
      const svcId = form.get('svc_id') ?? '';
      const answer = pressed === 'undo' ? pressed : agencyAnswer.safeParse(pressed).data;
      // A form of ours has no other value, and a change has a page of its own.
      if (answer === undefined || answer === 'change') return view(context, opened);
      // Each press is a command of its own; the same form sent twice is one.
      const commandId = uuidOf('agency form', name, svcId, answer);
      try {
        await answerByLink(dependencies, contact, svcId, answer, {
          ...byAgencyLink(commandId, now),
          correlationId: request.id,
        });
      } catch (error) {
        // It was carried out meanwhile, or another mail asks about other records: the page shows what is so now.
        if (!(error instanceof CommandRefused)) throw error;
      }
      return { to: `${linkedTo(paths.agency, link)}#${encodeURIComponent(svcId)}` };
    },
  };
};

/** Ends the mails to a contact. It needs a press: mail programs follow links by themselves. */
export const agencyStopPage = (dependencies: PublicPageDependencies): PublicPage => {
  const openForms = agencyForms(dependencies);
  return {
    path: paths.agencyStop,
    hasForm: true,
    async get(context) {
      const opened = await openedLink(dependencies, 'stop', linkIn(context), context.now);
      if (!opened) return goneLinkView(context);
      const { stopTitle, stopSentence, stopPress } = context.texts.agency;
      const { token, ...cookies } = openForms.open(opened.contact, context);
      return {
        title: stopTitle,
        ...privateView,
        ...cookies,
        content: html`<p>${stopSentence({ team: opened.teamName })}</p>
          <form method="post" action="${paths.agencyStop}" novalidate>
            ${hidden('token', token)} ${hidden('link', linkIn(context))}
            <button type="submit" class="primary">${stopPress}</button>
          </form>`,
      };
    },
    async post(context) {
      const opened = await openedLink(dependencies, 'stop', linkIn(context), context.now);
      if (!opened) return goneLinkView(context);
      const { stopTitle, stopped } = context.texts.agency;
      const name = formNameOf(openForms, opened.contact, context);
      if (name === undefined) return { to: linkedTo(paths.agencyStop, linkIn(context)) };
      await stop(dependencies, opened, context.now, context.request.id);
      return {
        title: stopTitle,
        ...privateView,
        content: html`<p role="status">${stopped({ team: opened.teamName })}</p>`,
      };
    },
  };
};

/** For mail programs, which end mails by one request without a page (RFC 8058). The link alone is the proof. */
export function serveAgencyStopAtOnce(scope: FastifyInstance, dependencies: PublicPageDependencies): void {
  void scope.register((inner, _options, done) => {
    inner.removeAllContentTypeParsers();
    // A form of either kind. What it says is always the same.
    inner.addContentTypeParser('*', { parseAs: 'string', bodyLimit: 4_096 }, (_request, _body, ready) =>
      ready(null, undefined),
    );
    servePublicPage(inner, dependencies, stopAtOnce(dependencies));
    done();
  });
}

const stopAtOnce = (dependencies: PublicPageDependencies): PublicPage => ({
  path: paths.agencyStopAtOnce,
  get: (context) => ({ to: linkedTo(paths.agencyStop, linkIn(context)) }),
  async post(context) {
    const opened = await openedLink(dependencies, 'stop', context.query.get('link') ?? '', context.now);
    if (opened) await stop(dependencies, opened, context.now, context.request.id);
    return { title: context.texts.agency.stopTitle, ...privateView, content: html`` };
  },
});

const stop = (
  dependencies: PublicPageDependencies,
  { contact }: OpenedLink,
  now: Date,
  correlationId: string,
) =>
  endMails(dependencies, contact, 'stop', {
    ...byAgencyLink(uuidOf('agency stop', contact), now),
    correlationId,
  });
