import { z } from 'zod';
import { exportFormat } from '../../events/audit.ts';
import { formerLogForm } from '../proof-log/former-log.ts';
import { exportFilter } from './filter.ts';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const file = z.strictObject({ file: z.string(), bytes: z.int().nonnegative(), sha256 });

const place = z.strictObject({
  leaf: z.int().nonnegative().describe('Its leaf in the proof log, from 0.'),
  id: z.string(),
  stream: z.string(),
  revision: z.int().nonnegative(),
  type: z.string(),
  at: z.string(),
});

/** What an export says of itself, in `manifest.json`. It is not signed: the checkpoint in it is. */
export const exportManifest = z.strictObject({
  commonweal_export: z.literal(1).describe('The version of this form.'),
  format: exportFormat,
  installation: z.string(),
  domain: z.string().optional().describe('Of cloudevents-rdns: what the types of its events begin with.'),
  exported_at: z.iso.datetime(),
  filter: exportFilter.describe('Empty: the export is whole.'),
  count: z.int().nonnegative(),
  first: place.nullable(),
  last: place.nullable(),
  events: file,
  leaf_hashes: file.optional().describe('Of a whole export: the hash of each leaf in hex, one a line.'),
  proofs: file.optional().describe('Of a filtered export: the inclusion proof of each event, one a line.'),
  log: z.string().describe('The name of the proof log and of its key.'),
  tree_size: z.int().nonnegative(),
  checkpoint: z.string().describe('The signed note.'),
  vkeys: z
    .array(
      z.strictObject({
        vkey: z.string(),
        from: z.iso.datetime().nullable(),
        until: z.iso.datetime().nullable(),
      }),
    )
    .optional()
    .describe(
      'The keys of the log, newest first, as it says. Nobody should trust an export to tell its key.',
    ),
  former_logs: z
    .array(formerLogForm)
    .optional()
    .describe('The proof logs that ended before this one. Absent where there are none.'),
});
export type ExportManifest = z.output<typeof exportManifest>;

export const manifestFile = 'manifest.json';
export const leafHashesFile = 'leaf-hashes.txt';
export const proofsFile = 'proofs.ndjson';

/** A line of `proofs.ndjson`, for the event on the same line of the events. */
export const exportedProof = z.strictObject({
  id: z.string(),
  leaf: z.int().nonnegative(),
  /** Base64, from the leaf's sibling up. */
  hashes: z.array(z.string()),
});
export type ExportedProof = z.output<typeof exportedProof>;
