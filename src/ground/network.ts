import { isIPv4, isIPv6 } from 'node:net';

/** The network of an address: /24 of IPv4, /64 of IPv6. A text that is no address is returned as it is. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  const v4 = mapped ?? plain;
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  return isIPv6(plain) ? `${groups(plain).slice(0, 4).join(':')}::/64` : 'unknown';
}

/** The network of an address, and the wider one around it: /16 of IPv4, /48 of IPv6. */
export type Networks = readonly [narrow: string, wide: string];

export function networksOf(address: string): Networks {
  const narrow = networkOf(address);
  const v4 = /^(\d+\.\d+)\.\d+\.0\/24$/.exec(narrow)?.[1];
  if (v4 !== undefined) return [narrow, `${v4}.0.0/16`];
  const v6 = /^(.*):[^:]+::\/64$/.exec(narrow)?.[1];
  return [narrow, v6 === undefined ? narrow : `${v6}::/48`];
}

/** The eight groups of an IPv6 address, shortest form each. */
function groups(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const dotted = [...before, ...after].some((group) => group.includes('.')) ? 1 : 0;
  const missing = tail === undefined ? 0 : 8 - dotted - before.length - after.length;
  const all = [...before, ...Array<string>(Math.max(missing, 0)).fill('0'), ...after];
  return all.map((group) => group.replace(/^0+(?=.)/, ''));
}
