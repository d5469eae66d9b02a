import { Readable } from 'node:stream';
import { openPeople } from '../../../commands/directory/sealed-people.ts';
import { eachRecord, type Records } from '../../../projections/directory/each-record.ts';
import { inSteps } from '../../../ground/throttle.ts';
import { resources } from '../../../projections/directory/resources.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { html } from '../../pages/html.ts';
import type { Page } from '../../pages/page-context.ts';
import { ofTeam } from '../../pages/paths.ts';
import { withOrganizations } from '../../../actions/directory/with-organizations.ts';
import { textFormats, textOf } from '../../../actions/directory/text-formats.ts';
import { exportPath } from './dash-paths.ts';
import { en } from './texts.ts';

const { exports: texts } = en;

const files = {
  'hsds-json': { ending: 'json', type: 'application/json' },
  csv: { ending: 'csv', type: 'text/csv' },
  geojson: { ending: 'geojson', type: 'application/geo+json' },
} as const;
type Format = keyof typeof files;
const formats = Object.keys(files) as Format[];

/** All records of a team as a file, sent while it is read. */
export function exportPage({ documents, personal }: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'review records',
    path: exportPath,
    get({ team, query }) {
      const format = formats.find((each) => each === query.get('format'));
      if (format === undefined)
        return {
          title: texts.title,
          content: html`<p class="lead">${texts.lead}</p>
            <ul class="card items">
              ${formats.map(
                (each) =>
                  html`<li>
                    <div>
                      <strong>${texts.formats[each].name}</strong>
                      <p class="quiet">${texts.formats[each].about}</p>
                    </div>
                    <a href="${ofTeam(exportPath, team.team, { format: each })}" download
                      >${texts.download}<span class="unseen"> ${texts.formats[each].name}</span></a
                    >
                  </li>`,
              )}
            </ul>
            <p class="quiet small">${texts.people}</p>`,
        };
      const of: Records = {
        team: team.team,
        view: 'stored',
        listed: false,
        open: (sealed) => openPeople(personal, sealed),
      };
      const records = eachRecord(documents.collection(resources.collection), of);
      const { ending, type } = files[format];
      return {
        download: Readable.from(
          textOf(textFormats[format](true), withOrganizations(documents, of, inSteps(records))),
        ),
        filename: `${team.team}-directory.${ending}`,
        type,
      };
    },
  };
}
