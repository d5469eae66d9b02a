import { describe, it } from 'vitest';
import { agencyAsking, agencyCall } from '../../../../src/commands/directory/upkeep/agency-asking.ts';
import {
  agencyContact,
  type AgencyContactCommand,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import type { AgencyContactEvent } from '../../../../src/events/directory/upkeep/agency-contact.ts';
import type { AgencyAskingEvent } from '../../../../src/events/directory/upkeep/agency-asking.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import { given } from '../../../support/decider.ts';

const [pantry, clinic] = [svcIdOf(7), svcIdOf(8)];
const ask = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
const later = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a02';
const data = {
  contact: 'ab'.repeat(32),
  team: 'harbour',
  ask,
  svc_ids: [pantry, clinic],
  language: 'es',
  address_sealed: 'c2VhbGVk',
  mailed_at: '2026-03-04T09:00:00.000Z',
};
const mailed: AgencyContactEvent = { type: 'AgencyContactMailed', data };
const next = { ...data, ask: later, mailed_at: '2026-04-03T09:00:00.000Z' };
const says = (
  svc_id: string,
  answer: 'yes' | 'change' | 'closed' | 'not_ours',
  of = ask,
): AgencyContactEvent => ({
  type: 'AgencyContactAnswered',
  data: { ask: of, svc_id, answer },
});
const takenBack: AgencyContactEvent = { type: 'AgencyAnswerWithdrawn', data: { ask, svc_id: pantry } };
const carriedOut: AgencyContactEvent = { type: 'AgencyAnswersApplied', data: { ask, svc_ids: [pantry] } };
const stopped: AgencyContactEvent = { type: 'AgencyContactStopped', data: {} };
const bounced: AgencyContactEvent = { type: 'AgencyContactBounced', data: { reason: 'bounced' } };
const erased: AgencyContactEvent = { type: 'AgencyContactErased', data: {} };

describe('a contact of agencies', () => {
  it('gets no second mail within 30 days', () => {
    given(agencyContact).when({ kind: 'ask', data }).then(mailed);
    const early = { ...next, mailed_at: '2026-04-03T08:59:59.999Z' };
    given(agencyContact, mailed).when({ kind: 'ask', data: early }).thenRefused('conflict');
    given(agencyContact, mailed)
      .when({ kind: 'ask', data: next })
      .then({ type: 'AgencyContactMailed', data: next });
  });

  it('gets no mail after it ended them, after a mail came back, and after it was erased', () => {
    for (const end of [stopped, bounced, erased])
      given(agencyContact, mailed, end).when({ kind: 'ask', data: next }).thenRefused('conflict');
  });

  it('is not asked again about what is not theirs', () => {
    given(agencyContact, mailed, says(pantry, 'not_ours'))
      .when({ kind: 'ask', data: next })
      .then({ type: 'AgencyContactMailed', data: { ...next, svc_ids: [clinic] } });
    given(agencyContact, mailed, says(pantry, 'not_ours'), says(clinic, 'not_ours'))
      .when({ kind: 'ask', data: next })
      .thenRefused('conflict');
  });

  it('answers about the records of its mail alone, and twice is once', () => {
    given(agencyContact, mailed)
      .when({ kind: 'answer', svcId: pantry, answer: 'yes' })
      .then(says(pantry, 'yes'));
    given(agencyContact, mailed, says(pantry, 'yes'))
      .when({ kind: 'answer', svcId: pantry, answer: 'yes' })
      .thenNothing();
    given(agencyContact, mailed, says(pantry, 'yes'))
      .when({ kind: 'answer', svcId: pantry, answer: 'closed' })
      .then(says(pantry, 'closed'));
    given(agencyContact, mailed)
      .when({ kind: 'answer', svcId: svcIdOf(9), answer: 'yes' })
      .thenRefused('not_found');
    given(agencyContact, mailed, stopped)
      .when({ kind: 'answer', svcId: pantry, answer: 'yes' })
      .thenRefused('not_found');
    given(agencyContact, mailed, bounced)
      .when({ kind: 'answer', svcId: pantry, answer: 'yes' })
      .then(says(pantry, 'yes'));
  });

  it('takes an answer back until it is carried out', () => {
    const takeBack: AgencyContactCommand = { kind: 'take-back', svcId: pantry };
    given(agencyContact, mailed, says(pantry, 'yes')).when(takeBack).then(takenBack);
    given(agencyContact, mailed, says(pantry, 'yes'), takenBack).when(takeBack).thenNothing();
    given(agencyContact, mailed, says(pantry, 'yes'), carriedOut).when(takeBack).thenRefused('conflict');
  });

  it('has each answer carried out once, and not one that was replaced meanwhile', () => {
    const first: AgencyContactCommand = { kind: 'carried-out', answers: [[pantry, 1]] };
    given(agencyContact, mailed, says(pantry, 'yes')).when(first).then(carriedOut);
    given(agencyContact, mailed, says(pantry, 'yes'), carriedOut).when(first).thenNothing();
    given(agencyContact, mailed, says(pantry, 'yes'), says(pantry, 'closed')).when(first).thenNothing();
  });

  it('is ended, unreachable and erased once, and an erasure follows any of them', () => {
    given(agencyContact, mailed).when({ kind: 'stop' }).then(stopped);
    given(agencyContact, mailed, stopped).when({ kind: 'stop' }).thenNothing();
    given(agencyContact, mailed).when({ kind: 'unreachable', reason: 'bounced' }).then(bounced);
    given(agencyContact, mailed, bounced).when({ kind: 'unreachable', reason: 'refused' }).thenNothing();
    given(agencyContact, mailed, stopped).when({ kind: 'unreachable', reason: 'refused' }).thenNothing();
    given(agencyContact, mailed, bounced).when({ kind: 'erase' }).then(erased);
    given(agencyContact, mailed, erased).when({ kind: 'erase' }).thenNothing();
  });

  it('that was never asked can be told nothing', () => {
    for (const command of [{ kind: 'stop' }, { kind: 'erase' }] as const)
      given(agencyContact).when(command).thenRefused('not_found');
  });
});

describe('whether a team asks', () => {
  const on = { team: 'harbour', on: true };
  const choose = (data: { team: string; on: boolean; after_days?: number }) =>
    ({ kind: 'choose', data }) as const;
  const chosen = (data: AgencyAskingEvent['data']): AgencyAskingEvent => ({
    type: 'AgencyAskingChosen',
    data,
  });

  it('is chosen, and a repeat is no change', () => {
    given(agencyAsking)
      .when(choose({ ...on, on: false }))
      .thenNothing();
    given(agencyAsking).when(choose(on)).then(chosen(on));
    given(agencyAsking, chosen(on)).when(choose(on)).thenNothing();
    given(agencyAsking, chosen(on))
      .when(choose({ ...on, after_days: 90 }))
      .then(chosen({ ...on, after_days: 90 }));
  });

  it('a call that reaches nobody is noted once for a day', () => {
    const call = { svc_id: pantry, team: 'harbour', again_on: '2026-03-11' };
    given(agencyCall)
      .when({ kind: 'not-reached', data: call })
      .then({ type: 'AgencyNotReached', data: call });
    given(agencyCall, { type: 'AgencyNotReached', data: call })
      .when({ kind: 'not-reached', data: call })
      .thenNothing();
  });
});
