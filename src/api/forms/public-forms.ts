import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { formIdOf } from '../../commands/forms.ts';
import { slug } from '../../events/define.ts';
import { forms, type FormDocument } from '../../projections/forms.ts';
import { teams } from '../../projections/teams.ts';
import { addressOf, type ServerDependencies } from '../dependencies.ts';
import { documentedOnly } from '../http/read-parameters.ts';
import { problemAndLog, sendProblem } from '../http/responses/error-answers.ts';
import { formType, takeForms } from '../http/forms.ts';
import { useCookies } from '../http/host-cookie.ts';
import { takeJson } from '../http/json-body.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import type { Problem } from '../http/responses/problem.ts';
import { gateOf } from '../http/ready-gate.ts';
import { html } from '../pages/html.ts';
import {
  answering,
  contextOf,
  sendFault,
  type PublicPageDependencies,
} from '../pages/frame/serve-public-page.ts';
import { isFromOurPages } from '../pages/same-origin.ts';
import { changedWords } from './changed-words.ts';
import { formProblem } from './form-errors.ts';
import { formPath } from './form-path.ts';
import { hostedForm } from './hosted-form.ts';
import { allowOrigin, isJson, preflightHeaders, siteForm } from './site-form.ts';
import { takeSubmissions } from './take-submission.ts';
import type { Texts } from '../pages/frame/texts.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The form that the address names, and who sends to it. */
    sent: Sent | undefined;
  }
}

interface Sent {
  readonly form: FormDocument | undefined;
  /** Our own page, a form on a site of the team, or a script there. */
  readonly by: 'page' | 'site' | 'script';
}

/** 32 KiB of answers, each byte three characters when it is percent-encoded, and the names of the fields. */
const bodyBytes = 128 * 1024;
const path = formPath(':team', ':form');

/** The forms of teams: a page for everybody, and at the same address an endpoint for the sites of the team. */
export const publicForms: FastifyPluginCallback<ServerDependencies> = (scope, parts, done) => {
  const { now = () => new Date(), documents, masterKey, config } = parts;
  const base = addressOf(config, scope);
  const dependencies: PublicPageDependencies = {
    ...parts,
    now,
    base,
    gate: gateOf(parts),
  };
  const collection = documents.collection(forms.collection);
  const names = documents.collection(teams.collection);
  const nameOf = async (team: string) => (await names.get(team))?.name ?? team;
  const take = takeSubmissions({ ...parts, nameOf });
  const changed = changedWords(parts.store);
  const hosted = hostedForm({
    masterKey,
    take,
    changedWords: changed,
    nameOf,
    sendsMail: config.smtpUrl !== undefined,
  });
  const site = siteForm(take, changed, hosted);

  const formOf = async (request: FastifyRequest): Promise<FormDocument | undefined> => {
    const { team, form } = request.params as { readonly team: string; readonly form: string };
    const isName = slug.safeParse(team).success && slug.safeParse(form).success;
    const found = isName ? await collection.get(formIdOf(team, form)) : undefined;
    // Of a closed team all are closed.
    const isClosed = found && (await names.get(team))?.closed_at !== undefined;
    return isClosed ? { ...found, status: 'closed' } : found;
  };

  /** Before the body is read: who may not send need not. */
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!dependencies.gate.open) await dependencies.gate.pass();
    const form = await formOf(request);
    const by = senderOf(request, base());
    request.sent = { form, by };
    if (by === 'page') return;
    if (!form) throw formProblem('not_found', 'There is no form at this address.');
    refuseOtherSites(form, request, reply);
    if (form.status === 'closed' && by === 'script')
      throw formProblem('form_closed', 'The form is closed. It takes no more answers.');
  };

  takeForms(scope, {
    limit: bodyBytes,
    otherType: () =>
      formProblem(
        'unsupported_media_type',
        `Send the form as application/json or ${formType}. Files cannot be sent.`,
      ),
  });
  takeJson(scope);
  useCookies(scope);
  scope.decorateRequest('sent', undefined);
  scope.setErrorHandler((error, request, reply) =>
    (request.sent ? request.sent.by === 'script' : !acceptsPages(request))
      ? sendProblem(problemAndLog(error, request), reply)
      : sendFault(error, request, reply, dependencies, missingFormView),
  );

  scope.get(path, {
    schema: { hide: true },
    compress: false,
    handler: answering(dependencies, async (context) => hosted.get(await formOf(context.request), context)),
  });
  scope.post(path, {
    compress: false,
    bodyLimit: bodyBytes,
    onRequest: admit,
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Forms'],
      summary: 'Send a form from the site of a team',
      description:
        'The answers by the keys of the fields, from a page of an origin that the form names. Answers to a script are JSON. A form without a script is sent as application/x-www-form-urlencoded, and the browser then shows a page of ours. Send an Idempotency-Key to send again safely. No key is needed.',
      params: z.object({ team: slug, form: slug }),
      body: z
        .record(z.string(), z.unknown())
        .describe('For example {"name": "Ana", "email": "ana@example.org"}.'),
      response: {
        201: z.object({ id: z.uuid(), message: z.string().describe('The thanks of the team.') }),
        ...problemResponses(400, 403, 404, 409, 410, 413, 415, 422, 429, 503),
      },
    },
    handler: async (request, reply) => {
      const { form, by = 'page' } = request.sent ?? {};
      // The page says that a form is closed, or that there is none, wherever it was sent from.
      if (!form || form.status === 'closed' || by === 'page')
        return answering(dependencies, (context) => hosted.post(form, context))(request, reply);
      if (by === 'site')
        return answering(dependencies, (context) => site.page(form, context))(request, reply);
      const [context] = contextOf(request, dependencies);
      return reply.code(201).send(await site.json(form, context));
    },
  });
  scope.options(path, {
    schema: { hide: true },
    handler: async (request, reply) => {
      const form = await formOf(request);
      if (!form) throw formProblem('not_found', 'There is no form at this address.');
      refuseOtherSites(form, request, reply);
      return reply.code(204).headers(preflightHeaders).send();
    },
  });
  done();
};

/** Who sends, as the headers tell. A script sends JSON, or asks for something else than a page. */
function senderOf(request: FastifyRequest, base: string): Sent['by'] {
  if (isJson(request)) return 'script';
  if (isFromOurPages(request.headers, base)) return 'page';
  return acceptsPages(request) ? 'site' : 'script';
}

const acceptsPages = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  /\btext\/html\b/i.test(accept);

/** Lets a site of the team read the answer, and refuses every other. @throws Problem */
function refuseOtherSites(
  { definition }: FormDocument,
  { headers }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { origin } = headers;
  if (origin === undefined || !definition.allowed_origins.includes(origin)) {
    throw formProblem(
      'origin_not_allowed',
      'The form may be sent from its own page, and from the sites that its team has named. The Origin header names none of them.',
    );
  }
  allowOrigin(reply, origin);
}

/** What a page says of errors before the form was read. */
function missingFormView({ status }: Problem, { form }: Texts) {
  if (status === 413) return { title: form.largeTitle, content: html`<p>${form.problems.tooLarge}</p>` };
  if (status === 415) return { title: form.filesTitle, content: html`<p>${form.files}</p>` };
  if (status === 403) return { title: form.elsewhereTitle, content: html`<p>${form.elsewhere}</p>` };
  return undefined;
}
