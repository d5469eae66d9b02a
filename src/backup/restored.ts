import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordOfInstallation, type InstallationParts } from '../commands/installation-record.ts';
import { actor, type Actor } from '../events/metadata.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Manifest } from './manifest.ts';

/**
 * A restore appends nothing, so that the log is the one of the backup. It leaves this entry in the vault, and the first
 * start afterwards makes an event of it.
 */
const entries = 'restored/';

const stored = z.strictObject({
  actor,
  restored_at: z.iso.datetime(),
  backup: z.strictObject({ taken_at: z.iso.datetime(), events: z.int(), digest: z.string() }),
});

/** Leaves the entry in the vault that is restored. */
export async function markRestored(
  vault: Pick<Vault, 'put'>,
  { taken_at, log }: Manifest,
  by: { readonly actor: Actor; readonly at: Date },
): Promise<void> {
  const mark: z.output<typeof stored> = {
    actor: by.actor,
    restored_at: by.at.toISOString(),
    backup: { taken_at, events: log.events, digest: log.digest },
  };
  await vault.put(entries + randomUUID(), Buffer.from(JSON.stringify(mark)));
}

/**
 * Records restores that are not in the log yet. The command id is the one of the entry, which goes last: whoever is
 * stopped in between, or does it at the same time, records it once.
 */
export async function recordRestores(
  parts: InstallationParts & { readonly vault: Pick<Vault, 'names' | 'get' | 'delete'> },
  at: Date,
): Promise<void> {
  const { vault } = parts;
  for (const name of await vault.names(entries)) {
    const secret = await vault.get(name);
    if (!secret) continue;
    const mark = stored.parse(JSON.parse(Buffer.from(secret).toString()));
    await recordOfInstallation(
      parts,
      { kind: 'backup-restored', backup: mark.backup, restoredAt: mark.restored_at },
      { actor: mark.actor, commandId: name.slice(entries.length), at },
    );
    await vault.delete(name);
  }
}
