import { describe, expect, it, test } from 'vitest';
import { claim, claimRules } from '../../../../src/commands/directory/upkeep/claim-decider.ts';
import {
  claimableHost,
  claimableHosts,
  hostOfAddress,
} from '../../../../src/commands/directory/upkeep/claim-host.ts';
import type { ClaimEnder, ClaimEvent } from '../../../../src/events/directory/upkeep/claim.ts';
import { svcIdOf } from '../../../../src/events/ids.ts';
import { given } from '../../../support/decider.ts';

const [first, second, third] = ['1', '2', '3'].map((end) => `0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a0${end}`) as [
  string,
  string,
  string,
];
const data = {
  claim: 'ab'.repeat(32),
  team: 'harbour',
  subject: 'org',
  svc_id: svcIdOf(7),
  host: 'pantry.example',
  language: 'es',
  data_key: first,
  address_sealed: 'c2VhbGVk',
  link: first,
};
const begun: ClaimEvent = { type: 'ClaimBegun', data };
const again = { ...data, link: second, data_key: second };
const renewed: ClaimEvent = { type: 'ClaimLinkRenewed', data: { link: second, language: 'es' } };
const proven: ClaimEvent = { type: 'ClaimProven', data: {} };
const approved: ClaimEvent = { type: 'ClaimApproved', data: { link: second } };
const refused: ClaimEvent = { type: 'ClaimRefused', data: {} };
const ended = (by: ClaimEnder): ClaimEvent => ({
  type: 'ClaimEnded',
  data: { by, data_key: first },
});
const erased: ClaimEvent = { type: 'ClaimErased', data: { data_key: first } };

describe('a claim', () => {
  it('is proven once, by its newest link', () => {
    given(claim).when({ kind: 'begin', data }).then(begun);
    given(claim, begun).when({ kind: 'prove', link: second }).thenRefused('not_found');
    given(claim, begun).when({ kind: 'prove', link: first }).then(proven);
    given(claim, begun, proven).when({ kind: 'prove', link: first }).thenRefused('not_found');
    given(claim, begun).when({ kind: 'begin', data: again }).then(renewed);
    given(claim, begun, renewed).when({ kind: 'prove', link: first }).thenRefused('not_found');
    given(claim, begun, renewed).when({ kind: 'prove', link: second }).then(proven);
  });

  it('is approved only when it is proven, and only by its team', () => {
    const approve = { kind: 'approve', link: second } as const;
    given(claim).when(approve).thenRefused('not_found');
    given(claim, begun).when(approve).thenRefused('conflict');
    given(claim, begun, proven).when(approve).then(approved);
    given(claim, begun, proven)
      .when({ ...approve, asTeam: 'dock' })
      .thenRefused('not_found');
    given(claim, begun, proven, approved).when(approve).then();
    given(claim, begun, proven, refused).when(approve).thenRefused('conflict');
    given(claim, begun, proven, approved).when({ kind: 'refuse' }).thenRefused('conflict');
  });

  it('gets a new link when it waits for its proof or is approved, and none once the team turned it away', () => {
    const begin = { kind: 'begin', data: { ...again, link: third } } as const;
    const newest: ClaimEvent = { type: 'ClaimLinkRenewed', data: { link: third, language: 'es' } };
    given(claim, begun, proven, approved).when(begin).then(newest);
    given(claim, begun, proven).when(begin).then();
    given(claim, begun, proven, refused).when(begin).then();
    given(claim, begun, proven, refused, erased).when(begin).then();
    given(claim, begun, proven, approved, ended('team')).when(begin).then();
  });

  it('can begin again, under a new data key, where its people ended it or its proof never came', () => {
    const begin = { kind: 'begin', data: again } as const;
    const anew: ClaimEvent = { type: 'ClaimBegun', data: again };
    given(claim, begun, proven, approved, ended('claimant')).when(begin).then(anew);
    given(claim, begun, erased).when(begin).then(anew);
    given(claim, begun, erased).when({ kind: 'prove', link: first }).thenRefused('not_found');
  });

  it('ends once', () => {
    given(claim, begun, proven, approved).when({ kind: 'end', by: 'team' }).then(ended('team'));
    given(claim, begun, proven, approved, ended('team')).when({ kind: 'end', by: 'claimant' }).then();
    given(claim, begun, proven, approved, ended('team')).when({ kind: 'erase' }).then();
  });

  it('that a restore has ended begins again, and waits for the team then', () => {
    const history = [begun, proven, approved, ended('restore')];
    given(claim, ...history)
      .when({ kind: 'begin', data: again })
      .then({ type: 'ClaimBegun', data: again });
    const anew: ClaimEvent = { type: 'ClaimBegun', data: again };
    expect(given(claim, ...history, anew).state).toMatchObject({ status: 'begun', mustWait: true });
    const once = [...history, anew, erased, anew];
    expect(given(claim, ...once).state).toMatchObject({ status: 'begun', mustWait: true });
    expect(given(claim, begun, proven, approved, ended('claimant'), anew).state).not.toHaveProperty(
      'mustWait',
    );
  });
});

it('lets everything wait until a team has chosen otherwise', () => {
  const data = { team: 'harbour', changes: 'wait', later_claims: 'wait' } as const;
  const free = { ...data, changes: 'at_once' } as const;
  given(claimRules).when({ kind: 'choose', data }).then();
  given(claimRules).when({ kind: 'choose', data: free }).then({ type: 'ClaimRulesChosen', data: free });
});

describe('the host by which a record is claimed', () => {
  test.each([
    ['https://www.Pantry.Example/help?x=1', 'pantry.example'],
    ['http://pantry.example.:8080/', 'pantry.example'],
    ['https://help.pantry.org', 'help.pantry.org'],
    ['https://bücher.org/', 'xn--bcher-kva.org'],
    ['https://pantry.co.uk', 'pantry.co.uk'],
    ['https://pantry.k12.fl.us', 'pantry.k12.fl.us'],
    ['https://me.org', 'me.org'],
  ])('is that of its website: %s', (website, host) => expect(claimableHost(website)).toBe(host));

  test.each([
    'https://co.uk/',
    'https://org/',
    'https://org.uk/',
    'https://gov.br/',
    'https://k12.fl.us/',
    'https://fl.us/',
    'https://pantry.blogspot.co.uk',
    'https://pantry.netlify.app',
    'https://pantry.pages.dev',
    'https://pantry.github.io/',
    'https://github.io',
    'https://pantry.wixsite.com/home',
    'https://wixsite.com',
    'https://pantry.wordpress.com',
    'https://pantry.blogspot.com',
    'https://www.facebook.com/pantry',
    'https://m.facebook.com/pantry',
    'https://sites.google.com/view/pantry',
    'https://pantry.weebly.com',
    'https://pantry.squarespace.com',
    'https://linktr.ee/pantry',
    'https://gmail.com',
    'https://yahoo.com',
    'https://192.0.2.7/',
    'https://[2001:db8::1]/',
    'https://localhost/',
    'ftp://pantry.example/',
    'mailto:a@pantry.example',
    'pantry.example',
    '',
    undefined,
  ])('is none at %s', (website) => expect(claimableHost(website)).toBeUndefined());

  it('is that of the organization too', () => {
    const fields = { url: 'https://facebook.com/p', organization: { url: 'https://pantry.example' } };
    expect(claimableHosts(fields)).toEqual(['pantry.example']);
  });

  test.each([
    ['Ana+claims@PANTRY.example', 'pantry.example'],
    ['ana@www.pantry.example', 'pantry.example'],
    ['ana@bücher.org', 'xn--bcher-kva.org'],
    ['ana@mail.pantry.example', 'mail.pantry.example'],
  ])('is compared with that of an address: %s', (address, host) => expect(hostOfAddress(address)).toBe(host));

  test.each([
    'ana@pantry.example.',
    'ana@evil.example@pantry.example',
    'ana@pantry.example\r\nBcc: b@evil.example',
    'ana@evil.example,ana@pantry.example',
    '<ana@pantry.example>',
    'ana@p%61ntry.example',
    'ana@pantry.example/@evil.example',
    '"ana@evil.example"@pantry.example',
    'ana@192.0.2.7',
    '@pantry.example',
    'pantry.example',
  ])('is none of what is no plain address: %s', (address) => expect(hostOfAddress(address)).toBeUndefined());
});
