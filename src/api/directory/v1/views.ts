import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { removeView, saveView, viewList } from '../../../actions/directory/views.ts';
import { serveTeamDoor, type TeamApiParts } from '../../http/team-door.ts';

export const viewsPath = '/dash/api/v1/views';

const answer = z.object({
  id: z.uuid(),
  name: z.string(),
  query: z.string().describe('Filter, order and columns, as in the address of the table of records.'),
});

/** The saved views of a team's directory. */
export const serveViews = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Saved views', (door) => {
    door.list(viewsPath, viewList, {
      summary: 'List saved views',
      description:
        'The views of its table of records that your team has saved, by name. The filter of one can be that of a bulk action. Needs directory:manage.',
      answer,
      show: ({ view, name, query }) => ({ id: view, name, query }),
    });
    door.post(viewsPath, saveView, {
      summary: 'Save a view',
      description:
        'For everybody in your team. One of the same name is replaced. Parts of the query that mean nothing are not saved, as the answer shows. Needs directory:manage.',
      body: z.strictObject(saveView.input.shape),
      answer,
      show: ({ id, name, query }) => ({ id, name, query }),
      namesNothing: true,
    });
    door.post(`${viewsPath}/:name`, removeView, {
      method: 'DELETE',
      summary: 'Remove a saved view',
      description:
        'By its name. To rename one, save it under the new name and remove the old one. Needs directory:manage.',
      none: viewList.none,
      answer: z.object({ name: z.string() }),
      show: ({ name }) => ({ name }),
    });
  });
