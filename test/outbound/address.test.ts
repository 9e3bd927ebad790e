import { describe, expect, it } from 'vitest';
import { addressKind, isWithin, parseCidr } from '#infra/outbound/address';
import { createOutboundHttp } from '#infra/outbound/http';
import { boundaryCases, scatteredCases } from '#test/address-ranges';
import { client, resolveInTurn } from '#test/outbound';

const BOUNDARIES_MIN = 300;
const boundaries = boundaryCases();

describe('an address', () => {
  it('is at every boundary of every range', () => {
    console.log(
      `${boundaries.length} addresses, ${boundaries.filter(({ isPublic }) => isPublic).length} of them public`,
    );
    expect(boundaries.length).toBeGreaterThanOrEqual(BOUNDARIES_MIN);
  });

  it.each(boundaries)('$address is public: $isPublic', async ({ address, isPublic }) => {
    expect(addressKind(address) === 'PUBLIC').toBe(isPublic);
    const outbound = client({ resolve: resolveInTurn([address]) });
    const host = address.includes(':') ? `[${address}]` : address;
    for (const url of ['https://receiver.example/hook', `https://${host}/hook`]) {
      const vetted = outbound.vet(url).then(() => null);
      if (isPublic) await vetted;
      else await expect(vetted).rejects.toMatchObject({ reason: 'ADDRESS' });
    }
  });

  it('is public or not according to the IANA registries', () => {
    // A fixed series (Numerical Recipes' generator), so that a failure can be repeated.
    let state = 1;
    const chance = () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 4_294_967_296;
    };
    const wrong = scatteredCases(20_000, chance).filter(
      ({ address, isPublic }) => (addressKind(address) === 'PUBLIC') !== isPublic,
    );
    expect(wrong).toEqual([]);
  });

  it.each([
    ['93.184.215.14', 'PUBLIC'],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'PUBLIC'],
    ['127.255.255.254', 'LOOPBACK'],
    ['::1', 'LOOPBACK'],
    ['::ffff:127.0.0.1', 'CLOSED'],
    ['::ffff:93.184.215.14', 'CLOSED'],
    ['::93.184.215.14', 'CLOSED'],
    ['::ffff:0:93.184.215.14', 'CLOSED'],
    ['64:ff9b::93.184.215.14', 'CLOSED'],
    ['64:ff9b:1:fffe::10.0.0.1', 'CLOSED'],
    ['2002:0a00:0001::1', 'CLOSED'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'CLOSED'],
    ['2606:4700:0:1:0:5efe:10.0.0.1', 'CLOSED'],
    ['2606:4700:0:1:200:5efe:93.184.215.14', 'CLOSED'],
    ['2606:4700:0:1:1:5efe:93.184.215.14', 'PUBLIC'],
    ['fe80::1%eth0', 'CLOSED'],
    ['2606:4700::1%1', 'CLOSED'],
    ['[2606:4700::1]', 'CLOSED'],
    ['0127.0.0.1', 'CLOSED'],
    ['0x7f000001', 'CLOSED'],
    ['2130706433', 'CLOSED'],
    ['127.1', 'CLOSED'],
    ['93.184.215', 'CLOSED'],
    ['93.184.215.14 ', 'CLOSED'],
    ['', 'CLOSED'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind);
  });
});

describe('a network the operator vouches for', () => {
  it.each([
    ['10.20.0.0/16', '10.20.255.255', true],
    ['10.20.0.0/16', '10.21.0.0', false],
    ['10.20.0.9/32', '10.20.0.9', true],
    ['0.0.0.0/0', '10.0.0.1', true],
    ['0.0.0.0/0', 'fd00::1', false],
    ['fd00:1::/64', 'fd00:1::ffff', true],
    ['fd00:1::/64', 'fd00:1:0:1::', false],
    ['10.0.0.0/8', '::ffff:10.0.0.1', false],
    ['10.0.0.0/8', '64:ff9b::10.0.0.1', false],
    ['10.0.0.0/8', 'not an address', false],
  ])('%s contains %s: %s', (cidr, address, expected) => {
    expect(isWithin(address, [parseCidr(cidr)])).toBe(expected);
  });

  it.each([
    '',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '010.0.0.0/8',
    '10.0/8',
    'fd00::/129',
    'fe80::%1/64',
    'example.com/8',
  ])('is not written %s', (text) => {
    expect(() => parseCidr(text)).toThrow('is not a network such as');
    expect(() => createOutboundHttp({ allowLoopback: false, extraPorts: [], allowCidrs: [text] })).toThrow();
  });
});
