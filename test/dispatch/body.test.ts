import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { erasePerson } from '../../src/commands/accounts/erasure.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { commandForm, formIdOf, publishForm } from '../../src/commands/forms.ts';
import { submitForm } from '../../src/commands/forms-submissions.ts';
import { joinTeam } from '../../src/commands/teams/member.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { renderBody, type Body, type BodyInput } from '../../src/dispatch/body.ts';
import type { FreshDelivery } from '../../src/dispatch/context.ts';
import { currentPayloadVersion } from '../../src/dispatch/payload-of-event.ts';
import { scheduleChosen } from '../../src/dispatch/schedule.ts';
import type { FormDefinition } from '../../src/events/forms/definition.ts';
import { payloadSchema } from '../../src/events/webhooks/payload.ts';
import { choosableEvents, type WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { PersonalData } from '../../src/personal/personal-data.ts';
import { beginning, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import { anyForm } from '../support/any-form.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';
import { operator } from './harness.ts';

const deliveryId = '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11';
const occurredAt = '2026-03-01T12:00:00.000Z';

let folder: DataFolder;
let stores: Stores;
beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, operator());
});
afterEach(() => folder.dispose());

async function recorded(type: string): Promise<RecordedEvent> {
  const { events } = await stores.store.readAll({ after: beginning, filter: { types: [type] }, limit: 10 });
  const [event] = events;
  if (!event) throw new Error(`There is no ${type}.`);
  return event;
}

const inputOf = (event: WebhookEvent, rest: Partial<BodyInput>): BodyInput => ({
  event,
  deliveryId,
  occurredAt,
  payloadVersion: currentPayloadVersion,
  ...rest,
});

function rendered(body: Body): Extract<Body, { kind: 'rendered' }> {
  if (body.kind !== 'rendered') throw new Error('The body is erased.');
  return body;
}

async function joined(): Promise<{ userId: string; source: RecordedEvent }> {
  const ana = { email: 'ana@example.org', profile: { name: 'Ana Ruiz' } };
  const { userId } = await registerPerson(stores, ana, operator());
  await joinTeam(stores, { team: 'harbour', user: userId, role: 'reviewer' }, operator());
  return { userId, source: await recorded('MemberJoined') };
}

describe('a body that was rendered when its delivery was scheduled', () => {
  test('is kept for its first attempt, unless it is about a person: that one is opened when it is sent', async () => {
    const fields = { name: 'Pantry', category: 'food' } as const;
    const { state } = await submitResource(stores, { team: 'harbour', fields }, operator());
    await commandResource(stores, state?.svc_id ?? '', { kind: 'approve' }, operator());
    const { source: joining } = await joined();
    const approval = await recorded('ResourceApproved');
    const kept: (string | undefined)[] = [];
    const onScheduled = ({ body }: FreshDelivery) => kept.push(body);
    const of = { ...stores, now: () => new Date(), onScheduled };
    const to = { subscription: crypto.randomUUID(), team: 'harbour' };
    await scheduleChosen(of, to, approval, 'resource.approved');
    await scheduleChosen(of, to, joining, 'member.joined');
    // Scheduled by an earlier call, so not by this one.
    await scheduleChosen(of, to, approval, 'resource.approved');
    expect(kept).toEqual([expect.stringContaining('"name":"Pantry"'), undefined]);
  });
});

describe('the body of member.joined', () => {
  test('tells who joined, and is the same each time, in other processes too', async () => {
    const { userId, source } = await joined();
    const input = inputOf('member.joined', { source });
    const first = rendered(await renderBody(stores, input));
    expect(first.body).toBe(
      `{"event":"member.joined","delivery_id":"${deliveryId}","occurred_at":"${occurredAt}",` +
        `"data":{"id":"${userId}","name":"Ana Ruiz","email":"ana@example.org","role":"reviewer"}}`,
    );
    payloadSchema('member.joined').parse(JSON.parse(first.body));
    const other = folder.open();
    expect(await renderBody({ ...other, personal: new PersonalData(other.vault) }, input)).toEqual(first);
  });

  test('has a digest that nobody can compute from the body alone', async () => {
    const { source } = await joined();
    const { body, digest } = rendered(await renderBody(stores, inputOf('member.joined', { source })));
    expect(digest).toEqual({ body_hmac: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(Object.values(digest)).not.toContain(createHash('sha256').update(body).digest('hex'));
  });

  test('differs in its digest between two people of whom the same is told', async () => {
    const { userId } = await joined();
    const other = { email: 'ana@example.com', profile: { name: 'Ana Ruiz' } };
    const { userId: namesake } = await registerPerson(stores, other, operator());
    const digests = await Promise.all(
      [userId, namesake].map((user) => stores.personal.keyedDigest(`person/${user}`, 'webhook-body', 'x')),
    );
    expect(new Set(digests).size).toBe(2);
  });

  test('is gone when the person is erased', async () => {
    const { userId, source } = await joined();
    await erasePerson(stores, userId, operator());
    expect(await renderBody(stores, inputOf('member.joined', { source }))).toEqual({ kind: 'erased' });
  });
});

describe('the body of form.submitted', () => {
  /** The same field asks for consent to something else in a later version. */
  const asking = (label: string, driving: string): FormDefinition => ({
    ...anyForm(),
    fields: [
      { key: 'agrees', kind: 'checkbox', label: { en: label, es: 'Acepto' }, required: true },
      {
        key: 'help',
        kind: 'choice',
        label: { en: 'Help with', es: 'Ayuda' },
        required: false,
        options: [{ key: 'driving', label: { en: driving, es: 'Conducir' } }],
      },
    ],
  });
  const harbour = { team: 'harbour', slug: 'consent' };
  const words = (label: string, driving: string) => ({
    agrees: { label },
    help: { label: 'Help with', options: { driving } },
  });

  async function submittedAndRevised(): Promise<RecordedEvent> {
    await publishForm(stores.store, harbour, asking('You keep this.', 'Driving'), operator());
    const of = { team: 'harbour', form: formIdOf('harbour', 'consent'), version: 1 };
    await submitForm(stores, of, { agrees: true, help: 'driving' }, operator());
    const definition = asking('You sell this.', 'Stealing');
    await commandForm(stores.store, harbour, { kind: 'revise', definition }, operator());
    return recorded('FormSubmitted');
  }

  test('carries the words that were read, whatever the form says since', async () => {
    const source = await submittedAndRevised();
    const { body } = rendered(await renderBody(stores, inputOf('form.submitted', { source })));
    expect(payloadSchema('form.submitted').parse(JSON.parse(body)).data).toMatchObject({
      answers: { agrees: true, help: 'driving' },
      form_version: 1,
      words: words('You keep this.', 'Driving'),
    });
  });

  test('has in payload version 1 the bytes that were scheduled', async () => {
    const source = await submittedAndRevised();
    const { submission, form, submitted_at } = source.data as Record<string, string>;
    const { body } = rendered(
      await renderBody(stores, { ...inputOf('form.submitted', { source }), payloadVersion: 1 }),
    );
    expect(body).toBe(
      `{"event":"form.submitted","delivery_id":"${deliveryId}","occurred_at":"${occurredAt}",` +
        `"data":{"id":"${submission}","form":"${form}","submitted_at":"${submitted_at}",` +
        '"answers":{"agrees":true,"help":"driving"}}}',
    );
  });
});

test('a body without personal data has its plain SHA-256 as digest', async () => {
  const fields = { name: 'Pantry', category: 'food' } as const;
  const { state } = await submitResource(stores, { team: 'harbour', fields }, operator());
  await commandResource(stores, state?.svc_id ?? '', { kind: 'approve' }, operator());
  const source = await recorded('ResourceApproved');
  const { body, digest } = rendered(await renderBody(stores, inputOf('resource.approved', { source })));
  expect(digest).toEqual({ body_sha256: createHash('sha256').update(body).digest('hex') });
  payloadSchema('resource.approved').parse(JSON.parse(body));
});

test.each(choosableEvents)('a test delivery of %s contains the published example', async (event) => {
  const { body, digest } = rendered(await renderBody(stores, inputOf(event, { test: true })));
  const { data, ...envelope } = payloadSchema(event).parse(JSON.parse(body));
  expect(envelope).toEqual({ event, delivery_id: deliveryId, occurred_at: occurredAt });
  expect(JSON.stringify(data)).toContain('"id"');
  expect(digest).toHaveProperty('body_sha256');
});

test('an event is not reported under the name of another', async () => {
  const { source } = await joined();
  await expect(renderBody(stores, inputOf('resource.approved', { source }))).rejects.toThrow('MemberJoined');
  await expect(renderBody(stores, inputOf('resource.approved', {}))).rejects.toThrow('no event');
});
