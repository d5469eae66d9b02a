import type { DomainEvent } from '../src/events/catalogue.ts';
import { streamName, type StreamDefinition } from '../src/events/define.ts';
import { sessionStream } from '../src/events/accounts/session.ts';
import { userStream } from '../src/events/accounts/user.ts';
import { resourceStream } from '../src/events/directory/resource.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { apiKeyStream } from '../src/events/keys.ts';
import { newEvent } from '../src/events/new-event.ts';
import { consentId, consentStream } from '../src/events/oauth/consent.ts';
import { grantStream } from '../src/events/oauth/grant.ts';
import { memberRoles, teamStream } from '../src/events/teams.ts';
import { deliveryStream } from '../src/events/webhooks/webhook.ts';
import type { EventStore } from '../src/stores/event-store/port.ts';
import { resourceFieldsOf } from './seed.ts';

/** Streams appended at a time. */
const concurrency = 200;
/** One person of a mixed log leaves so many events behind. */
export const eventsAPerson = 25;

interface Written {
  readonly stream: string;
  readonly events: readonly DomainEvent[];
}

/**
 * Fills a log with events of seventeen kinds, 25 for each person: an account, a session, a membership, a site's consent
 * and sign-in with refreshes, an API key, and three resources that were submitted, approved and some of them revised,
 * each with a delivery. Personal data is not readable: nothing that is rebuilt reads it.
 */
export async function seedMixedLog(store: EventStore, people: number): Promise<void> {
  const teams = Math.max(1, Math.floor(people / 100));
  let next = 0;
  for (let team = 0; team < teams; team++) {
    const created = { type: 'TeamCreated', data: { team: teamOf(team), name: `Team ${team}` } } as const;
    await write(store, { stream: streamName(teamStream, teamOf(team)), events: [created] }, 'no_stream');
  }
  const worker = async () => {
    while (next < people) {
      const person = next++;
      for (const written of streamsOf(person, teams)) await write(store, written, 'any');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const teamOf = (n: number): string => `team-${n}`;

async function write(store: EventStore, { stream, events }: Written, expected: 'any' | 'no_stream') {
  const context = {
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: uuidOf('bench', 'mixed', stream, JSON.stringify(events[0]?.data)),
    at: new Date('2026-01-01T00:00:00.000Z'),
  };
  const made = events.map((event, index) => newEvent(stream, event, index, context));
  await store.append(stream, made, expected);
}

const hex64 = '0123456789abcdef'.repeat(4);
const sealed = 'c2VhbGVk'.repeat(12);
const time = '2026-01-01T00:00:00.000Z';
const second = 1_767_225_600;

function streamsOf(person: number, teams: number): Written[] {
  const of = (kind: StreamDefinition, id: string, ...events: readonly DomainEvent[]): Written => ({
    stream: streamName(kind, id),
    events,
  });
  const id = (what: string) => uuidOf('bench', 'mixed', what, String(person));
  const user = id('user');
  const team = teamOf(person % teams);
  const client = `site_bench${String(person % 20).padStart(12, '0')}`;
  const session = String(person).padStart(22, '0');
  const email = hex64;
  return [
    of(
      userStream,
      user,
      {
        type: 'UserRegistered',
        data: { user, role: 'person', email, claim: id('claim'), email_sealed: sealed, profile: sealed },
      },
      { type: 'UserEmailVerified', data: { email } },
      { type: 'UserProfileChanged', data: { profile: sealed } },
    ),
    of(
      sessionStream,
      session,
      {
        type: 'SessionStarted',
        data: {
          session,
          user,
          epoch: 1,
          auth_time: second,
          amr: ['pwd'],
          ends: second + 90 * 86_400,
          secret_sha256: hex64,
        },
      },
      { type: 'SessionEnded', data: { session, user, reason: 'signed_out' } },
    ),
    of(teamStream, team, {
      type: 'MemberJoined',
      data: { team, user, role: memberRoles[person % memberRoles.length] ?? 'member', person: sealed },
    }),
    of(apiKeyStream, id('key'), {
      type: 'ApiKeyCreated',
      data: {
        key_id: id('key'),
        kind: 'developer',
        scopes: ['resources:read'],
        domains: [],
        secret_sha256: hex64,
      },
    }),
    of(consentStream, consentId(user, client), {
      type: 'ConsentGranted',
      data: { user, client, scopes: ['openid', 'profile', 'email'], epoch: 1 },
    }),
    of(grantStream, id('grant'), ...signIn(id('grant'), user, client, session)),
    ...[0, 1, 2].flatMap((each) => {
      const number = integerId('bench', 'mixed', String(person), String(each));
      const svc_id = svcIdOf(number);
      return [
        of(resourceStream, svc_id, ...resource(number, svc_id, team, person * 3 + each, each === 0)),
        of(deliveryStream, id(`delivery ${each}`), ...delivery(id, each, team, svc_id)),
      ];
    }),
  ];
}

function signIn(grant: string, user: string, client: string, session: string): DomainEvent[] {
  const scopes: ('openid' | 'profile' | 'email')[] = ['openid', 'profile', 'email'];
  const standing = {
    grant,
    user,
    client,
    epoch: 1,
    scopes,
    session,
    auth_time: second,
    amr: ['pwd'],
    redirect_uri: 'https://site.example/callback',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_expires: second + 600,
    token_key: '6955b900',
  };
  const active = (generation: number) => ({
    ...standing,
    generation,
    status: 'active' as const,
    redeemed_at: time,
    rotated_at: time,
    refresh_expires: second + 30 * 86_400,
    ends: second + 180 * 86_400,
    access_tokens: [{ generation, expires: second + 3_600, scopes }],
  });
  return [
    {
      type: 'AuthorizationCodeIssued',
      data: { ...standing, generation: 0, status: 'issued', nonce: sealed },
    },
    { type: 'TokensIssued', data: active(1) },
    { type: 'TokensRefreshed', data: active(2) },
    { type: 'TokensRefreshed', data: active(3) },
  ];
}

function resource(
  id: number,
  svc_id: string,
  team: string,
  index: number,
  isRevised: boolean,
): DomainEvent[] {
  const fields = resourceFieldsOf(index);
  const { name, category } = fields;
  return [
    { type: 'ResourceSubmitted', data: { svc_id, id, team, fields } },
    { type: 'ResourceApproved', data: { svc_id, id, team, name, category } },
    ...(isRevised
      ? [{ type: 'ResourceRevised', data: { fields: { ...fields, hours: 'By appointment' } } } as const]
      : []),
  ];
}

function delivery(id: (what: string) => string, each: number, team: string, svcId: string): DomainEvent[] {
  const subscription = id('subscription');
  return [
    {
      type: 'DeliveryScheduled',
      data: {
        delivery: id(`delivery ${each}`),
        subscription,
        team,
        event: 'resource.approved',
        source: {
          stream: streamName(resourceStream, svcId),
          revision: 1,
          event_id: id(`approval ${each}`),
        },
        occurred_at: time,
        payload_version: 1,
        body_sha256: hex64,
      },
    },
    {
      type: 'DeliverySucceeded',
      data: { subscription, attempt: 1, started_at: time, duration_ms: 40, status: 200 },
    },
  ];
}
