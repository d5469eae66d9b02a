import { describe, expect, it } from 'vitest';
import type { ApiKeyEvent } from '../../../src/events/keys/api-key.ts';
import { apiKeys } from '../../../src/projections/keys/api-keys.ts';
import { at, given } from '../../support/fold.ts';

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
    expect(key(created)).toEqual({ ...data, status: 'active', created_at: at(0) });
  });

  it('shows the domains that were chosen last', () => {
    expect(key(created, { type: 'ApiKeyDomainsChanged', data: { domains: [] } })).toEqual({
      ...data,
      domains: [],
      status: 'active',
      created_at: at(0),
    });
  });

  it('keeps a revoked key, so that its end is known', () => {
    expect(key(created, { type: 'ApiKeyRevoked', data: { reason: 'Leaked.' } })).toEqual({
      ...data,
      status: 'revoked',
      created_at: at(0),
      revoked_at: at(1),
    });
  });

  it('knows no key that was never created', () => {
    expect(key({ type: 'ApiKeyRevoked', data: {} })).toBeUndefined();
    expect(key({ type: 'ApiKeyDomainsChanged', data: { domains: [] } })).toBeUndefined();
  });
});
