import { streamId } from '../events/define.ts';
import type { FormDefinition } from '../events/forms/definition.ts';
import { formStream, readersOfFormerForms, type FormEvent, type FormMails } from '../events/forms/form.ts';
import type { Actor } from '../events/metadata.ts';
import type { MemberRole } from '../events/teams.ts';
import { projection } from './engine/read-model.ts';
import {
  formSubmissionStream,
  type FormSubmissionEvent,
  type SubmissionProgress,
} from '../events/forms/submission.ts';

/** A form of a team, in its newest version. */
export interface FormDocument {
  readonly form: string;
  readonly team: string;
  readonly slug: string;
  readonly status: 'open' | 'closed';
  readonly version: number;
  readonly definition: FormDefinition;
  /** The lowest role that reads the answers. */
  readonly readers: MemberRole;
  readonly published_at: string;
  /** When it was last revised, closed or reopened. */
  readonly changed_at: string;
  /** Absent: nobody gets mails. `since`: answers from before it was chosen are in no mail. */
  readonly mails?: FormMails & { readonly since: string };
  /** The address outside of the team that gets mails about answers once it is confirmed. `since`: when it was. */
  readonly office?: {
    readonly office: string;
    readonly content: boolean;
    readonly since?: string;
  };
  readonly office_address_sealed?: string;
  /** 1 where somebody is told by mail. */
  readonly told?: 1;
  /** After so many days answers are erased by themselves. Absent: never. */
  readonly kept_days?: number;
  /** 1 where answers are erased by themselves. */
  readonly erases?: 1;
}

export const forms = projection<FormDocument, FormEvent>({
  version: 4,
  events: [
    'FormPublished',
    'FormRevised',
    'FormClosed',
    'FormReopened',
    'FormReadersChosen',
    'FormMailsChosen',
    'FormOfficeNamed',
    'FormOfficeConfirmed',
    'FormOfficeRemoved',
    'FormRetentionChosen',
  ],
  collection: {
    name: 'forms',
    fields: ['form', 'team', 'slug', 'status', 'told', 'erases'],
    indexes: [
      ['told', 'form'],
      ['erases', 'form'],
      ['team', 'slug'],
      ['team', 'status', 'slug'],
    ],
  },
  idOf: (event) => streamId(event, formStream),
  fold(doc, event) {
    const { at } = event.metadata;
    if (event.type === 'FormPublished') {
      const { readers = readersOfFormerForms } = event.data;
      return { ...event.data, readers, status: 'open', published_at: at, changed_at: at };
    }
    if (!doc) return undefined;
    switch (event.type) {
      case 'FormRevised':
        return { ...doc, ...event.data, changed_at: at };
      case 'FormReadersChosen':
        return { ...doc, ...event.data };
      case 'FormMailsChosen': {
        const wasMailed = (doc.mails?.members.length ?? 0) > 0;
        const since = event.data.members.length > 0 && wasMailed ? (doc.mails?.since ?? at) : at;
        return withMailFlag({ ...doc, mails: { ...event.data, since } });
      }
      case 'FormOfficeNamed': {
        const { address_sealed, ...office } = event.data;
        return withMailFlag({ ...doc, office, office_address_sealed: address_sealed });
      }
      case 'FormOfficeConfirmed':
        return doc.office ? withMailFlag({ ...doc, office: { ...doc.office, since: at } }) : doc;
      case 'FormOfficeRemoved': {
        const { office: _, office_address_sealed: __, ...rest } = doc;
        return withMailFlag(rest);
      }
      case 'FormRetentionChosen': {
        const { kept_days: _, erases: __, ...rest } = doc;
        const { days } = event.data;
        return days === undefined ? rest : { ...rest, kept_days: days, erases: 1 };
      }
      case 'FormClosed':
        return { ...doc, status: 'closed', changed_at: at };
      case 'FormReopened':
        return { ...doc, status: 'open', changed_at: at };
    }
  },
});

function withMailFlag(doc: FormDocument): FormDocument {
  const { told: _, ...rest } = doc;
  const isMailed = (doc.mails?.members.length ?? 0) > 0 || doc.office?.since !== undefined;
  return isMailed ? { ...rest, told: 1 } : rest;
}

/** A submission of a form, for the members of its team. */
export interface SubmissionDocument {
  readonly submission: string;
  readonly team: string;
  readonly form: string;
  /** The version of the form that was filled in. */
  readonly form_version: number;
  readonly submitted_at: string;
  /** Sealed under the data key of the submission. Absent when it is erased. */
  readonly answers_sealed?: string;
  readonly erased?: true;
  /** 1 while the answers can be read. Absent when they are erased. */
  readonly kept?: 1;
  /** How far the team is with it, since when and by whom. A new one has no person. */
  readonly state: SubmissionProgress;
  readonly state_at?: string;
  readonly state_by?: Actor;
}

/** The order of lists: the oldest first. */
export const submissionOrder = ['submitted_at', 'submission'] as const;

export const formSubmissions = projection<SubmissionDocument, FormSubmissionEvent>({
  version: 2,
  events: ['FormSubmitted', 'FormSubmissionStateChosen', 'FormSubmissionErased'],
  collection: {
    name: 'form-submissions',
    fields: ['submission', 'team', 'form', 'submitted_at', 'state', 'kept'],
    indexes: [
      ['form', ...submissionOrder],
      ['form', 'state', ...submissionOrder],
      ['form', 'kept', ...submissionOrder],
    ],
  },
  idOf: (event) => streamId(event, formSubmissionStream),
  fold(doc, event) {
    if (event.type === 'FormSubmitted') return { ...event.data, state: 'new', kept: 1 };
    if (!doc) return undefined;
    if (event.type === 'FormSubmissionStateChosen') {
      const { at: state_at, actor: state_by } = event.metadata;
      return { ...doc, ...event.data, state_at, state_by };
    }
    const { answers_sealed: _, kept: __, ...rest } = doc;
    return { ...rest, erased: true };
  },
});

/** How many submissions the forms of a team took in one day (UTC). */
export interface DailyCountDocument {
  readonly team: string;
  readonly day: string;
  readonly total: number;
  /** By the id of the form. */
  readonly forms: Readonly<Record<string, number>>;
}

type Submitted = Extract<FormSubmissionEvent, { type: 'FormSubmitted' }>;

/** The day of a time in ISO 8601 UTC. */
export const dayOf = (time: string): string => time.slice(0, 10);

export const dailyCountId = (team: string, day: string): string => `${team}/${day}`;

/** Daily caps are counted by this read model, so that no restart forgets them. */
export const formDailyCounts = projection<DailyCountDocument, Submitted>({
  version: 1,
  events: ['FormSubmitted'],
  collection: { name: 'form-daily-counts', fields: ['team', 'day'], indexes: [['team', 'day']] },
  idOf: ({ data }) => dailyCountId(data.team, dayOf(data.submitted_at)),
  fold(doc, { data: { team, form, submitted_at } }) {
    const { total = 0, forms = {} } = doc ?? {};
    return {
      team,
      day: dayOf(submitted_at),
      total: total + 1,
      forms: { ...forms, [form]: (forms[form] ?? 0) + 1 },
    };
  },
});
