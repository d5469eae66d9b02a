import { z } from 'zod';
import { kindOfStream, subjectIn, subjectKinds, type SubjectKind } from '../events/audit-subjects.ts';
import { eventTypes } from '../events/catalogue.ts';
import { clientId, sessionId } from '../events/oauth/values.ts';
import { orgId } from '../events/directory/organization.ts';
import { svcId } from '../events/directory/resource.ts';
import { slug } from '../events/define.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { suggestions } from '../ground/suggestions.ts';

const uuid = z.uuid({ message: 'must be a UUID' });

/** What the ids of each kind of subject look like, so that an id of another kind is not searched for in vain. */
const idsOf: Readonly<Record<SubjectKind, z.ZodType>> = {
  installation: uuid,
  person: uuid,
  address: z.string().regex(/^[0-9a-f]{64}$/, { message: 'must be the keyed hash of an address' }),
  session: sessionId,
  team: slug,
  invitation: uuid,
  client: clientId,
  grant: uuid,
  'signing-key': z.string().regex(/^[\w-]{1,200}$/, { message: 'must be the id of a signing key' }),
  key: z.string().regex(/^[0-9A-Za-z]{12}$/, { message: 'must be the 12 characters that name a key' }),
  resource: svcId,
  import: uuid,
  bulk: uuid,
  organization: orgId,
  contact: uuid,
  report: uuid,
  suggestion: uuid,
  form: uuid,
  submission: uuid,
  payment: uuid,
  subscription: uuid,
  delivery: uuid,
  'read-model': z.string().regex(/^[a-z0-9-]{1,100}$/, { message: 'must be the name of a read model' }),
};

const subject = z
  .string()
  .max(500)
  .superRefine((text, context) => {
    const found = subjectIn(text);
    if (!found) {
      const kinds = subjectKinds.join(', ');
      context.addIssue({
        code: 'custom',
        message: `must be a kind and an id, such as person:4b1c…; kinds are ${kinds}`,
      });
      return;
    }
    const read = idsOf[found.kind].safeParse(found.id);
    const [issue] = read.error?.issues ?? [];
    if (issue)
      context.addIssue({ code: 'custom', message: `names no ${found.kind}: its id ${issue.message}` });
  });

/** The ids of actors by their kinds. */
const actorIds: Readonly<Record<string, z.ZodType>> = {
  user: uuid,
  key: idsOf.key,
  client: clientId,
  system: z.string().regex(/^[a-z-]{1,60}$/, { message: 'must be a part of the service, such as cli' }),
};

const actor = z
  .string()
  .max(500)
  .superRefine((text, context) => {
    const [, kind = '', id = ''] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
    const read = actorIds[kind]?.safeParse(id);
    if (!read)
      context.addIssue({
        code: 'custom',
        message: 'must be user, key, client or system and an id, such as user:4b1c… or system:cli',
      });
    else if (!read.success)
      context.addIssue({
        code: 'custom',
        message: `names no ${kind}: its id ${read.error.issues[0]?.message ?? ''}`,
      });
  });

const type = z
  .string()
  .max(100)
  .superRefine((text, context) => {
    if (eventTypes.includes(text)) return;
    const near = suggestions(text, eventTypes);
    const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '; docs/events.md lists them all';
    context.addIssue({ code: 'custom', message: `is no event type${hint}` });
  });

const stream = z
  .string()
  .max(500)
  .refine((name) => kindOfStream(name) !== undefined, {
    message: 'is no stream, such as team-harbor; docs/events.md lists the kinds of streams',
  });

const time = z.iso
  .datetime({ message: 'must be a time in UTC, such as 2026-01-31T00:00:00Z' })
  .transform((text) => new Date(text));
const position = z
  .string()
  .regex(/^\d{1,16}$/, { message: 'must be a position of the log, a number' })
  .transform(Number)
  .refine(Number.isSafeInteger, { message: 'is beyond every log' });

/** What is asked of the audit log. Conditions that are given must all be met. */
const conditions = z
  .strictObject({
    actor: actor.describe(
      'What this actor did, or what was done for this person: user:{id}, key:{id}, client:{id} or system:{name}.',
    ),
    subject: subject.describe('Events about this: person:{id}, key:{id}, resource:{svc_id} and others.'),
    stream: stream.describe('Events of this stream.'),
    type: type.describe('Events of this type.'),
    correlation: z
      .uuid({ message: 'must be the correlation id of a request, a UUID' })
      .describe('Events of one request, with all its effects.'),
    from: time.describe('Events at this time or later.'),
    until: time.describe('Events before this time.'),
    after: position.describe('Events after this position of the log.'),
    before: position.describe('Events before this position of the log.'),
  })
  .partial();
export type AuditConditions = z.output<typeof conditions>;

/** The texts of the conditions, as they were given. */
export type ConditionTexts = Readonly<Partial<Record<keyof AuditConditions, string>>>;
export const conditionNames = Object.keys(conditions.shape) as readonly (keyof AuditConditions)[];
/** The conditions as parameters of a request, for its description. */
export const conditionParameters = z.strictObject(
  Object.fromEntries(
    Object.entries(conditions.shape).map(([name, schema]) => [
      name,
      z
        .string()
        .optional()
        .describe(schema.description ?? ''),
    ]),
  ),
);

/** A question that cannot be answered. The message is a sentence that begins with the name of the parameter. */
export class BadQuestion extends CommandRefused {
  constructor(message: string) {
    super('invalid', message);
    this.name = 'BadQuestion';
  }
}

/** Clocks of several machines differ. A time that is later by less is not refused. */
const clocksDifferByMs = 5 * 60_000;

/** @throws BadQuestion */
export function readConditions(texts: ConditionTexts, now: Date): AuditConditions {
  const { success, data, error } = conditions.safeParse(texts);
  if (!success) {
    const [issue] = error.issues;
    const name = issue?.code === 'unrecognized_keys' ? issue.keys[0] : issue?.path[0];
    throw new BadQuestion(`${String(name)} ${issue?.message ?? 'is not valid'}.`);
  }
  for (const name of ['from', 'until'] as const) {
    const at = data[name];
    if (at && at.getTime() > now.getTime() + clocksDifferByMs)
      throw new BadQuestion(`${name} is in the future: it is ${now.toISOString()} now.`);
  }
  if (data.from && data.until && data.from >= data.until)
    throw new BadQuestion('until must be later than from: no event can be in between.');
  if (data.after !== undefined && data.before !== undefined && data.after + 1 >= data.before)
    throw new BadQuestion('before must be higher than after: no event can be in between.');
  return data;
}
