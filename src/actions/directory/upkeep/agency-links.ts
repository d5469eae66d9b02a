import {
  loadAgencyContact,
  type ExistingAgencyContact,
} from '../../../commands/directory/upkeep/agency-contact.ts';
import { findTeam } from '../../../commands/teams/team.ts';
import type { AgencyAnswer } from '../../../events/directory/upkeep/agency-contact.ts';
import type { MasterKey } from '../../../ground/master-key.ts';
import { SealedValue } from '../../../ground/seal.ts';
import type { ActionParts } from '../../action.ts';

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

/** What a private link opens. */
export interface OpenedLink {
  readonly contact: string;
  /** The slug of the team and its name. */
  readonly team: string;
  readonly teamName: string;
  /** The newest mail, and its records. */
  readonly ask: string;
  readonly svcIds: readonly string[];
  /** What was answered to that mail. */
  readonly answers: ReadonlyMap<string, { readonly answer: AgencyAnswer; readonly carriedOut: boolean }>;
}

/**
 * What a link of a mail opens now. `stop`: the link that ends the mails. Undefined: it was not sealed here, it has expired, or
 * the contact has ended the mails or was erased, or its team is closed.
 */
export async function openedLink(
  { store, masterKey }: Pick<ActionParts, 'store' | 'masterKey'>,
  kind: 'answer' | 'stop',
  link: string,
  at: Date,
): Promise<OpenedLink | undefined> {
  const about = (kind === 'stop' ? agencyStopLinks : agencyLinks)(masterKey).open(link, at);
  const state = about && (await loadAgencyContact(store, about.contact));
  if (!state || state.status === 'stopped' || state.status === 'erased') return undefined;
  const team = await findTeam(store, state.team);
  if (!team || team.closing !== undefined) return undefined;
  const { contact, ask, svcIds } = state;
  return { contact, team: state.team, teamName: team.name, ask, svcIds, answers: answersOf(state) };
}

const answersOf = ({ answers, ask }: ExistingAgencyContact): OpenedLink['answers'] =>
  new Map([...answers].filter(([, each]) => each.ask === ask));
