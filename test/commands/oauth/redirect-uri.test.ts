import { describe, expect, it } from 'vitest';
import { redirectUriProblem } from '../../../src/commands/oauth/redirect-uri.ts';

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
    ['', /absolute URI/],
    ['site.example/callback', /absolute URI/],
    ['/callback', /absolute URI/],
    ['//site.example/callback', /absolute URI/],
    ['https://', /absolute URI/],
    ['https:site.example', /begins with/],
    ['https:///site.example', /begins with/],
    ['http://site.example/callback', /begins with/],
    ['http://127.0.0.1/callback', /begins with/],
    ['http://localhost.example/callback', /begins with/],
    ['http://localhost@site.example/', /begins with/],
    ['javascript:alert(1)', /begins with/],
    ['data:text/html,x', /begins with/],
    ['com.example.app:/callback', /begins with/],
    ['urn:ietf:wg:oauth:2.0:oob', /begins with/],
    ['https://site.example/#', /fragment/],
    ['https://site.example/#top', /fragment/],
    ['https://user@site.example/', /user information/],
    ['https://user:secret@site.example/', /user information/],
    ['https://@site.example/', /user information/],
    ['https://*.site.example/', /wildcard/],
    ['https://site.example/*', /wildcard/],
    ['https://site.example/a b', /absolute URI/],
    ['https://site.example/\n', /absolute URI/],
    ['https://site.example\\@elsewhere.example/', /absolute URI/],
    ['https://bücher.example/', /absolute URI/],
    [`https://site.example/${'x'.repeat(2_000)}`, /2,000/],
  ])('may not be %j', (uri, why) => {
    expect(redirectUriProblem(uri)).toMatch(why);
  });
});
