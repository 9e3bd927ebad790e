/**
 * Which IP addresses a request to a customer's URL may reach. Pure rules without I/O. Only addresses known to be public
 * are allowed, so that an unforeseen range is refused.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `CLOSED`: private, link-local, multicast, reserved, an IPv6 that embeds an IPv4, or no address at all. */
export type AddressKind = 'PUBLIC' | 'LOOPBACK' | 'CLOSED';

export type Cidr = [network: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/** The only part of IPv6 that IANA allocates to networks; the rest is reserved, local or a translation prefix. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** Classifies an address in text form, without brackets. */
export function addressKind(text: string): AddressKind {
  const address = parseAddress(text);
  if (!address) return 'CLOSED';
  const range = address.range();
  if (range === 'loopback') return 'LOOPBACK';
  // ipaddr.js calls an address outside all special-purpose ranges of IANA `unicast`.
  if (range !== 'unicast') return 'CLOSED';
  if (isIPv6(address) && (!address.match(GLOBAL_UNICAST) || isIsatap(address))) return 'CLOSED';
  return 'PUBLIC';
}

/** Parses `10.20.0.0/16` or `fd00:1::/64`. Throws an error whose message is for the operator. */
export function parseCidr(text: string): Cidr {
  const [network = '', prefixLength = ''] = text.split('/');
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  const isValid = /^\d{1,3}$/.test(prefixLength) && Number(prefixLength) <= bitsMax;
  const address = parseAddress(network);
  if (!isValid || !address || text.split('/').length !== 2) {
    throw new Error(`"${text}" is not a network such as 10.20.0.0/16 or fd00:1::/64.`);
  }
  return [address, Number(prefixLength)];
}

/** Whether a network contains the address. An IPv4 address embedded in IPv6 is in no IPv4 network. */
export function isWithin(text: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  return cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
}

/** ipaddr.js also parses octal, hexadecimal and shortened IPv4, so Node's strict check comes first. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone id (fe80::1%eth0) names an interface of this machine.
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function isIPv6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

/** Whether the interface identifier is 00-00-5E-FE (ISATAP, RFC 5214), which embeds an IPv4 address. Two of its bits are flags. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfcff) === 0 && address.parts[5] === 0x5efe;
}
