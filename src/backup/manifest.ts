import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A backup cannot be taken, or it does not fit. The message is a sentence for an operator. */
export class BackupRefused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BackupRefused';
  }
}

/** Raised when a release writes a manifest that an older one would misunderstand. */
export const manifestFormat = 1;
export const manifestName = 'manifest.json';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const manifestSchema = z.object({
  commonweal_backup: z.literal(manifestFormat),
  /** The release that took it. */
  release: z.string(),
  installation: z.uuid(),
  taken_at: z.iso.datetime(),
  log: z.object({
    events: z.int().nonnegative(),
    /** SHA-256 over our events, the same in every store (`LogDigest`). */
    digest: sha256,
    /** The newest event. */
    head: z.object({ id: z.string(), stream: z.string(), revision: z.int() }),
  }),
  /** The newest checkpoint of the proof log, where there is one. */
  proof_log: z.object({ tree_size: z.int().nonnegative(), checkpoint: z.string() }).nullable(),
  files: z.array(
    z.object({
      name: z.string().regex(/^[a-z][a-z0-9.-]*$/),
      bytes: z.int().nonnegative(),
      sha256,
    }),
  ),
  /** Says to whoever finds the folder that one thing is missing in it, on purpose. */
  master_key: z.string(),
});

/** What a backup holds. It is written last: a folder without it is no backup. */
export type Manifest = z.output<typeof manifestSchema>;

export const masterKeySentence =
  'The master key is not in this backup. The vault cannot be opened without it: keep it in another place.';

/** @throws BackupRefused when the folder is no backup, or not one that this release reads */
export function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, manifestName), 'utf8');
  } catch (cause) {
    throw new BackupRefused(
      `${folder} is no whole backup: its ${manifestName} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'unknown'}).`,
      { cause },
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new BackupRefused(
      `${join(folder, manifestName)} is damaged or truncated: it is no JSON. Use another backup.`,
      { cause },
    );
  }
  const { commonweal_backup: format, release } = json as {
    readonly commonweal_backup?: unknown;
    readonly release?: unknown;
  };
  if (typeof format === 'number' && format > manifestFormat) {
    throw new BackupRefused(
      `${folder} was written by a newer release (${String(release)}). Restore it with that release.`,
    );
  }
  const parsed = manifestSchema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BackupRefused(
    `${join(folder, manifestName)} is no manifest of a backup: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}.`,
  );
}

/** SHA-256 of a file in hex. `onBytes`: called with the number of bytes read since the last call. */
export async function sha256Of(path: string, onBytes?: (bytes: number) => void): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk as Buffer);
    onBytes?.((chunk as Buffer).length);
  }
  return hash.digest('hex');
}
