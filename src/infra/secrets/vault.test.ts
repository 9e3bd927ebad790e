import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVault } from './vault.ts';

const masterKey = randomBytes(32);

/** A platform's vault, opened as after a restart. */
function platformOf(code: string, key = masterKey) {
  const wrapped = createVault(key).newDataKey(code);
  return { wrapped, open: (as = code) => createVault(key).forPlatform(as, wrapped) };
}

describe('a sealed text', () => {
  it('opens for its row, also after a restart', () => {
    const platform = platformOf('acme');
    fc.assert(
      fc.property(fc.string(), fc.string({ unit: 'binary' }), (boundTo, text) => {
        expect(platform.open().open(boundTo, platform.open().seal(boundTo, text))).toBe(text);
      }),
    );
  });

  it('does not open for another row', () => {
    const vault = platformOf('acme').open();
    const sealed = vault.seal('contacts/jane', 'jane@example.com');
    for (const boundTo of ['contacts/john', 'contacts/jane ', 'contacts', '', 'contacts/jane/email'])
      expect(() => vault.open(boundTo, sealed)).toThrow();
  });

  it('does not open for another platform or under another master key', () => {
    const sealed = platformOf('acme').open().seal('contacts/jane', 'secret');
    expect(() => platformOf('other').open().open('contacts/jane', sealed)).toThrow();
    expect(() => platformOf('acme').open().open('contacts/jane', sealed)).toThrow();
    expect(() => platformOf('acme', randomBytes(32)).open().open('contacts/jane', sealed)).toThrow();
  });

  it('opens with the key of its platform after another key for the same code was used, and not stored', () => {
    const { wrapped, open } = platformOf('acme');
    const sealed = open().seal('contacts/jane', 'secret');
    const vault = createVault(masterKey);
    vault.forPlatform('acme', vault.newDataKey('acme')).seal('contacts/jane', 'refused');
    expect(vault.forPlatform('acme', wrapped).open('contacts/jane', sealed)).toBe('secret');
    expect(vault.forPlatform('acme', wrapped)).toBe(vault.forPlatform('acme', wrapped));
  });

  it('does not open with a changed bit or cut short', () => {
    const vault = platformOf('acme').open();
    const sealed = vault.seal('place', 'text');
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(() => vault.open('place', changed)).toThrow();
    }
    for (let length = 0; length < sealed.length; length++)
      expect(() => vault.open('place', sealed.subarray(0, length))).toThrow();
  });

  it('reveals neither the text nor that two texts are equal', () => {
    const vault = platformOf('acme').open();
    const [one, other] = [vault.seal('place', 'the same text'), vault.seal('place', 'the same text')];
    expect(one.equals(other)).toBe(false);
    expect(one.includes('the same')).toBe(false);
    expect(one.subarray(12).equals(other.subarray(12))).toBe(false);
  });

  it('opens as a part of a larger buffer', () => {
    const vault = platformOf('acme').open();
    const sealed = vault.seal('place', 'text');
    const larger = Buffer.concat([randomBytes(7), sealed, randomBytes(5)]);
    expect(vault.open('place', new Uint8Array(larger.buffer, larger.byteOffset + 7, sealed.length))).toBe(
      'text',
    );
  });
});

describe("a platform's data key", () => {
  it('is wrapped for its platform only', () => {
    const platform = platformOf('acme');
    expect(() => platform.open('other')).toThrow();
    expect(() => createVault(randomBytes(32)).forPlatform('acme', platform.wrapped)).toThrow();
  });

  it('is a new one each time', () => {
    expect(platformOf('acme').wrapped.equals(platformOf('acme').wrapped)).toBe(false);
  });
});

describe('derived bytes', () => {
  it('are the same only for the same purpose and master key', () => {
    const { derive } = createVault(masterKey);
    expect(derive('check', 32)).toEqual(createVault(masterKey).derive('check', 32));
    expect(derive('check', 32).equals(derive('other', 32))).toBe(false);
    expect(derive('check', 32).equals(createVault(randomBytes(32)).derive('check', 32))).toBe(false);
    expect(derive('check', 20)).toHaveLength(20);
  });
});
