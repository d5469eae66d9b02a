import { changeClient, loadClient } from '../../commands/oauth/client.ts';
import { isTeamClosed } from '../../commands/teams/team.ts';
import { isVerified, proofToken, provableHosts, verifiedDomains } from '../../events/oauth/domains.ts';
import type { Outcome } from '../../commands/command-handler.ts';
import type { ClientEvent } from '../../events/oauth/client.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { paginate } from '../../projections/engine/paginate.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { SideStore, SideTable } from '../../stores/side/port.ts';
import { findProof, type Proof, type ProofOptions } from './domain-proof.ts';

/** What the newest check of a host found. It is no event: only what it changes is one. */
export interface DomainCheck {
  /** ISO 8601 UTC. */
  readonly at: string;
  /** How many checks in a row that came round by themselves have not found the proof. */
  readonly failures: number;
  /**
   * When the next one comes round is counted from here. A check that somebody asks for does not defer it unless the
   * proof was found: otherwise a domain would never lapse for who keeps asking.
   */
  readonly counted_at?: string | undefined;
  /** What was found in its place. Absent: the proof was found. */
  readonly problems?: { readonly file: string; readonly dns: string };
}

export interface DomainParts extends ProofOptions {
  readonly store: EventStore;
  readonly side: SideStore;
}

const tableOf = (side: SideStore): SideTable<DomainCheck> => side.table<DomainCheck>('domain-checks');
const idOf = (client: string, host: string): string => `${client}/${host}`;

/** A proof that is missing on so many checks in a row has lapsed: one failure may be a fault of a minute. */
const failuresUntilLapse = 3;
const dayMs = 24 * 60 * 60_000;
/** What is verified is checked again after so long; after a failure already the next day. */
const againAfterMs = 7 * dayMs;
/** What is no longer checked is forgotten. */
const keptMs = 60 * dayMs;

/** The newest check of a host. Undefined: it was never checked, or long ago. */
export const newestCheck = (
  side: SideStore,
  client: string,
  host: string,
): Promise<DomainCheck | undefined> => tableOf(side).get(idOf(client, host));

/**
 * Looks for the proof of a host, and verifies it when it is there. Whoever asks for a check takes nothing away: only the
 * checks that come round by themselves let a domain lapse.
 * @throws CommandRefused invalid, when no redirect URI has this host
 */
export async function checkDomain(
  parts: DomainParts,
  { client, host }: { readonly client: string; readonly host: string },
  context: CommandContext,
): Promise<{ readonly proof: Proof; readonly outcome?: Outcome<unknown, ClientEvent> }> {
  const proof = await findProof(host, proofToken(client, host), parts);
  const { failures = 0, counted_at } = (await newestCheck(parts.side, client, host)) ?? {};
  await note(parts.side, { client, host }, proof, { at: context.at, failures, counted_at });
  if (proof.by === undefined) return { proof };
  const command = { kind: 'verify-domain', host, by: proof.by, at: context.at } as const;
  return { proof, outcome: await changeClient(parts.store, client, [command], context) };
}

/** Checks every verified host whose check is due, and records which have lapsed. */
export async function checkDueDomains(
  parts: DomainParts & { readonly documents: Documents },
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const all = parts.documents.collection(clients.collection);
  for await (const { client, ...shown } of paginate(all, { orderBy: ['registered_at', 'client'] })) {
    if (await isTeamClosed(parts.store, shown.team)) continue;
    for (const { host, since } of verifiedDomains(shown)) {
      if (signal?.aborted) return;
      const before = await newestCheck(parts.side, client, host);
      if (isDue(before, since, now)) await checkAgain(parts, { client, host }, before?.failures ?? 0, now);
    }
  }
}

function isDue(before: DomainCheck | undefined, since: string, now: Date): boolean {
  const waits = before !== undefined && before.failures > 0 ? dayMs : againAfterMs;
  return now.getTime() - Date.parse(before?.counted_at ?? since) >= waits;
}

async function checkAgain(
  parts: DomainParts,
  { client, host }: { readonly client: string; readonly host: string },
  before: number,
  now: Date,
): Promise<void> {
  const proof = await findProof(host, proofToken(client, host), parts);
  // It may have changed while we waited for the answer.
  const site = await loadClient(parts.store, client);
  if (!site || !provableHosts(site).includes(host) || !isVerified(site, host)) return;
  const failures = proof.by === undefined ? before + 1 : 0;
  await note(parts.side, { client, host }, proof, { at: now, failures, counted_at: now.toISOString() });
  if (proof.by !== undefined || failures < failuresUntilLapse) return;
  const reason = `${proof.file} ${proof.dns}`.slice(0, 500);
  const context: CommandContext = {
    actor: { kind: 'system', id: 'domains' },
    commandId: crypto.randomUUID(),
    at: now,
  };
  await changeClient(parts.store, client, [{ kind: 'lapse-domain', host, reason }], context);
}

async function note(
  side: SideStore,
  { client, host }: { readonly client: string; readonly host: string },
  proof: Proof,
  missing: { readonly at: Date; readonly failures: number; readonly counted_at: string | undefined },
): Promise<void> {
  const at = missing.at.toISOString();
  const check: DomainCheck =
    proof.by === undefined
      ? { ...missing, at, problems: { file: proof.file, dns: proof.dns } }
      : { at, failures: 0, counted_at: at };
  await tableOf(side).put(idOf(client, host), check, new Date(missing.at.getTime() + keptMs));
}
