import { describe, expect, it } from 'vitest';
import type { ApiKeyEvent } from '../../src/events/keys.ts';
import type { Actor } from '../../src/events/metadata.ts';
import { apiKeys } from '../../src/projections/keys.ts';
import { at, given } from '../support/fold.ts';

const data: Extract<ApiKeyEvent, { type: 'ApiKeyCreated' }>['data'] = {
  key_id: 'AAAAAAAAAAAA',
  kind: 'team',
  team: 'harbour',
  label: 'Web site',
  scopes: ['resources:read'],
  domains: ['example.org'],
  secret_sha256: '0'.repeat(64),
};
const key = (...events: ApiKeyEvent[]) =>
  given(apiKeys, ...events.map((event) => ['api-key-AAAAAAAAAAAA', event] as const)).get('AAAAAAAAAAAA');
const created: ApiKeyEvent = { type: 'ApiKeyCreated', data };

describe('the read model of keys', () => {
  it('shows a key by its id with all that decides what it may do', () => {
    expect(key(created)).toEqual({ ...data, status: 'active', created_at: at(0), created_by: 'somebody' });
  });

  it('names the person who made it, or for whom an operator made it', () => {
    const made = (actor: Actor) =>
      given(apiKeys, ['api-key-AAAAAAAAAAAA', created, actor]).get('AAAAAAAAAAAA')?.created_by;
    const ada = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
    expect(made({ kind: 'user', id: ada })).toBe(ada);
    expect(made({ kind: 'system', id: 'cli', on_behalf_of: ada })).toBe(ada);
    expect(made({ kind: 'system', id: 'cli' })).toBeUndefined();
  });

  it('shows the domains that were chosen last', () => {
    expect(key(created, { type: 'ApiKeyDomainsChanged', data: { domains: [] } })).toEqual({
      ...data,
      domains: [],
      status: 'active',
      created_at: at(0),
      created_by: 'somebody',
    });
  });

  it('keeps a revoked key, so that its end is known', () => {
    expect(key(created, { type: 'ApiKeyRevoked', data: { reason: 'Leaked.' } })).toEqual({
      ...data,
      status: 'revoked',
      created_at: at(0),
      created_by: 'somebody',
      revoked_at: at(1),
    });
  });

  it('says when a key ends, who takes its place, and whose place it has', () => {
    const [ends, earlier] = ['2027-01-31T00:00:00.000Z', '2026-12-31T00:00:00.000Z'];
    const ending: ApiKeyEvent = {
      type: 'ApiKeyCreated',
      data: { ...data, expires_at: ends, replaces: 'ZZZZZZZZZZZZ' },
    };
    expect(key(ending)).toMatchObject({
      expires_at: ends,
      expiry_chosen_at: at(0),
      replaces: 'ZZZZZZZZZZZZ',
    });
    const rolled = (expires_at?: string): ApiKeyEvent => ({
      type: 'ApiKeyRolled',
      data: { replaced_by: 'BBBBBBBBBBBB', ...(expires_at !== undefined && { expires_at }) },
    });
    expect(key(ending, rolled())).toMatchObject({
      status: 'active',
      expires_at: ends,
      expiry_chosen_at: at(0),
      replaced_by: 'BBBBBBBBBBBB',
      rolled_at: at(1),
    });
    expect(key(ending, rolled(earlier))).toMatchObject({ expires_at: earlier, expiry_chosen_at: at(1) });
  });

  it('knows no key that was never created', () => {
    expect(key({ type: 'ApiKeyRevoked', data: {} })).toBeUndefined();
    expect(key({ type: 'ApiKeyDomainsChanged', data: { domains: [] } })).toBeUndefined();
  });
});
