import { isIPv4, isIPv6 } from 'node:net';

/** The network that an address is counted under: /24 of IPv4, /64 of IPv6; what is no address is itself. */
export function networkOf(address: string): string {
  const plain = address.toLowerCase().replace(/%.*$/, '');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  const v4 = mapped ?? plain;
  if (isIPv4(v4)) return `${v4.slice(0, v4.lastIndexOf('.'))}.0/24`;
  return isIPv6(plain) ? `${groups(plain).slice(0, 4).join(':')}::/64` : 'unknown';
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
