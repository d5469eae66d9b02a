/**
 * Begins a new log where the one that was signed cannot be continued: after a restore to behind what it had signed, or may
 * have, and where an operator replaces it. The old name never signs again, so no size that it gave out gets another tree.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { recordOfInstallation, type InstallationParts } from '../../commands/installation-record.ts';
import { actor } from '../../events/metadata.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { ensureLogKey, renameLogKey } from './format/log-key.ts';
import { forgetSealed, sealNewest } from './sealed-tree.ts';
import { Signer } from './signer.ts';

/** Entries of the vault that say which log ends and which begins, until an event does. The name goes on with a random id. */
const entries = 'proof-log/new/';

const plan = z.strictObject({
  actor,
  /** Of the log that ends: how many ended before it. */
  number: z.int().nonnegative(),
  ended: z.strictObject({
    origin: z.string(),
    vkey: z.string(),
    earlier: z.array(z.string()).readonly().optional(),
    size: z.int().nonnegative(),
    root: z.base64(),
    checkpoint: z.string().optional(),
    endedAt: z.iso.datetime(),
    reason: z.enum(['restored', 'replaced']),
    successor: z.string(),
  }),
});
export type NewLogPlan = z.output<typeof plan>;

type PlanVault = Pick<Vault, 'names' | 'get' | 'put' | 'putIfAbsent' | 'delete'>;

export interface NewLogParts {
  readonly store: EventStore;
  readonly proofLog: ProofLog;
  readonly vault: PlanVault;
}

/** What a plan adds to the name of the first log. */
const addition = /\/\d{8}-[0-9a-f]{8}$/;

/**
 * A name that no log has had: that of the first one, the day, and a random part. A number would repeat where the same
 * backup is restored twice.
 */
export const newLogName = (former: string, at: Date, random = randomBytes(4)): string =>
  `${former.replace(addition, '')}/${at.toISOString().slice(0, 10).replaceAll('-', '')}-${random.toString('hex')}`;

/** Says in the vault what is to happen. From then on whoever signs completes it first. */
export async function planNewLog(vault: PlanVault, what: NewLogPlan): Promise<void> {
  await vault.put(entries + randomUUID(), Buffer.from(JSON.stringify(what)));
}

async function* plansIn(vault: PlanVault) {
  for (const name of await vault.names(entries)) {
    const secret = await vault.get(name);
    if (secret) yield { name, ...plan.parse(JSON.parse(Buffer.from(secret).toString())) };
  }
}

/**
 * Ends logs and names their successors as planned. Whoever is killed at any point leaves it to the next one. `epoch`: of the
 * lease of the signer.
 */
export async function switchToNewLogs(
  { proofLog, vault }: Omit<NewLogParts, 'store'>,
  epoch: number,
): Promise<void> {
  for await (const { number, ended } of plansIn(vault)) {
    const before = await proofLog.ended();
    // Another one has ended since, or in its place; only the event is missing.
    if (before.length > number + 1 || (before[number]?.successor ?? ended.successor) !== ended.successor)
      continue;
    await proofLog.end(ended, { number, epoch });
    const key = await ensureLogKey(vault, ended.successor);
    if (key.name === ended.successor) continue;
    // Before the key has the new name, by which it is told that all is done.
    await forgetSealed(vault);
    await renameLogKey(vault, ended.successor);
  }
}

/** Signs all events under the new name. Nothing is done where that log has signed already. */
export async function signFirst(
  parts: NewLogParts,
  { epoch, now }: { readonly epoch: number; readonly now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const { store, proofLog, vault } = parts;
  const ended = await proofLog.ended();
  const successor = ended.at(-1)?.successor;
  if (successor === undefined || (await proofLog.newest()) !== undefined) return;
  const key = await ensureLogKey(vault, successor);
  const log = proofLog.log(ended.length);
  const signer = await Signer.open({ store, proofLog: log, key, epoch }, signal);
  await signer.grow(now, signal);
  signal?.throwIfAborted();
  await signer.sign(now());
  await sealNewest({ vault, proofLog });
}

/** Records new logs that are not in the log of events yet, each once, under the id of its plan. */
export async function recordNewLogs(
  parts: InstallationParts & { readonly vault: PlanVault },
  at: Date,
): Promise<void> {
  const { vault } = parts;
  for await (const { name, ended, actor: by } of plansIn(vault)) {
    await recordOfInstallation(
      parts,
      { kind: 'proof-log-begun', ended },
      { actor: by, commandId: name.slice(entries.length), at },
    );
    await vault.delete(name);
  }
}
