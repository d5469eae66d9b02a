import { describe, expect, it } from 'vitest';
import { client } from '../../../src/commands/oauth/client.ts';
import { isVerified, proofRecord, proofToken, provableHosts } from '../../../src/events/oauth/domains.ts';
import type { ClientEvent, ClientSnapshot } from '../../../src/events/oauth/client.ts';
import { given } from '../../support/decider.ts';
import { aClient } from '../../support/sign-in.ts';

const redirect_uris = ['https://news.example/cb', 'https://shop.example:8443/cb', 'http://localhost:5173/cb'];
const standing: ClientSnapshot = { ...aClient(), redirect_uris };
const registered: ClientEvent = { type: 'ClientRegistered', data: standing };
const at = new Date('2026-03-04T05:06:07.000Z');
const proved = { host: 'news.example', by: 'file', since: at.toISOString() } as const;
const verified: ClientEvent = {
  type: 'ClientDomainVerified',
  data: { ...standing, verified_domains: [proved], host: 'news.example', by: 'file' },
};
const verify = (host: string) => ({ kind: 'verify-domain', host, by: 'file', at }) as const;

describe('the domain of a client', () => {
  it('is verified once it is proved', () => {
    given(client, registered).when(verify('news.example')).then(verified);
    given(client, registered, verified).when(verify('news.example')).then();
  });

  it.each(['other.example', 'localhost:5173', 'localhost', 'shop.example', 'NEWS.example'])(
    'is none of its redirect URIs, as %s, and then cannot be verified',
    (host) => {
      given(client, registered).when(verify(host)).thenRefused('invalid');
    },
  );

  it('lapses once, when its proof is gone', () => {
    const reason = 'The file was not found.';
    const lapsed: ClientEvent = {
      type: 'ClientDomainLapsed',
      data: { ...standing, host: 'news.example', reason },
    };
    const command = { kind: 'lapse-domain', host: 'news.example', reason } as const;
    given(client, registered, verified).when(command).then(lapsed);
    given(client, registered, verified, lapsed).when(command).then();
    given(client, registered).when(command).then();
  });

  it('stays verified when other things change', () => {
    given(client, registered, verified)
      .when({ kind: 'change-details', name: 'Harbour Times' })
      .then({
        type: 'ClientDetailsChanged',
        data: { ...standing, name: 'Harbour Times', verified_domains: [proved] },
      });
    const uris = ['https://news.example/other', 'https://new.example/'];
    given(client, registered, verified)
      .when({ kind: 'change-redirect-uris', uris })
      .then({
        type: 'ClientRedirectUrisChanged',
        data: { ...standing, redirect_uris: uris, verified_domains: [proved] },
      });
  });

  it('is no longer verified when no redirect URI leads there, also when one does again', () => {
    const gone: ClientEvent = {
      type: 'ClientRedirectUrisChanged',
      data: { ...standing, redirect_uris: ['https://other.example/cb'] },
    };
    given(client, registered, verified)
      .when({ kind: 'change-redirect-uris', uris: ['https://other.example/cb'] })
      .then(gone);
    given(client, registered, verified, gone)
      .when({ kind: 'change-redirect-uris', uris: redirect_uris })
      .then({ type: 'ClientRedirectUrisChanged', data: standing });
  });

  it('is a host with its port, and its record has none', () => {
    expect(provableHosts(standing)).toEqual(['news.example', 'shop.example:8443']);
    expect(proofRecord('shop.example:8443')).toBe('_commonweal.shop.example');
    expect(isVerified({ verified_domains: [proved] }, 'news.example:8443')).toBe(false);
  });

  it('has a proof that stands for this client and this host alone', () => {
    const token = proofToken('site_a0000000', 'news.example');
    expect(token).toMatch(/^commonweal-[\w-]{43}$/);
    expect(proofToken('site_a0000000', 'news.example')).toBe(token);
    expect(proofToken('site_b0000000', 'news.example')).not.toBe(token);
    expect(proofToken('site_a0000000', 'news.example:8443')).not.toBe(token);
  });
});
