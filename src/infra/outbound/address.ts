/**
 * Which IP addresses a request to a stranger's url may reach. Pure rules, without I/O: an address is refused unless it
 * is known to be somebody's on the public internet, so that a range nobody thought of is closed and not open.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `CLOSED`: private, link-local, multicast, reserved, an IPv6 that embeds an IPv4, or no address at all. */
export type AddressKind = 'PUBLIC' | 'LOOPBACK' | 'CLOSED';

export type Cidr = [network: ipaddr.IPv4 | ipaddr.IPv6, prefixLength: number];

/** The only part of IPv6 handed out to networks (IANA); everything outside is reserved, local or a translation prefix. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3');

/** The kind of an address written as text, without brackets. */
export function addressKind(text: string): AddressKind {
  const address = parseAddress(text);
  if (!address) return 'CLOSED';
  const range = address.range();
  if (range === 'loopback') return 'LOOPBACK';
  // `unicast` is ipaddr.js's word for what is in none of the ranges set apart by IANA.
  if (range !== 'unicast') return 'CLOSED';
  if (isIPv6(address) && (!address.match(GLOBAL_UNICAST) || isIsatap(address))) return 'CLOSED';
  return 'PUBLIC';
}

/** Reads `10.20.0.0/16` or `fd00:1::/64`. Throws a sentence for the operator. */
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

/** Compares the address as it is: an IPv4 embedded in an IPv6 is not within an IPv4 network. */
export function isWithin(text: string, cidrs: readonly Cidr[]): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  return cidrs.some((cidr) => cidr[0].kind() === address.kind() && address.match(cidr));
}

/** ipaddr.js alone also reads octal, hexadecimal and shortened IPv4: Node's strict test comes first. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // A zone id (fe80::1%eth0) names an interface of this machine.
  return isIP(text) === 0 || text.includes('%') ? null : ipaddr.parse(text);
}

function isIPv6(address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 {
  return address.kind() === 'ipv6';
}

/** An interface identifier of 00-00-5E-FE (RFC 5214) carries an IPv4, under any prefix; two of its bits are flags. */
function isIsatap(address: ipaddr.IPv6): boolean {
  return ((address.parts[4] ?? 0) & 0xfcff) === 0 && address.parts[5] === 0x5efe;
}
