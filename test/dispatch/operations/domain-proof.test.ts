import { afterEach, describe, expect, test } from 'vitest';
import { findProof, type ProofOptions } from '../../../src/dispatch/operations/domain-proof.ts';
import type { Resolver } from '../../../src/dispatch/attempts/destination-guard.ts';
import { receiver, type Receiver } from '../receivers.ts';

const token = 'commonweal-of-this-client-and-host';
const development = { allowPrivate: true, ownHosts: [] };
const production = { allowPrivate: false, ownHosts: [] };
const leadingTo =
  (address: string): Resolver =>
  async () => [{ address, family: 4 }];
const noRecord = async () => {
  throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
};
const opened: Receiver[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each[Symbol.asyncDispose]();
});

/** A host with a web server on this machine that answers so. */
async function host(answer: Parameters<typeof receiver>[0]): Promise<string> {
  const made = await receiver(answer);
  opened.push(made);
  return `files.example:${made.port}`;
}

const find = (of: string, options: Partial<ProofOptions> = {}) =>
  findProof(of, token, {
    policy: development,
    resolver: leadingTo('127.0.0.1'),
    resolveTxt: noRecord,
    timeoutMs: 2_000,
    ...options,
  });

describe('the proof of a host', () => {
  test('is a file with the token, white space aside', async () => {
    const asked: (string | undefined)[] = [];
    const of = await host((response, { path, method }) => {
      asked.push(`${method} ${path}`);
      response.end(`${token}\n`);
    });
    expect(await find(of)).toEqual({ by: 'file' });
    expect(asked).toEqual(['GET /.well-known/commonweal-site-verification']);
  });

  test.each([
    ['with another content', 200, `${token}x`, /says something else/],
    ['that holds the token among other things', 200, `<p>${token}</p>`, /says something else/],
    ['that is not there', 404, token, /answered 404/],
    ['that is empty', 204, '', /answered 204/],
    ['that is far too long', 200, token + ' '.repeat(5_000_000), /longer than 1024 bytes/],
  ])('is no file %s', async (_, status, body, why) => {
    const of = await host((response) => response.writeHead(status).end(body));
    expect(await find(of)).toMatchObject({ by: undefined, file: expect.stringMatching(why) as string });
  });

  test('is no file elsewhere: redirects are not followed', async () => {
    let followed = 0;
    const of = await host((response, { path }) => {
      if (path !== '/.well-known/commonweal-site-verification') {
        followed++;
        response.end(token);
      } else response.writeHead(302, { location: '/elsewhere' }).end(token);
    });
    expect(await find(of)).toMatchObject({ file: expect.stringContaining('answered 302') as string });
    expect(followed).toBe(0);
  });

  test.each([
    ['never answers', () => undefined],
    ['never ends', (response: { write(text: string): unknown }) => void response.write(token)],
  ])('is not waited for when the host %s', async (_, answer) => {
    const of = await host(answer);
    expect(await find(of, { timeoutMs: 200 })).toMatchObject({
      file: expect.stringContaining('did not answer within 0.2 s') as string,
    });
  });

  test('is asked for over https alone outside of development', async () => {
    let asked = 0;
    const of = await host((response) => {
      asked++;
      response.end(token);
    });
    expect(await find(of, { policy: production, resolver: leadingTo('127.0.0.1') })).toMatchObject({
      file: `files.example leads to 127.0.0.1, which is an address of this machine.`,
    });
    expect(asked).toBe(0);
  });

  test.each(['10.0.0.8', '127.0.0.1', '169.254.169.254', '[::1]', 'intranet', 'id.example'])(
    'is not looked for on %s',
    async (of) => {
      const policy = { allowPrivate: false, ownHosts: ['id.example'] };
      const never: Resolver = async () => {
        throw new Error('Nothing is looked up.');
      };
      const proof = await find(of, { policy, resolver: never });
      expect(proof).toMatchObject({ file: expect.stringMatching(/ is (an? |this )/) as string });
    },
  );

  test('is a TXT record with the token, in however many pieces', async () => {
    const asked: string[] = [];
    const resolveTxt = async (name: string) => {
      asked.push(name);
      return [['v=spf1 -all'], [token.slice(0, 10), token.slice(10)]];
    };
    expect(await find(await host((response) => response.end('no')), { resolveTxt })).toEqual({ by: 'dns' });
    expect(asked).toEqual(['_commonweal.files.example']);
  });

  test('is no record with something else, and none that does not come', async () => {
    const of = await host((response) => response.end('no'));
    expect(await find(of, { resolveTxt: async () => [[`${token}x`], []] })).toMatchObject({
      dns: 'The TXT record _commonweal.files.example says something else.',
    });
    expect(await find(of, { resolveTxt: () => new Promise(() => undefined), timeoutMs: 200 })).toMatchObject({
      dns: 'There is no TXT record _commonweal.files.example, or it could not be read.',
    });
    expect(await find('127.0.0.1:1', {})).toMatchObject({ dns: 'An IP address has no TXT record.' });
  });
});
