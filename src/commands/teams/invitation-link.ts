import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Vault } from '../../stores/vault/port.ts';
import { decode62, encode62 } from '../base62.ts';

/** The same as for other one-time links, so that no log shows it. */
const prefix = 'lnk_';
const idBytes = 16;
const macBytes = 20;

/**
 * Makes the token of an invitation's link: `lnk_`, then in base 62 the invitation and an HMAC over it and its team. The
 * token is not stored. Whether the invitation can still be used is in the stream of the team.
 */
export async function writeInvitationLink(
  vault: Vault,
  { team, invitation }: { readonly team: string; readonly invitation: string },
): Promise<string> {
  const id = Buffer.from(invitation.replaceAll('-', ''), 'hex');
  return prefix + encode62(Buffer.concat([id, await macOf(vault, team, id)]));
}

/** The invitation of a link to a team. Undefined for a link that is forged, incomplete, or of another team. */
export async function readInvitationLink(
  vault: Vault,
  { team, link }: { readonly team: string; readonly link: string },
): Promise<string | undefined> {
  const bytes = link.startsWith(prefix) ? decode62(link.slice(prefix.length), idBytes + macBytes) : undefined;
  if (!bytes) return undefined;
  const id = Buffer.from(bytes.subarray(0, idBytes));
  if (!timingSafeEqual(await macOf(vault, team, id), bytes.subarray(idBytes))) return undefined;
  return id.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Begins with a word that no other link's HMAC begins with, because they share the key. */
async function macOf(vault: Vault, team: string, id: Buffer): Promise<Buffer> {
  const key = await vault.putIfAbsent('link-key', randomBytes(32));
  return createHmac('sha256', key).update(`invitation ${team} `).update(id).digest().subarray(0, macBytes);
}
