import {
  ownSubmissions,
  type OwnSubmissionDocument,
} from '../../../projections/directory/own-submissions.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { teamView } from '../../pages/action-form.ts';
import { time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { keysetPage } from '../../pages/keyset.ts';
import type { SignedInPageContext } from '../../pages/page-context.ts';
import { empty } from '../../pages/parts/list-controls.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { dashRecordPath, newRecordPath, ownSubmissionsPath, sendAgainPath } from './dash-paths.ts';
import { written } from '../../pages/parts/facts.ts';
import { statusBadge } from './record-as-seen.ts';
import { en } from './texts.ts';

const { own: texts } = en;

/** So many are shown where they are not the page itself. */
const mostAtHome = 5;

/** What the person has submitted to the team, with what became of it: the newest decision first. */
export const ownSubmissionsPageOf = teamView(
  'submit records',
  ownSubmissionsPath,
  async ({ documents }, pageContext) => {
    const { team, query } = pageContext;
    const { docs, further } = await keysetPage(documents.collection(ownSubmissions.collection), {
      ...ofPerson(pageContext, team.team),
      query,
      here: (also) => ofTeam(ownSubmissionsPath, team.team, also),
    });
    return {
      title: texts.title,
      content: html`<p class="lead">${texts.lead}</p>
        ${
          docs.length === 0
            ? empty(texts.none, html`<a href="${ofTeam(newRecordPath, team.team)}">${en.form.newTitle}</a>`)
            : html`<section class="card">${submissionsTable(docs)}</section>`
        }
        ${further}`,
    };
  },
);

/** The same for the first page of a person, who has submitted something. */
export async function ownSubmissionsSection(
  { documents }: PageDependencies,
  pageContext: SignedInPageContext,
  team: string,
): Promise<Html | ''> {
  const docs = await documents
    .collection(ownSubmissions.collection)
    .page({ ...ofPerson(pageContext, team), limit: mostAtHome });
  if (docs.length === 0) return '';
  return html`<section class="card" aria-labelledby="submitted">
    <h2 id="submitted">${texts.title}</h2>
    ${submissionsTable(docs)}
    <p><a href="${ofTeam(ownSubmissionsPath, team)}">${texts.all}</a></p>
  </section>`;
}

/** What the person has submitted as this record. Undefined: somebody else has, or nobody by hand. */
export async function ownSubmission(
  documents: Documents,
  { currentUser }: SignedInPageContext,
  svcId: string,
): Promise<OwnSubmissionDocument | undefined> {
  const found = await documents.collection(ownSubmissions.collection).get(svcId);
  return found?.user === currentUser.person.user ? found : undefined;
}

/** Whether whoever submitted it can still change it. */
export const maySendAgain = ({ status }: OwnSubmissionDocument): boolean =>
  status === 'submitted' || status === 'rejected';

const ofPerson = ({ currentUser }: SignedInPageContext, team: string) =>
  ({
    where: { team, user: currentUser.person.user },
    orderBy: ['since', 'svc_id'],
    descending: true,
  }) as const;

const submissionsTable = (docs: readonly OwnSubmissionDocument[]): Html =>
  table({
    caption: texts.title,
    columns: [
      { label: texts.columns.record },
      { label: texts.columns.status },
      { label: texts.columns.since },
      { label: '' },
    ],
    rows: docs.map((doc) => [
      html`<a href="${ofTeam(dashRecordPath(doc.svc_id), doc.team)}">${doc.name}</a>`,
      html`${statusBadge(doc.status)} ${doc.note === undefined ? '' : html`<div>${written(doc.note)}</div>`}`,
      time(doc.since, 'minute'),
      maySendAgain(doc)
        ? html`<a href="${ofTeam(sendAgainPath(doc.svc_id), doc.team)}"
            >${doc.status === 'rejected' ? texts.sendAgain : texts.change}<span class="unseen">
              ${doc.name}</span
            ></a
          >`
        : '',
    ]),
  });
