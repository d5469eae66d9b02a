import { z } from 'zod';
import { answerAsOf, asOfQuestions, type AsOfQuestion } from '../audit/as-of/ask.ts';
import type { Moment, Moments } from '../audit/as-of/moment.ts';
import type { PersonalKind } from '../audit/as-of/reader.ts';
import { slug, text } from '../events/define.ts';
import { clientId } from '../events/oauth/values.ts';
import { defined } from '../ground/defined.ts';
import { action, type ActionParts, type Who } from './action.ts';
import { readsAudit, recordReading } from './audit-log.ts';

/** What narrows a question down, or is needed for it. */
export const asOfConditions = {
  stream: text(500).min(1),
  team: slug.describe('Of which team. A team’s key may leave it out: it asks about its own.'),
  person: z.uuid({ error: 'must be the id of a person' }),
  client: clientId,
  status: z.enum(['submitted', 'approved', 'rejected', 'inactive'], {
    error: 'must be submitted, approved, rejected or inactive',
  }),
};

/** Which of them a question has. Others say nothing. */
export const conditionsOf: Readonly<Record<AsOfQuestion, readonly (keyof typeof asOfConditions)[]>> = {
  streams: ['stream'],
  consents: ['person', 'client'],
  tokens: ['person', 'client'],
  keys: ['team'],
  directory: ['team', 'status'],
  members: ['team'],
  subscriptions: ['team'],
};

interface AsOfParts extends ActionParts {
  readonly moments: Moments;
}

/** Answers what was true at a time or at a position of the log. */
export const askAsOf = action({
  name: 'audit.as-of',
  ...readsAudit,
  input: z
    .object({
      question: z.enum(asOfQuestions, { error: `must be one of ${asOfQuestions.join(', ')}` }),
      ...z.object(asOfConditions).partial().shape,
      at: z.string(),
      position: z.string(),
      /** Finds the position and the streams by reading the whole log, and asks neither the table of times nor a read model. */
      scan: z.boolean(),
      /** For a further page of a list: the moment of its first page, so that events since then change nothing. */
      begun: z.custom<Pick<Moment, 'at' | 'laterBefore' | 'countedAll'>>(),
      after: z.string(),
      limit: z.int(),
    })
    .partial()
    .required({ question: true, limit: true }),
  async run(parts: AsOfParts, { question, at, position, scan, begun, after, limit, ...conditions }, by) {
    const { moments, store, personal } = parts;
    const documents = scan ? undefined : parts.documents;
    const { who } = by;
    const team = who.kind === 'person' && who.team !== undefined ? { team: who.team } : {};
    const own = conditionsOf[question].map((name) => [name, { ...conditions, ...team }[name]]);
    const request = { question, ...defined(Object.fromEntries(own) as typeof conditions) };
    const found = await moments.of({ at, position }, { scan: scan ?? false });
    const moment: Moment = { ...found, ...begun };
    const reader = { team: who.team, opens: openedTo(who) };
    const answer = await answerAsOf({ store, personal, documents }, request, moment, reader, {
      after,
      limit,
    });
    const { question: about, ...filter } = request;
    const place = { position: String(moment.position), at: moment.at.toISOString() };
    await recordReading(parts, by, 'as-of', { about, ...filter, ...place }, answer.entries.length);
    return { changes: [], value: () => ({ moment, answer }) };
  },
});

/** What a key may see in clear, by the scope for which the API shows it elsewhere. */
const openedByScope: Readonly<Record<string, PersonalKind>> = {
  'members:read': 'members',
  'directory:manage': 'directory',
  'forms:read': 'forms',
  'payments:write': 'payments',
};

/** What of personal data somebody sees in clear: a person who may read the audit log, what they see elsewhere too. */
export function openedTo(who: Who): ReadonlySet<PersonalKind> {
  if (who.kind === 'operator') return new Set(['accounts', 'members', 'directory', 'forms', 'payments']);
  if (who.kind === 'person') return new Set(Object.values(openedByScope));
  const scopes = who.kind === 'key' ? [...who.scopes] : [];
  return new Set(scopes.flatMap((scope) => openedByScope[scope] ?? []));
}
