import { describe, expect, it } from 'vitest';
import { redirectUriProblem } from '../../../src/events/oauth/redirect-uri.ts';

describe('a redirect URI (interface 2.4)', () => {
  it.each([
    'https://site.example/callback',
    'https://site.example',
    'https://site.example/?a=b&c=%20d',
    'https://site.example:8443/a;b/(c)',
    'https://xn--bcher-kva.example/',
    'https://192.0.2.1/callback',
    'https://[2001:db8::1]/callback',
    'http://localhost',
    'http://localhost/callback',
    'http://localhost:3000/callback?x',
  ])('may be %s', (uri) => {
    expect(redirectUriProblem(uri)).toBeUndefined();
  });

  it.each([
    ['', /absolute address/],
    ['site.example/callback', /absolute address/],
    ['/callback', /absolute address/],
    ['//site.example/callback', /absolute address/],
    ['https://', /absolute address/],
    ['https:site.example', /begin with/],
    ['https:///site.example', /begin with/],
    ['http://site.example/callback', /begin with/],
    ['http://127.0.0.1/callback', /begin with/],
    ['http://localhost.example/callback', /begin with/],
    ['http://localhost@site.example/', /begin with/],
    ['javascript:alert(1)', /begin with/],
    ['data:text/html,x', /begin with/],
    ['com.example.app:/callback', /begin with/],
    ['urn:ietf:wg:oauth:2.0:oob', /begin with/],
    ['https://site.example/#', /fragment/],
    ['https://site.example/#top', /fragment/],
    ['https://user@site.example/', /user name or password/],
    ['https://user:secret@site.example/', /user name or password/],
    ['https://@site.example/', /user name or password/],
    ['https://*.site.example/', /wildcard/],
    ['https://site.example/*', /wildcard/],
    ['https://site.example/a b', /absolute address/],
    ['https://site.example/\n', /absolute address/],
    ['https://site.example\\@elsewhere.example/', /absolute address/],
    ['https://bücher.example/', /absolute address/],
    [`https://site.example/${'x'.repeat(2_000)}`, /2,000/],
  ])('may not be %j', (uri, why) => {
    expect(redirectUriProblem(uri)).toMatch(why);
  });
});
