import { Resolver as DnsResolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupAddress, LookupOptions } from 'node:dns';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkUrl,
  forbiddenAddress,
  dnsResolver,
  guardedLookup,
  type DestinationPolicy,
  type Resolver,
} from '../../../src/dispatch/attempts/destination-guard.ts';
import { nameServer } from '../name-server.ts';

const production: DestinationPolicy = {
  allowPrivate: false,
  ownHosts: ['commonweal.example', '198.41.0.4', '[2606:4700::1]'],
};
const development: DestinationPolicy = { allowPrivate: true, ownHosts: ['localhost:3000'] };

const refusal = (url: string, policy = production) => {
  const checked = checkUrl(url, policy);
  return checked.ok ? null : checked.reason;
};

describe('a URL', () => {
  test('to a public https host is accepted and kept as it will be called', () => {
    const checked = checkUrl('https://Hooks.Example.ORG/in?key=1', production);
    expect(checked.ok && checked.url.href).toBe('https://hooks.example.org/in?key=1');
    for (const url of [
      'https://a.example:8443/',
      'https://a.example:1024/',
      'https://8.8.8.8/',
      'https://[2606:4700::1111]/',
    ]) {
      expect(refusal(url), url).toBeNull();
    }
  });

  test.each([
    ['http', 'http://hooks.example.org/'],
    ['another scheme', 'ftp://hooks.example.org/'],
    ['no scheme', 'hooks.example.org/'],
    ['no host', 'https://'],
    ['a user name', 'https://user@hooks.example.org/'],
    ['a password', 'https://:secret@hooks.example.org/'],
    ['a fragment', 'https://hooks.example.org/#part'],
    ['an empty fragment', 'https://hooks.example.org/#'],
    ['a line break the parser would drop', 'https://hooks.example.org/a\nb'],
    ['a leading space', ' https://hooks.example.org/'],
    ['a backslash', 'https://hooks.example.org\\@127.0.0.1/'],
    ['an IPv6 zone', 'https://[fe80::1%25eth0]/'],
    ['more than 2,000 characters', `https://hooks.example.org/${'a'.repeat(2_000)}`],
  ])('with %s is invalid', (_what, url) => {
    expect(refusal(url)).toBe('invalid_url');
  });

  test.each([0, 22, 25, 80, 444, 1023])('to port %i is refused', (port) => {
    expect(refusal(`https://hooks.example.org:${port}/`)).toBe('refused_destination');
  });

  test.each([
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://0x7f.1/',
    'https://127.0.0.1./',
    'https://%31%32%37.0.0.1/',
    'https://\uff11\uff12\uff17.0.0.1/',
    'https://0/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[0:0:0:0:0:ffff:169.254.169.254]/',
    'https://[::8.8.8.8]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[fd00:ec2::254]/',
  ])('that writes a forbidden address as %s is refused', (url) => {
    expect(refusal(url)).toBe('refused_destination');
  });

  test.each([
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'printer',
    'nas.local',
    'metadata.google.internal',
    'x.home.arpa',
  ])('to the local name %s is refused', (host) => {
    expect(refusal(`https://${host}/`)).toBe('refused_destination');
  });

  test.each([
    'commonweal.example',
    'COMMONWEAL.example',
    'commonweal.example.',
    'commonweal.example:8443',
    '198.41.0.4',
    '[2606:4700:0::1]',
  ])('to ourselves as %s is refused', (host) => {
    expect(refusal(`https://${host}/`)).toBe('refused_destination');
  });

  test('to this machine, over http and on any port, is accepted in development only', () => {
    for (const url of [
      'http://localhost:80/',
      'http://127.0.0.1:999/',
      'http://[::1]:8080/',
      'http://receiver:4000/',
      'http://10.0.0.9/',
    ]) {
      expect(refusal(url, development), url).toBeNull();
      expect(refusal(url), url).not.toBeNull();
    }
  });

  test('to metadata services or to our own port is refused in development too', () => {
    for (const url of [
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://100.100.100.200/',
      'http://localhost:3000/',
    ]) {
      expect(refusal(url, development), url).toBe('refused_destination');
    }
    expect(refusal('http://localhost:3001/', development)).toBeNull();
  });

  test('is judged without throwing, whatever the text', () => {
    const part = fc.oneof(
      fc.webUrl(),
      fc.string(),
      fc.constantFrom('https://', '@', '[', ']', '%', ':', '#', '::1', '0x'),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const checked = checkUrl(parts.join(''), production);
        if (checked.ok) expect(checked.url.protocol).toBe('https:');
        else expect(checked.message).toMatch(/\.$/);
      }),
    );
  });
});

/** Written out and computed apart from the guard: prefix and length on the address as one number. */
// prettier-ignore
const forbidden4 = [
  '0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24',
  '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24',
  '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16/32',
].map(parseSubnet4);
// prettier-ignore
const forbidden6 = [
  '::/96', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/32', '2001:db8::/32', '2002::/16',
  '3fff::/20', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8',
];

function parseSubnet4(subnet: string): { readonly network: number; readonly size: number } {
  const [address = '', length] = subnet.split('/');
  const network = address.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0);
  return { network, size: 2 ** (32 - Number(length)) };
}

const dotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
const hexGroups = (value: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':');

/** Any address of an IPv6 subnet, in full form. */
function addressIn(subnet: string): fc.Arbitrary<string> {
  const [network = '', length] = subnet.split('/');
  const groups = new URL(`https://[${network}]/`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((half) => half.split(':').filter((group) => group !== ''));
  const filled = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  const first = filled.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
  return fc
    .bigInt({ min: 0n, max: 2n ** BigInt(128 - Number(length)) - 1n })
    .map((rest) => hexGroups(first + rest));
}

describe('an address', () => {
  test('of a forbidden IPv4 range is refused in every spelling, from the first to the last of the range', () => {
    const address = fc
      .constantFrom(...forbidden4)
      .chain(({ network, size }) =>
        fc.oneof(fc.constantFrom(0, size - 1), fc.nat(size - 1)).map((n) => network + n),
      );
    fc.assert(
      fc.property(address, (value) => {
        const hex = `${(value >>> 16).toString(16)}:${(value & 0xffff).toString(16)}`;
        for (const ip of [
          dotted(value),
          `::ffff:${dotted(value)}`,
          `::ffff:${hex}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::`,
        ]) {
          expect(forbiddenAddress(ip), ip).not.toBeNull();
        }
        for (const host of [
          dotted(value),
          String(value),
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
        ]) {
          expect(refusal(`https://${host}/`), host).toBe('refused_destination');
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('of IPv4 outside these ranges is allowed', () => {
    const address = fc
      .oneof(
        fc.nat(0xffff_ffff),
        fc.constantFrom(...forbidden4).map(({ network }) => network - 1),
        fc.constantFrom(...forbidden4).map(({ network, size }) => network + size),
      )
      .filter((value) => value >= 0 && value <= 0xffff_ffff)
      .filter((value) => !forbidden4.some(({ network, size }) => value >= network && value < network + size));
    fc.assert(
      fc.property(address, (value) => {
        expect(forbiddenAddress(dotted(value)), dotted(value)).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test('of a forbidden IPv6 range is refused', () => {
    fc.assert(
      fc.property(fc.constantFrom(...forbidden6).chain(addressIn), (ip) => {
        expect(forbiddenAddress(ip), ip).not.toBeNull();
        expect(refusal(`https://[${ip}]/`), ip).toBe('refused_destination');
      }),
      { numRuns: 2_000 },
    );
  });

  test('of IPv6 is allowed when a registry has given it out, and refused when nobody has', () => {
    const given = fc
      .constantFrom('2600::/12', '2a00::/12', '2400::/12', '2800::/12', '2c00::/12', '2001:4860::/32')
      .chain(addressIn);
    const spare = fc
      .constantFrom('4000::/3', '6000::/3', '8000::/3', 'a000::/3', 'c000::/3', 'e000::/4', '1000::/4')
      .chain(addressIn);
    fc.assert(fc.property(given, (ip) => forbiddenAddress(ip) === null));
    fc.assert(fc.property(spare, (ip) => forbiddenAddress(ip) !== null));
  });

  test('with a zone id, or that is none, is refused', () => {
    for (const ip of ['fe80::1%eth0', '2606:4700::1111%1', '', 'localhost', '1.2.3', '127.1', '[::1]']) {
      expect(forbiddenAddress(ip), ip).not.toBeNull();
    }
  });

  test('of this machine or a private network is allowed in development, but no other forbidden one', () => {
    for (const ip of ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd12::1']) {
      expect(forbiddenAddress(ip, development), ip).toBeNull();
      expect(forbiddenAddress(ip), ip).not.toBeNull();
    }
    for (const ip of [
      '169.254.169.254',
      '0.0.0.0',
      '::ffff:127.0.0.1',
      '224.0.0.1',
      'fd00:ec2::254',
      '100.64.0.1',
    ]) {
      expect(forbiddenAddress(ip, development), ip).not.toBeNull();
    }
  });
});

type Found =
  { readonly code: string | undefined; readonly message: string } | string | readonly LookupAddress[];

const answering =
  (...addresses: readonly string[]): Resolver =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address, family: isIP(address) })));

function look(
  resolver: Resolver,
  options: LookupOptions = { all: true },
  policy = production,
  hostname = 'hooks.example.org',
): Promise<Found> {
  return new Promise((resolve) => {
    guardedLookup(policy, resolver)(hostname, options, (error, address) => {
      resolve(error ? { code: error.code, message: error.message } : address);
    });
  });
}

describe('the lookup of a name', () => {
  test('gives the checked addresses, all or one, as the connector asks', async () => {
    const both = answering('2606:4700::1111', '8.8.8.8');
    expect(await look(both)).toEqual([
      { address: '2606:4700::1111', family: 6 },
      { address: '8.8.8.8', family: 4 },
    ]);
    expect(await look(both, {})).toBe('2606:4700::1111');
    expect(await look(both, { family: 4 })).toBe('8.8.8.8');
    expect(await look(both, { family: 'IPv4', all: true })).toEqual([{ address: '8.8.8.8', family: 4 }]);
  });

  test('refuses the whole name for one bad address, also one the connector did not ask for', async () => {
    const mixed = answering('8.8.8.8', '2606:4700::1111', '::ffff:10.0.0.1');
    for (const options of [{ all: true }, {}, { family: 4 }]) {
      expect(await look(mixed, options)).toEqual({
        code: 'DESTINATION_REFUSED',
        message: 'hooks.example.org leads to ::ffff:10.0.0.1, which is an IPv4 address in IPv6 form.',
      });
    }
  });

  test('refuses a name that leads to an address of our own', async () => {
    expect(await look(answering('198.41.0.4'))).toMatchObject({ code: 'DESTINATION_REFUSED' });
    expect(await look(answering('2606:4700::1'))).toMatchObject({ code: 'DESTINATION_REFUSED' });
  });

  test('judges each answer anew, so that a name cannot change its address after the check', async () => {
    const answers = [['8.8.8.8'], ['127.0.0.1'], ['8.8.8.8']];
    const resolver: Resolver = (hostname) => answering(...(answers.shift() ?? []))(hostname);
    expect(await look(resolver, {})).toBe('8.8.8.8');
    expect(await look(resolver, {})).toMatchObject({ code: 'DESTINATION_REFUSED' });
    expect(await look(resolver, {})).toBe('8.8.8.8');
  });

  test('says that a name does not resolve, when it has no address or the resolver fails', async () => {
    expect(await look(answering())).toMatchObject({ code: 'NAME_NOT_RESOLVED' });
    expect(await look(() => Promise.reject(new Error('SERVFAIL')))).toMatchObject({
      code: 'NAME_NOT_RESOLVED',
    });
    expect(await look(answering('8.8.8.8'), { family: 6 })).toMatchObject({ code: 'NAME_NOT_RESOLVED' });
  });

  test('of the real localhost leads to this machine in development', async () => {
    const found = await new Promise((resolve) => {
      guardedLookup(development)('localhost', { family: 4 }, (error, address) => resolve(error ?? address));
    });
    expect(found).toBe('127.0.0.1');
  });
});

describe('the resolver of production', () => {
  const ask = async (hostname: string, records: Readonly<Record<string, readonly string[]>>) => {
    await using server = await nameServer(records);
    const dns = new DnsResolver({ timeout: 1_000, tries: 1 });
    dns.setServers([`127.0.0.1:${server.port}`]);
    return await look(dnsResolver(dns), { all: true }, production, hostname);
  };

  test('asks DNS for both families', async () => {
    expect(
      await ask('both.example', {
        'A both.example': ['8.8.8.8', '8.8.4.4'],
        'AAAA both.example': ['2606:4700::1111'],
      }),
    ).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '8.8.4.4', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('is content with one family', async () => {
    expect(await ask('four.example', { 'A four.example': ['8.8.8.8'] })).toEqual([
      { address: '8.8.8.8', family: 4 },
    ]);
    expect(await ask('six.example', { 'AAAA six.example': ['2606:4700::1111'] })).toEqual([
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('lets the guard see every address of both families', async () => {
    const records = { 'A mixed.example': ['8.8.8.8'], 'AAAA mixed.example': ['fd00::1'] };
    expect(await ask('mixed.example', records)).toMatchObject({ code: 'DESTINATION_REFUSED' });
  });

  test('has no answer for a name that DNS does not have', async () => {
    expect(await ask('gone.example', {})).toMatchObject({ code: 'NAME_NOT_RESOLVED' });
  });
});
