import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  importInDetail,
  importList,
  undo,
  type ImportInDetail,
} from '../../../actions/directory/past-imports.ts';
import { oneOf } from '../../../actions/listing.ts';
import { importCounts, undoCounts } from '../../../events/directory/import.ts';
import type { ImportDocument } from '../../../projections/directory/imports.ts';
import { serveTeamDoor, type TeamApiParts } from '../../http/team-door.ts';

export const importsPath = '/dash/api/v1/imports';

const time = z.iso.datetime();

/** An import in lists. */
const entry = z.object({
  id: z.uuid(),
  source: z.string().describe('The id of the source.'),
  status: z.enum(['begun', 'ended', 'undoing', 'undone']).describe('`begun`: it runs, or was cut off.'),
  began_at: time,
  result: z.object(importCounts.shape).nullable().describe('What it changed. Null where it has not ended.'),
  undone_at: time.nullable(),
  undo: z.object(undoCounts.shape).nullable().describe('What undoing it came to.'),
});

/** One import in answers. */
const detail = entry.extend({
  progress: z
    .object({ done: z.int(), total: z.int() })
    .nullable()
    .describe('How far its undoing is. Null when nothing is undone now.'),
  left: z
    .array(z.object({ svc_id: z.string(), name: z.string(), what: z.array(z.string()) }))
    .describe('What undoing left because it was changed since: names of fields, `status` or `record`.'),
});

const showEntry = (doc: ImportDocument): z.output<typeof entry> => ({
  id: doc.import,
  source: doc.source,
  status: doc.status,
  began_at: doc.began_at,
  result: doc.counts ?? null,
  undone_at: doc.undone_at ?? null,
  undo: doc.undo ?? null,
});

const show = ({ undoing, undone, ...doc }: ImportInDetail): z.output<typeof detail> => ({
  ...showEntry(doc),
  progress: undoing ? { done: undoing.done, total: undoing.total } : null,
  left: (undone?.left_records ?? []).map(({ svc_id, name, left }) => ({ svc_id, name, what: [...left] })),
});

/** The imports of one's own directory. They are begun on the pages and at the command line, which ask what a file leaves open. */
export const serveImports = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Imports', (door) => {
    door.list(importsPath, importList, {
      summary: 'List imports',
      description: 'The imports into your own directory, the newest first. Needs directory:manage.',
      answer: entry,
      show: showEntry,
    });
    door.one(`${importsPath}/:id`, importInDetail, {
      summary: 'Read an import',
      description: 'What it changed, and what undoing it came to. Needs directory:manage.',
      answer: detail,
      show,
    });
    door.post(`${importsPath}/:id/undo`, undo, {
      none: importList.none,
      summary: 'Undo an import',
      description:
        'Takes back what it changed, where nobody has changed it since. Webhooks that went out stay sent. The answer comes when it is undone, or after five seconds, and it goes on by itself. Needs directory:manage.',
      answer: detail,
      show: async ({ import: id }) => show(await oneOf(importInDetail, parts, undefined, id)),
    });
  });
