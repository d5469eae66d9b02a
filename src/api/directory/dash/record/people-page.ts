import { erasePerson } from '../../../../actions/directory/records.ts';
import { peopleOfResource } from '../../../../commands/directory/resource.ts';
import type { OpenedPerson } from '../../../../commands/directory/sealed-people.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { teamForm, type Again } from '../../../pages/action-form.ts';
import { notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { empty } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashRecordPath, peoplePath } from '../dash-paths.ts';
import { nameOf } from '../record-as-seen.ts';
import { svcIdIn, teamRecord } from '../team-records.ts';
import { en } from '../texts.ts';

const { records: texts } = en;

/** The persons whom a record names or has named, and their erasure. */
export const recordPeoplePage = teamForm({
  path: peoplePath(':svcId'),
  action: erasePerson,
  get: peopleView,
  also: (pageContext) => ({ svc_id: svcIdIn(pageContext), id: pageContext.form.get('person') ?? '' }),
  view: peopleView,
  done: (pageContext, { record }) => redirectDone(peoplePath(record.svc_id), pageContext, 'erasedPerson'),
});

async function peopleView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { team } = pageContext.team;
  const doc = await teamRecord(dependencies.documents, team, svcIdIn(pageContext));
  const people = await peopleOfResource(dependencies, doc.svc_id, { asTeam: team });
  return {
    title: texts.peopleTitle(nameOf(doc)),
    content: html`${again?.refused ? notice(again.refused.message, 'wrong') : ''}
      ${doneNotice(pageContext, texts.done)}
      <p class="lead">${texts.peopleLead}</p>
      ${people.length === 0 ? empty(texts.nobody) : peopleTable(people, doc.svc_id, pageContext)}
      <p><a href="${ofTeam(dashRecordPath(doc.svc_id), team)}">${texts.back}</a></p>`,
  };
}

const peopleTable = (
  people: readonly OpenedPerson[],
  svcId: string,
  { team, formToken }: TeamPageContext,
): Html =>
  html`<section class="card">
    ${table({
      caption: texts.people,
      columns: [
        { label: texts.peopleColumns.person },
        { label: texts.peopleColumns.field },
        { label: texts.peopleColumns.state },
        { label: '' },
      ],
      rows: people.map((each) => [
        personText(each),
        en.fields[each.field],
        texts.states[each.standing],
        each.standing === 'erased'
          ? ''
          : ask({
              label: texts.erase,
              of: personText(each),
              sentence: texts.eraseSentence,
              action: ofTeam(peoplePath(svcId), team.team),
              token: formToken,
              values: { team: team.team, person: each.person },
            }),
      ]),
    })}
  </section>`;

function personText({ said }: OpenedPerson): string {
  if (said === undefined) return texts.erased;
  if (typeof said === 'string') return said;
  const { name, title, department, email } = said;
  return [name, title, department, email].filter((part) => part !== undefined).join(', ');
}
