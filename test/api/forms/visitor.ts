import type { LightMyRequestResponse } from 'fastify';
import { openSubmissions, type SubmissionParts } from '../../../src/commands/forms-submissions.ts';
import { commandForm, publishForm, formIdOf } from '../../../src/commands/forms.ts';
import type { FormDefinition } from '../../../src/events/forms/definition.ts';
import { formSubmissions } from '../../../src/projections/forms.ts';
import { untilShown } from '../../../src/projections/until-shown.ts';
import { cookieOf, fieldsIn } from '../../support/posted-form.ts';
import { context, type RunningSystem } from '../harness.ts';

export type Values = Readonly<Record<string, string | readonly string[]>>;

/** Names and values as a browser posts them. */
export function urlEncoded(values: Values): string {
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    for (const each of typeof value === 'string' ? [value] : value) form.append(name, each);
  return form.toString();
}

export const formUrl = (slug: string, team = 'harbour'): string => `/f/${team}/${slug}`;

export async function publish(
  system: RunningSystem,
  slug: string,
  definition: FormDefinition,
  team = 'harbour',
) {
  const { store, documents } = system.system;
  await untilShown(documents, await publishForm(store, { team, slug }, definition, context()));
}

export async function command(
  system: RunningSystem,
  slug: string,
  asked: Parameters<typeof commandForm>[2],
  team = 'harbour',
) {
  const { store, documents } = system.system;
  await untilShown(documents, await commandForm(store, { team, slug }, asked, context()));
}

/** The answers that a form has taken, the oldest first. */
export async function answersTo(system: RunningSystem, slug: string, team = 'harbour') {
  await system.caughtUp();
  const parts: SubmissionParts = system.system;
  const docs = await system.system.documents.collection(formSubmissions.collection).page({
    where: { form: formIdOf(team, slug) },
    orderBy: ['submitted_at', 'submission'],
    limit: 1_000,
  });
  return openSubmissions(parts.personal, docs);
}

let networks = 0;
/** Each visitor is a network of its own, in a wide network of its own, unless one is named. */
export const newNetwork = (): string => `${20 + (++networks % 200)}.${Math.floor(networks / 200)}.7.9`;

export interface Visitor {
  readonly opened: LightMyRequestResponse;
  readonly send: (
    values: Values,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<LightMyRequestResponse>;
}

/** Somebody who opens the page of a form, and what they send from it. */
export async function visitor(
  system: RunningSystem,
  url: string,
  { from = newNetwork(), language = 'en' }: { readonly from?: string; readonly language?: string } = {},
): Promise<Visitor> {
  const common = { remoteAddress: from };
  const headers = { 'accept-language': language, accept: 'text/html,*/*' };
  const opened = await system.server.inject({ ...common, url, headers });
  const { 'form-token': token = '', 'form-version': version = '' } = fieldsIn(opened.body);
  return {
    opened,
    send: (values, more = {}) =>
      system.server.inject({
        ...common,
        method: 'POST',
        url,
        headers: {
          ...headers,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          cookie: cookieOf(opened),
          ...more,
        },
        payload: urlEncoded({ 'form-token': token, 'form-version': version, ...values }),
      }),
  };
}
