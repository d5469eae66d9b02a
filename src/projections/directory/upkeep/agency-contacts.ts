import {
  agencyContactStream,
  mostAsks,
  type AgencyAnswer,
  type AgencyContactEvent,
  type UnreachableReason,
} from '../../../events/directory/upkeep/agency-contact.ts';
import { streamId } from '../../../events/define.ts';
import { defined } from '../../../ground/defined.ts';
import { projection, type ProjectedEvent } from '../../engine/read-model.ts';

/** What a contact was asked about a record. */
export interface AgencyQuestion {
  /** The times of the newest mails about it since the last answer, oldest first: as many as may go unanswered. */
  readonly mails: readonly string[];
  /** The time of the last one, ISO 8601 UTC. */
  readonly at: string;
  readonly answer?: AgencyAnswer;
  readonly answered_at?: string;
  /** Which answer it is: see `StateOfAnswer`. */
  readonly number?: number;
  /** The mail that it answers, until it is carried out. */
  readonly open?: string;
}

/** A contact that a team asks whether its records are still right. */
export interface AgencyContactDocument {
  readonly contact: string;
  readonly team: string;
  readonly status: 'open' | 'stopped' | 'unreachable' | 'erased';
  readonly unreachable?: UnreachableReason;
  readonly language: string;
  /** Absent where it is erased. */
  readonly address_sealed?: string;
  /** The newest mail, its time, and its records. */
  readonly ask: string;
  readonly mailed_at: string;
  readonly svc_ids: readonly string[];
  /** The time of the newest mail while nothing in it is answered. Absent when it need not be answered. */
  readonly silent_since?: string;
  readonly answered_at?: string;
  /** The time of the newest answer, while one waits to be carried out. */
  readonly open_since?: string;
  readonly questions: Readonly<Record<string, AgencyQuestion>>;
}

/** Questions that are older decide nothing any more, in milliseconds. */
const forgottenMs = 800 * 86_400_000;

/** Mails about a record that are closer together than this ask once and once more. Later ones ask anew. */
const oneQuestionMs = 75 * 86_400_000;

export const agencyContacts = projection<AgencyContactDocument, AgencyContactEvent>({
  version: 2,
  events: [
    'AgencyContactMailed',
    'AgencyContactAnswered',
    'AgencyAnswerWithdrawn',
    'AgencyAnswersApplied',
    'AgencyContactStopped',
    'AgencyContactBounced',
    'AgencyContactErased',
  ],
  collection: {
    name: 'agency-contacts',
    fields: ['contact', 'team', 'status', 'mailed_at', 'answered_at', 'silent_since', 'open_since'],
    indexes: [
      ['team', 'mailed_at', 'contact'],
      ['team', 'answered_at', 'contact'],
      ['team', 'silent_since', 'contact'],
      ['team', 'status', 'contact'],
      ['mailed_at', 'contact'],
      ['open_since', 'contact'],
    ],
  },
  idOf: (event) => streamId(event, agencyContactStream),
  fold(doc, event) {
    if (event.type === 'AgencyContactMailed') return afterMail(doc, event);
    return doc && afterOther(doc, event);
  },
});

type Of<Type extends AgencyContactEvent['type']> = Extract<
  ProjectedEvent<AgencyContactEvent>,
  { type: Type }
>;

function afterMail(
  doc: AgencyContactDocument | undefined,
  { data }: Of<'AgencyContactMailed'>,
): AgencyContactDocument {
  const { contact, team, ask, svc_ids, language, address_sealed, mailed_at } = data;
  const oldest = new Date(Date.parse(mailed_at) - forgottenMs).toISOString();
  const kept = Object.entries(doc?.questions ?? {}).filter(
    ([, { at, answer }]) => at >= oldest || answer === 'not_ours',
  );
  const questions: Record<string, AgencyQuestion> = Object.fromEntries(kept);
  for (const svcId of svc_ids) {
    const { mails = [], at = '', number } = questions[svcId] ?? {};
    const isSecond = Date.parse(mailed_at) - Date.parse(at) < oneQuestionMs;
    const newest = [...(isSecond ? mails : []), mailed_at].slice(-mostAsks);
    questions[svcId] = { mails: newest, at: mailed_at, ...defined({ number }) };
  }
  return {
    contact,
    team,
    status: 'open',
    language,
    address_sealed,
    ask,
    mailed_at,
    svc_ids,
    silent_since: mailed_at,
    ...(doc?.answered_at === undefined ? {} : { answered_at: doc.answered_at }),
    questions,
  };
}

function afterOther(
  doc: AgencyContactDocument,
  event: Exclude<ProjectedEvent<AgencyContactEvent>, { type: 'AgencyContactMailed' }>,
): AgencyContactDocument {
  const { at } = event.metadata;
  const { silent_since: _, ...unsilent } = doc;
  switch (event.type) {
    case 'AgencyContactAnswered': {
      const { svc_id, answer, ask } = event.data;
      const before = doc.questions[svc_id];
      const number = (before?.number ?? 0) + 1;
      const question = { mails: [], at: before?.at ?? at, answer, answered_at: at, number, open: ask };
      const questions = { ...doc.questions, [svc_id]: question };
      return { ...unsilent, answered_at: at, open_since: at, questions };
    }
    case 'AgencyAnswerWithdrawn': {
      const { svc_id } = event.data;
      const before = doc.questions[svc_id];
      // The mail itself stays unanswered.
      const mailed = before?.at ?? at;
      const question = { mails: [mailed], at: mailed, ...defined({ number: before?.number }) };
      return withOpen(doc, { ...doc.questions, [svc_id]: question });
    }
    case 'AgencyAnswersApplied': {
      const questions: Record<string, AgencyQuestion> = { ...doc.questions };
      for (const svcId of event.data.svc_ids) {
        const { open: _open, ...question } = questions[svcId] ?? { mails: [], at };
        questions[svcId] = question;
      }
      return withOpen(doc, questions);
    }
    case 'AgencyContactBounced':
      return { ...unsilent, status: 'unreachable', unreachable: event.data.reason };
    case 'AgencyContactStopped':
    case 'AgencyContactErased': {
      const { address_sealed: _address, ...rest } = unsilent;
      return { ...rest, status: event.type === 'AgencyContactStopped' ? 'stopped' : 'erased' };
    }
  }
}

/** `open_since` stays while an answer waits. */
function withOpen(
  { open_since, ...doc }: AgencyContactDocument,
  questions: AgencyContactDocument['questions'],
): AgencyContactDocument {
  const waits = Object.values(questions).some(({ open }) => open !== undefined);
  return { ...doc, ...(waits && open_since !== undefined ? { open_since } : {}), questions };
}
