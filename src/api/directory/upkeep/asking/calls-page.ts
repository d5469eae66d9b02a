import {
  callList,
  confirmByPhone,
  notReached,
  type CallRow,
} from '../../../../actions/directory/upkeep/calls.ts';
import type { DuePlace } from '../../../../actions/directory/upkeep/asking-plan.ts';
import { decide } from '../../../../actions/directory/records.ts';
import { valueOf } from '../../../../actions/perform.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { performFor } from '../../../pages/action-form.ts';
import { button, form as formOf, hidden, time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { languages } from '../../../pages/frame/language.ts';
import { textsIn } from '../../../pages/frame/texts.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { empty } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { askingPath, callsPath, dashRecordPath, editPath, fromCalls } from '../../dash/dash-paths.ts';
import { wordsOf } from '../../pages/hours-line.ts';
import { callButton } from '../../pages/phones.ts';
import { addressLines } from '../../pages/places.ts';
import { askingTexts } from './asking-texts.ts';

const { calls: texts } = askingTexts;

/** Whom to call: what to say, and the same buttons as those on the page of a contact. */
export const callsPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'review records',
  path: callsPath,
  get: (pageContext) => view(dependencies, pageContext),
  async post(pageContext) {
    const { form } = pageContext;
    const svc_id = form.get('svc_id') ?? '';
    const what = chosen(form, 'what', ['right', 'closed', 'not-reached']);
    if (what === 'right') valueOf(await performFor(dependencies, pageContext, confirmByPhone, { svc_id }));
    if (what === 'not-reached') valueOf(await performFor(dependencies, pageContext, notReached, { svc_id }));
    if (what === 'closed') {
      const input = { svc_id, decision: 'deactivate', reason: texts.closedReason };
      valueOf(await performFor(dependencies, pageContext, decide, input));
    }
    return redirectDone(callsPath, pageContext, what);
  },
});

async function view(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<View> {
  const { team, query } = pageContext;
  const { rows, next } = await callList(
    dependencies,
    team.team,
    placeIn(query.get('after')),
    dependencies.now(),
  );
  return {
    title: texts.title,
    content: html`${doneNotice(pageContext, texts.done)}
      <p class="lead">${texts.lead}</p>
      <p><a href="${ofTeam(askingPath, team.team)}">${texts.toAsking}</a></p>
      ${rows.length === 0 ? empty(texts.none) : rows.map((row) => card(row, pageContext))}
      ${
        next === undefined
          ? ''
          : html`<p>
              <a class="button secondary" href="${ofTeam(callsPath, team.team, { after: next.join(' ') })}"
                >${texts.onward}</a
              >
            </p>`
      }`,
  };
}

/** As `DuePlace` is written in an address. */
function placeIn(text: string | null): DuePlace | undefined {
  const found = /^(\d{4}-\d{2}-\d{2}|) (\d{1,16})$/.exec(text ?? '');
  return found ? [found[1] ?? '', Number(found[2])] : undefined;
}

function card({ record, reason }: CallRow, { team, formToken }: TeamPageContext): Html {
  const { svcId, fields, confirmedOn } = record;
  const { name, organization, locations = [] } = fields;
  const english = textsIn('en');
  const phone = callButton(fields, english.record);
  const shared = { action: ofTeam(callsPath, team.team), token: formToken };
  const values = { team: team.team, svc_id: svcId };
  const press = (what: string, label: string, weight: 'primary' | 'secondary') =>
    formOf({
      ...shared,
      inline: true,
      label: `${label}: ${name}`,
      content: html`${hidden('team', team.team)} ${hidden('svc_id', svcId)} ${hidden('what', what)}
      ${button(label, { weight, of: name })}`,
    });
  return html`<section class="card" aria-labelledby="${svcId}">
    <h2 id="${svcId}"><a href="${ofTeam(dashRecordPath(svcId), team.team)}">${name}</a></h2>
    <p class="quiet">
      ${organization === undefined || organization.name === name ? '' : `${organization.name.replace(/\.$/, '')}. `}${texts.reasons[reason]}
    </p>
    <p>${phone === '' ? texts.noPhone : phone}</p>
    ${facts([
      [texts.confirmed, confirmedOn === '' ? texts.never : time(`${confirmedOn}T00:00:00Z`, 'day')],
      [
        english.agency.address,
        locations.map((place) => addressLines(place).join(', ')).find((line) => line !== ''),
      ],
      [english.agency.hours, wordsOf(fields, english) || undefined],
    ])}
    <details>
      <summary>${texts.script}</summary>
      ${languages.map(
        (language) =>
          html`<p lang="${language}">${textsIn(language).agency.script({ team: team.name, name })}</p>`,
      )}
    </details>
    <div class="choices">
      ${press('right', texts.right, 'primary')}
      <a class="button secondary" href="${ofTeam(editPath(svcId), team.team, fromCalls)}"
        >${texts.change}<span class="unseen"> ${name}</span></a
      >
      ${ask({ ...shared, label: texts.closed, of: name, sentence: texts.closedSentence, values: { ...values, what: 'closed' } })}
      ${press('not-reached', texts.notReached, 'secondary')}
    </div>
  </section>`;
}
