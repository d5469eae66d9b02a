import { openRequest } from '../../dispatch/operations/test-receiver.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamView } from '../pages/action-form.ts';
import { assets } from '../pages/assets/assets.ts';
import { field } from '../pages/controls.ts';
import { html } from '../pages/html.ts';
import type { TeamPageContext, View } from '../pages/page-context.ts';
import { guides } from '../pages/paths.ts';
import { requestInQuery, webhookPaths } from './addresses.ts';
import { headerLines, webhooksTabs } from './webhook-parts.ts';
import { en } from './texts.ts';

/** Why a signature fails: checked by a script in the page. Nothing that is pasted can be sent. */
export const signaturePage = teamView('change webhooks', webhookPaths.signature, signatureView);

/** With what the test receiver has of a request, where the address names one. */
async function signatureView(
  dependencies: PageDependencies,
  { team: { team }, query }: TeamPageContext,
): Promise<View> {
  const named = query.get(requestInQuery);
  const request = named === null ? undefined : await openRequest(dependencies, team, named);
  const { headers = {}, body = '' } = request?.content ?? {};
  return {
    title: en.signature.title,
    script: assets.signature,
    content: html`<p class="lead">${en.signature.lead}</p>
      ${webhooksTabs(team, webhookPaths.signature)}
      <noscript
        ><div class="notice wrong"><p>${en.signature.noScript}</p></div></noscript
      >
      <div class="notice wrong" data-insecure hidden><p>${en.signature.insecure}</p></div>
      <section class="card" data-signature hidden>
        <h2>${en.signature.heading}</h2>
        ${field({ name: 'signed-headers', label: en.received.headers, type: 'lines', value: headerLines(headers), hint: en.signature.headersHint })}
        ${field({ name: 'signed-body', label: en.received.body, type: 'lines', value: body, hint: en.signature.bodyHint })}
        ${field({ name: 'signed-secret', label: en.secret.label, hint: en.signature.secretHint, autocomplete: 'off' })}
        ${field({ name: 'signed-other', label: en.signature.other, hint: en.signature.otherHint, autocomplete: 'off', optional: true })}
        <div class="choices"><button type="button" class="primary">${en.signature.check}</button></div>
        <div role="status"></div>
      </section>
      <p><a href="${guides.webhooks}#when-a-signature-fails">${en.signature.guide}</a></p>`,
  };
}
