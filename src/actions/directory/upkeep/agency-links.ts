import type { MasterKey } from '../../../ground/master-key.ts';
import { SealedValue } from '../../../ground/seal.ts';

/** Which contact a private link is about. It is worth one contact of one team. */
export interface AgencyLink {
  readonly contact: string;
}

export const linkDays = 60;

/** The link to the page on which a contact answers. Nothing in it can be read. */
export const agencyLinks = (masterKey: MasterKey) =>
  new SealedValue<AgencyLink>(masterKey, 'agency-link', linkDays * 86_400);

/** The link that ends the mails works for as long as somebody may keep a mail. */
export const agencyStopLinks = (masterKey: MasterKey) =>
  new SealedValue<AgencyLink>(masterKey, 'agency-stop', 20 * 365 * 86_400);
