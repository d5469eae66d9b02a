import type { MasterKey } from '../../ground/master-key.ts';
import { SealedValue } from '../../ground/seal.ts';

/** Which address of which form a link in a mail is about. */
export interface OfficeLink {
  readonly team: string;
  readonly slug: string;
  readonly office: string;
}

export const weekSeconds = 7 * 86_400;
/** A link that stops mails works for as long as somebody may keep the mail. */
const yearsSeconds = 20 * 365 * 86_400;

export const confirmLinks = (masterKey: MasterKey) =>
  new SealedValue<OfficeLink>(masterKey, 'form-office-confirm', weekSeconds);
export const stopLinks = (masterKey: MasterKey) =>
  new SealedValue<OfficeLink>(masterKey, 'form-office-stop', yearsSeconds);

/** The link with which whoever reads a mail stops these mails. */
export const stopLinkOf = (masterKey: MasterKey, about: OfficeLink, at: Date): string =>
  stopLinks(masterKey).seal(about, at);
