/**
 * The special-purpose address ranges of IANA, written out and matched with integers: an independent check of
 * `src/infra/outbound/address.ts`, which trusts ipaddr.js. Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries, IPv6 address
 * space, multicast (RFC 5771, RFC 4291).
 */
const CLOSED_IPV4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
];

const CLOSED_IPV6 = [
  '::/128', // unspecified
  '::1/128', // loopback
  '::/96', // IPv4-compatible
  '::ffff:0:0/96', // IPv4-mapped
  '::ffff:0:0:0/96', // IPv4-translated
  '64:ff9b::/96', // NAT64
  '64:ff9b:1::/48', // NAT64, local
  '100::/64', // discard
  '::/3', // not handed out
  '2001::/32', // Teredo
  '2001:2::/48', // benchmarking
  '2001:10::/28', // ORCHID
  '2001:20::/28', // ORCHIDv2
  '2001::/23', // protocol assignments
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
  '4000::/2', // not handed out
  '5f00::/16', // segment routing
  '8000::/1', // not handed out
  'fc00::/7', // unique-local
  'fe80::/10', // link-local
  'fec0::/10', // site-local
  'ff00::/8', // multicast
];

export interface AddressCase {
  address: string;
  isPublic: boolean;
}

interface Range {
  bits: 32 | 128;
  first: bigint;
  last: bigint;
}

const ranges: Range[] = [...CLOSED_IPV4, ...CLOSED_IPV6].map(rangeOf);

/** The first two and last two addresses of each range, three spread over it, and its neighbours on both sides. */
export function boundaryCases(): AddressCase[] {
  const addresses = ranges.flatMap(({ bits, first, last }) =>
    [
      first - 1n,
      first,
      first + 1n,
      ...[1n, 2n, 3n].map((n) => first + ((last - first) * n) / 4n),
      last - 1n,
      last,
      last + 1n,
    ]
      .filter((value) => value >= 0n && value < 1n << BigInt(bits))
      .map((value) => textOf(value, bits)),
  );
  return [...new Set(addresses)].map(caseOf);
}

/** Addresses all over both families, half of the IPv6 ones in the allocated part. `chance` is in [0, 1). */
export function scatteredCases(count: number, chance: () => number): AddressCase[] {
  return Array.from({ length: count }, (_, index) => {
    const groups = Array.from({ length: 8 }, () => Math.floor(chance() * 65_536));
    if (index % 2 === 0) return caseOf(textOf(integerOf(groups.slice(0, 2), 16), 32));
    if (index % 4 === 1) groups[0] = 0x2000 + ((groups[0] ?? 0) & 0x1fff);
    // Interface identifiers around the ISATAP ones.
    if (index % 8 === 1) groups.splice(4, 2, (groups[4] ?? 0) & 0x0301, 0x5efe);
    return caseOf(textOf(integerOf(groups, 16), 128));
  });
}

function caseOf(address: string): AddressCase {
  const { first, bits } = rangeOf(`${address}/${address.includes(':') ? 128 : 32}`);
  const isSetApart = ranges.some(
    (range) => range.bits === bits && first >= range.first && first <= range.last,
  );
  const identifier = bits === 128 ? (first >> 32n) & 0xffff_ffffn : 0n;
  // 0000:5efe and 0200:5efe, with and without the group bit (0100, 0300).
  const isIsatap = [0x0000_5efen, 0x0100_5efen, 0x0200_5efen, 0x0300_5efen].includes(identifier);
  return { address, isPublic: !isSetApart && !isIsatap };
}

function rangeOf(cidr: string): Range {
  const [network = '', prefixLength] = cidr.split('/');
  const bits = network.includes(':') ? 128 : 32;
  const value = bits === 32 ? integerOf(network.split('.').map(Number), 8) : integerOf(groupsOf(network), 16);
  const size = 1n << BigInt(bits - Number(prefixLength));
  return { bits, first: value, last: value + size - 1n };
}

function groupsOf(text: string): number[] {
  const [head = [], tail = []] = text.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = text.includes('::') ? Array(8 - head.length - tail.length).fill('0') : [];
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}

function integerOf(parts: number[], bitsEach: number): bigint {
  return parts.reduce((value, part) => (value << BigInt(bitsEach)) | BigInt(part), 0n);
}

function textOf(value: bigint, bits: 32 | 128): string {
  const [count, bitsEach, base, mark] =
    bits === 32 ? ([4, 8, 10, '.'] as const) : ([8, 16, 16, ':'] as const);
  const parts = Array.from({ length: count }, (_, index) => {
    const shift = BigInt(bitsEach * (count - 1 - index));
    return ((value >> shift) & ((1n << BigInt(bitsEach)) - 1n)).toString(base);
  });
  return parts.join(mark);
}
