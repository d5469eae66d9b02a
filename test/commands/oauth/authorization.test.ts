import { describe, expect, it } from 'vitest';
import {
  allowedScopes,
  narrowedScopes,
  requestedScopes,
  requireClient,
  requireRedirectUri,
} from '../../../src/commands/oauth/authorization.ts';
import { OAuthRefused } from '../../../src/commands/oauth/errors.ts';
import { aClient, redirectUri } from '../../support/sign-in.ts';

const codeOf = (ask: () => unknown): string => {
  try {
    ask();
    return 'none';
  } catch (error) {
    if (error instanceof OAuthRefused) return error.code;
    throw error;
  }
};

describe('an authorization request (interface 7.1)', () => {
  it('needs a client that exists and is active', () => {
    expect(requireClient(aClient())).toEqual(aClient());
    expect(codeOf(() => requireClient(undefined))).toBe('invalid_client');
    expect(codeOf(() => requireClient(aClient({ status: 'inactive' })))).toBe('invalid_client');
  });

  it('needs a redirect URI that the client has registered, to the letter', () => {
    expect(codeOf(() => requireRedirectUri(aClient(), redirectUri))).toBe('none');
    for (const other of [
      `${redirectUri}/`,
      `${redirectUri}?`,
      redirectUri.toUpperCase(),
      'https://a.example/',
    ]) {
      expect(['invalid_client', 'invalid_request']).toContain(
        codeOf(() => requireRedirectUri(aClient(), other)),
      );
    }
    expect(codeOf(() => requireRedirectUri(aClient(), `${redirectUri}/`))).toBe('invalid_client');
    expect(codeOf(() => requireRedirectUri(aClient(), `${redirectUri}#x`))).toBe('invalid_request');
    expect(codeOf(() => requireRedirectUri(aClient(), 'callback'))).toBe('invalid_request');
  });

  it('asks for openid, and for nothing that its client may not have', () => {
    expect(requestedScopes(aClient(), 'email openid  openid')).toEqual(['openid', 'email']);
    for (const scope of [
      '',
      'profile',
      'openid phone',
      'openid nonsense',
      'openid OPENID',
      'openid\tprofile',
    ]) {
      expect(
        codeOf(() => requestedScopes(aClient(), scope)),
        scope,
      ).toBe('invalid_scope');
    }
    const own = aClient({ first_party: true, scopes: ['openid', 'phone', 'teams:read'] });
    expect(requestedScopes(own, 'teams:read openid phone')).toEqual(['openid', 'phone', 'teams:read']);
  });

  it('may always ask for offline_access', () => {
    expect(requestedScopes(aClient(), 'openid offline_access')).toEqual(['openid', 'offline_access']);
    expect(allowedScopes(aClient({ scopes: ['openid', 'offline_access'] }))).toEqual([
      'openid',
      'offline_access',
    ]);
  });

  it('is told what was wrong in characters that an error_description may have (RFC 6749 5.2)', () => {
    for (const scope of ['openid "\\é\n', `openid ${'x'.repeat(500)}`]) {
      expect(() => requestedScopes(aClient(), scope)).toThrow(/^[\x20-\x21\x23-\x5b\x5d-\x7e]{1,200}$/);
    }
  });

  it('narrows at a refresh only', () => {
    expect(narrowedScopes(['openid', 'email'], 'email')).toEqual(['email']);
    expect(codeOf(() => narrowedScopes(['openid'], 'openid email'))).toBe('invalid_scope');
  });
});
