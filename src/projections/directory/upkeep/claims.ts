import { claimStream, type ClaimEnder, type ClaimEvent } from '../../../events/directory/upkeep/claim.ts';
import { streamId } from '../../../events/define.ts';
import type { Actor } from '../../../events/metadata.ts';
import { defined } from '../../../ground/defined.ts';
import { projection } from '../../engine/read-model.ts';

export const claimStatuses = ['begun', 'proven', 'approved', 'refused', 'ended'] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

/** Somebody keeps the records of an organization, or wants to. */
export interface ClaimDocument {
  readonly claim: string;
  readonly team: string;
  /** The organization, or the record, where that names none. */
  readonly subject: string;
  readonly svc_id: string;
  readonly host: string;
  readonly language: string;
  readonly status: ClaimStatus;
  /** 0 while it waits for the team: lists begin with those. */
  readonly rank: 0 | 1;
  readonly data_key: string;
  /** Absent when it is erased. */
  readonly address_sealed?: string;
  readonly link?: string;
  /** When the newest mail about it was decided. Absent: none follows any more. */
  readonly mail_at?: string;
  /** For the newest mail: the id of its event, so that it is put once. */
  readonly mail?: string;
  readonly begun_at: string;
  readonly proven_at?: string;
  readonly settled_at?: string;
  readonly settled_by?: Actor;
  readonly reason?: string;
  readonly ended_by?: ClaimEnder;
  /** Since when nothing has come of it, while its address is sealed: by it the old ones are found. */
  readonly sealed_since?: string;
}

export const claims = projection<ClaimDocument, ClaimEvent>({
  version: 1,
  events: [
    'ClaimBegun',
    'ClaimLinkRenewed',
    'ClaimProven',
    'ClaimApproved',
    'ClaimRefused',
    'ClaimEnded',
    'ClaimErased',
  ],
  collection: {
    name: 'claims',
    fields: ['claim', 'team', 'subject', 'status', 'rank', 'begun_at', 'mail_at', 'sealed_since'],
    indexes: [
      ['team', 'rank', 'begun_at', 'claim'],
      ['team', 'status', 'begun_at', 'claim'],
      ['rank', 'begun_at', 'claim'],
      ['status', 'begun_at', 'claim'],
      ['subject', 'status', 'claim'],
      ['mail_at', 'claim'],
      ['sealed_since', 'claim'],
    ],
  },
  idOf: (event) => streamId(event, claimStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'ClaimBegun')
      return {
        ...event.data,
        status: 'begun',
        rank: 1,
        begun_at: at,
        mail_at: at,
        mail: event.data.link,
        sealed_since: at,
      };
    if (!doc) return undefined;
    const { mail_at: _at, mail: _mail, link: _link, sealed_since: _since, ...quiet } = doc;
    const settled = { ...quiet, rank: 1, settled_at: at, settled_by: actor } as const;
    switch (event.type) {
      case 'ClaimLinkRenewed': {
        const { link, language } = event.data;
        return { ...doc, link, language, mail_at: at, mail: link };
      }
      case 'ClaimProven':
        return { ...quiet, status: 'proven', rank: 0, proven_at: at };
      case 'ClaimApproved': {
        const { link } = event.data;
        return { ...settled, status: 'approved', link, mail_at: at, mail: link };
      }
      case 'ClaimRefused': {
        const mails = doc.proven_at === undefined ? {} : { mail_at: at, mail: 'refused' };
        return { ...settled, status: 'refused', ...mails, sealed_since: at, ...defined(event.data) };
      }
      case 'ClaimEnded': {
        const { address_sealed: _, ...rest } = settled;
        return { ...rest, status: 'ended', ended_by: event.data.by };
      }
      case 'ClaimErased': {
        const { address_sealed: _, ...rest } = quiet;
        return rest;
      }
    }
  },
});

/** Claims in the order of a list: those that wait first, then the oldest first. */
export const claimsQuery = (filter: {
  readonly team?: string | undefined;
  readonly status?: ClaimStatus | undefined;
}) => {
  const where = defined({ team: filter.team, status: filter.status });
  const order = ['begun_at', 'claim'] as const;
  return { where, orderBy: filter.status === undefined ? (['rank', ...order] as const) : order };
};
