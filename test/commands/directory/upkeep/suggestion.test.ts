import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { load } from '../../../../src/commands/command-handler.ts';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import { mergeRecords } from '../../../../src/commands/directory/merge-records.ts';
import { resource } from '../../../../src/commands/directory/resource-decider.ts';
import type { ResourceInput } from '../../../../src/commands/directory/field-changes.ts';
import {
  acceptSuggestion,
  SuggestionOutdated,
} from '../../../../src/commands/directory/upkeep/accept-suggestion.ts';
import {
  suggestion,
  type SuggestionCommand,
} from '../../../../src/commands/directory/upkeep/suggestion-decider.ts';
import {
  dismissSuggestion,
  eraseSuggestion,
  openSuggestions,
  suggestChange,
  type NewSuggestion,
} from '../../../../src/commands/directory/upkeep/suggestion.ts';
import type { SuggestionEvent } from '../../../../src/events/directory/upkeep/suggestion.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import type { EventStore } from '../../../../src/stores/event-store/port.ts';
import { commandTeam } from '../../../../src/commands/teams/team.ts';
import { altered } from '../../../support/altered.ts';
import { aCommand } from '../../../support/context.ts';
import { given } from '../../../support/decider.ts';
import { dataFolder, type DataFolder, type Stores } from '../../../support/stores.ts';

const data = {
  suggestion: '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01',
  svc_id: svcIdOf(7),
  team: 'harbour',
  by: 'visitor',
  kind: 'change',
  fields: ['phone'],
  suggested: 'c2VhbGVk',
} as const;
const suggested = { type: 'ChangeSuggested', data: { ...data, fields: ['phone'] } } as SuggestionEvent;
const accepted: SuggestionEvent = { type: 'SuggestionAccepted', data: { fields: ['phone'] } };
const dismissed: SuggestionEvent = { type: 'SuggestionDismissed', data: {} };
const erased: SuggestionEvent = { type: 'SuggestionErased', data: {} };
const accept = { kind: 'accept', fields: ['phone'] } as const;
const others: readonly SuggestionCommand[] = [accept, { kind: 'dismiss' }, { kind: 'erase' }];

describe('a suggestion', () => {
  it('is made once', () => {
    given(suggestion)
      .when({ kind: 'suggest', data: { ...data, fields: ['phone'] } })
      .then(suggested);
    given(suggestion, suggested)
      .when({ kind: 'suggest', data: { ...data, fields: ['phone'] } })
      .thenRefused('conflict');
  });

  it('that was never made cannot be settled', () => {
    for (const command of others) given(suggestion).when(command).thenRefused('not_found');
  });

  it('is settled once, and a repeat is no change', () => {
    given(suggestion, suggested).when(accept).then(accepted);
    given(suggestion, suggested).when({ kind: 'dismiss' }).then(dismissed);
    given(suggestion, suggested, accepted).when(accept).thenNothing();
    given(suggestion, suggested, dismissed).when({ kind: 'dismiss' }).thenNothing();
    given(suggestion, suggested, accepted).when({ kind: 'dismiss' }).thenRefused('conflict');
    given(suggestion, suggested, dismissed).when(accept).thenRefused('conflict');
  });

  it('is erased once, settled or not', () => {
    given(suggestion, suggested).when({ kind: 'erase' }).then(erased);
    given(suggestion, suggested, accepted).when({ kind: 'erase' }).then(erased);
    given(suggestion, suggested, erased).when({ kind: 'erase' }).thenNothing();
  });

  it('exists for its own team alone', () => {
    for (const command of others)
      given(suggestion, suggested)
        .when({ ...command, asTeam: 'library' } as SuggestionCommand)
        .thenRefused('not_found');
  });
});

describe('a suggested change of a record', () => {
  let folder: DataFolder;
  let stores: Stores;
  let svcId: string;

  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, aCommand());
    svcId = await aRecord({
      name: 'Harbour Pantry',
      category: 'food',
      hours: 'Mon 9-5',
      description: 'Food for all.',
      phones: [{ number: '305-555-0100', note: 'Ask for food' }, { number: '305-555-0109' }],
      locations: [{ street: '1 Bay Street', city: 'Miami', postal_code: '33101' }, { city: 'Homestead' }],
    });
  });
  afterEach(() => folder.dispose());

  async function aRecord(fields: ResourceInput): Promise<string> {
    const { state } = await submitResource(stores, { team: 'harbour', fields }, aCommand());
    const id = state?.svc_id ?? '';
    await commandResource(stores, id, { kind: 'approve' }, aCommand());
    return id;
  }

  const suggest = async (of: Partial<NewSuggestion> = {}, parts = stores): Promise<string> => {
    const about = { svc_id: svcId, team: 'harbour', by: 'visitor', kind: 'change' } as const;
    const { state } = await suggestChange(
      parts,
      { ...about, suggested: { fields: { phone: '305-555-0199' } }, ...of },
      aCommand(),
    );
    return state?.suggestion ?? '';
  };
  const record = async (id = svcId) => (await load(stores.store, resource, id)).state;
  const eventsOf = async (stream: string) =>
    (await stores.store.readStream(stream)).map(({ type, data, metadata }) => ({ type, data, metadata }));
  const typesOf = async (stream: string) => (await eventsOf(stream)).map(({ type }) => type);

  it('is sealed, names the fields alone in clear, and changes nothing by itself', async () => {
    const id = await suggest({
      suggested: {
        fields: { phone: '305-555-0199', name: 'Harbour Pantry', description: null },
        note: 'Called them',
        contact: 'eva@example.org',
      },
    });
    const [event] = await eventsOf(`suggestion-${id}`);
    // The name is as it stands.
    expect(event?.data).toMatchObject({ fields: ['description', 'phone'], by: 'visitor' });
    expect(JSON.stringify(event?.data)).not.toMatch(/0199|Called|eva/);
    expect(await openSuggestions(stores.personal, [event?.data as { suggestion: string }])).toEqual([
      {
        fields: { description: null, phone: '305-555-0199' },
        before: { description: 'Food for all.', phone: '305-555-0100' },
        note: 'Called them',
        contact: 'eva@example.org',
      },
    ]);
    expect((await record())?.fields.phones?.[0]?.number).toBe('305-555-0100');
  });

  it('is checked as the form of a record is', async () => {
    for (const fields of [
      { name: '' },
      { name: null },
      { url: 'javascript:alert(1)' },
      { name: 'x'.repeat(301) },
      { contacts: [{ name: 'Eva' }] },
      { nothing: 'of ours' },
      { phone: '1', phones: [] },
    ])
      await expect(suggest({ suggested: { fields: fields } })).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid|mixed_fields)$/) as string,
      });
    await expect(suggest({ suggested: { fields: { name: 'Harbour Pantry' } } })).rejects.toMatchObject({
      code: 'invalid',
    });
    await expect(suggest({ team: 'library' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is of public records alone', async () => {
    await commandResource(stores, svcId, { kind: 'deactivate' }, aCommand());
    await expect(suggest()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('revises the record when it is accepted: only what was taken, with the suggestion as its cause', async () => {
    const id = await suggest({ suggested: { fields: { phone: '305-555-0199', name: 'Bay Pantry' } } });
    await acceptSuggestion(stores, id, { take: ['phone'] }, aCommand());
    const after = await record();
    expect(after?.fields.name).toBe('Harbour Pantry');
    expect(after?.fields.phones).toEqual([
      { number: '305-555-0199', note: 'Ask for food' },
      { number: '305-555-0109' },
    ]);
    const [first, last] = await stores.store.readStream(`suggestion-${id}`);
    expect(last).toMatchObject({ type: 'SuggestionAccepted', data: { fields: ['phone'] } });
    const revised = (await eventsOf(`resource-${svcId}`)).at(-1);
    expect(revised).toMatchObject({
      type: 'ResourceRevised',
      metadata: { correlation_id: id, causation_id: first?.id, actor: { id: 'reviewer' } },
    });
  });

  it('keeps what was changed meanwhile elsewhere, and refuses what was changed to something else', async () => {
    const id = await suggest({ suggested: { fields: { phone: '305-555-0199', description: 'Bread.' } } });
    const change = { description: 'Food and clothes.', cost: 'Free' };
    await commandResource(stores, svcId, { kind: 'revise', change }, aCommand());
    const refused = await acceptSuggestion(stores, id, {}, aCommand()).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(SuggestionOutdated);
    expect((refused as SuggestionOutdated).conflicts).toEqual([
      {
        field: 'description',
        before: 'Food for all.',
        now: 'Food and clothes.',
        suggested: 'Bread.',
        conflict: true,
      },
    ]);
    expect((await record())?.fields).toMatchObject({ description: 'Food and clothes.' });
    expect(await typesOf(`suggestion-${id}`)).toEqual(['ChangeSuggested']);
    // Who has seen what stands now decides about it.
    const { position } = await load(stores.store, resource, svcId);
    await acceptSuggestion(stores, id, { seen: position }, aCommand());
    expect((await record())?.fields).toMatchObject({ description: 'Bread.', cost: 'Free' });
  });

  it('takes hours and their rules together, where the hours are shown from', async () => {
    const atPlace = await aRecord({
      name: 'Clinic',
      category: 'health',
      locations: [{ city: 'Miami', hours: 'Mon 9-5' }],
    });
    const rules = [{ days: ['tue' as const], opens: '10:00', closes: '12:00' }];
    const fields = { hours: 'Tue 10-12', opening_hours: rules, city: 'Hialeah' };
    const id = await suggest({ svc_id: atPlace, suggested: { fields: fields } });
    await acceptSuggestion(stores, id, { take: ['hours', 'city'] }, aCommand());
    const after = await record(atPlace);
    expect(after?.fields.hours).toBeUndefined();
    expect(after?.fields.locations).toMatchObject([{ city: 'Hialeah', hours: 'Tue 10-12' }]);
    expect(after?.fields.locations?.[0]?.opening_hours).toHaveLength(1);
  });

  it('of an agency confirms the parts that it touches; that of a visitor is an edit', async () => {
    const of = { by: 'agency', ask: '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a02' } as const;
    const fields = { phone: '305-555-0199', hours: 'Tue 9-5', name: 'Bay Pantry' };
    await acceptSuggestion(stores, await suggest({ ...of, suggested: { fields } }), {}, aCommand());
    expect((await eventsOf(`resource-${svcId}`)).at(-1)).toMatchObject({
      type: 'ResourceConfirmed',
      data: { by: 'agency', parts: ['hours', 'phones'] },
    });
    await acceptSuggestion(stores, await suggest({ suggested: { fields: { cost: '$1' } } }), {}, aCommand());
    expect((await typesOf(`resource-${svcId}`)).at(-1)).toBe('ResourceRevised');
  });

  it('that it has closed takes the record out, also twice', async () => {
    const one = await suggest({ kind: 'closed', by: 'agency', suggested: {} });
    const two = await suggest({ kind: 'closed', suggested: { note: 'It is a bank now' } });
    await acceptSuggestion(stores, one, {}, aCommand());
    expect(await record()).toMatchObject({ status: 'inactive' });
    await acceptSuggestion(stores, two, {}, aCommand());
    expect(await typesOf(`suggestion-${two}`)).toEqual(['ChangeSuggested', 'SuggestionAccepted']);
  });

  it('of a record that was merged since cannot be accepted, but dismissed', async () => {
    const id = await suggest();
    const other = await aRecord({ name: 'The same', category: 'food' });
    await mergeRecords(stores, { survivor: other, duplicate: svcId, take: [] }, aCommand());
    await expect(acceptSuggestion(stores, id, {}, aCommand())).rejects.toMatchObject({ code: 'conflict' });
    await dismissSuggestion(stores, id, {}, aCommand());
    expect(await typesOf(`suggestion-${id}`)).toEqual(['ChangeSuggested', 'SuggestionDismissed']);
  });

  it('is finished by a repeat where the process was killed between the two streams', async () => {
    const id = await suggest({ by: 'agency' });
    const killed = new Error('killed');
    const dying = altered<EventStore>(stores.store, {
      append: (stream, events, expected) =>
        stream.startsWith('suggestion-')
          ? Promise.reject(killed)
          : stores.store.append(stream, events, expected),
    });
    await expect(acceptSuggestion({ ...stores, store: dying }, id, {}, aCommand())).rejects.toBe(killed);
    const before = await typesOf(`resource-${svcId}`);
    expect(before.slice(-2)).toEqual(['ResourceRevised', 'ResourceConfirmed']);
    await acceptSuggestion(stores, id, {}, aCommand({ requestHash: 'of another request' }));
    expect(await typesOf(`resource-${svcId}`)).toEqual(before);
    expect(await typesOf(`suggestion-${id}`)).toEqual(['ChangeSuggested', 'SuggestionAccepted']);
  });

  it('is one suggestion where the form is sent twice', async () => {
    const context = aCommand();
    const about = { svc_id: svcId, team: 'harbour', by: 'visitor', kind: 'change' } as const;
    const send = () => suggestChange(stores, { ...about, suggested: { note: 'Look' } }, context);
    const [one, two] = [await send(), await send()];
    expect([two.repeated, two.state?.suggestion]).toEqual([true, one.state?.suggestion]);
  });

  it('is erased for ever, and cannot be accepted then', async () => {
    const id = await suggest();
    await eraseSuggestion(stores, id, {}, aCommand());
    const [event] = await eventsOf(`suggestion-${id}`);
    expect(await openSuggestions(stores.personal, [event?.data as { suggestion: string }])).toEqual([{}]);
    await expect(acceptSuggestion(stores, id, {}, aCommand())).rejects.toMatchObject({ code: 'conflict' });
    await dismissSuggestion(stores, id, {}, aCommand());
  });
});
