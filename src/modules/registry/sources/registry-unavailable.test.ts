import { describe, expect, it } from 'vitest';
import { RegistryUnavailable, UNAVAILABLE_KINDS, type UnavailableKind } from './registry-unavailable.ts';

describe('RegistryUnavailable', () => {
  it.each(Object.keys(UNAVAILABLE_KINDS) as UnavailableKind[])('explains %s in a sentence', (kind) => {
    const { message } = new RegistryUnavailable('GLEIF', kind);
    expect(message).toMatch(/^The registry GLEIF is unavailable: [a-z].*[a-z]\.$/);
  });

  it.each(['HTTP_503', 'ECONNREFUSED', 'VOW-ERR-1', 'TypeError'])(
    'keeps the name of an error: %s',
    (code) => {
      expect(new RegistryUnavailable('GLEIF', 'PROTOCOL', { code })).toMatchObject({ code });
    },
  );

  it.each(['', '<b>', 'two words', 'A'.repeat(49), 'A\nB', '503'])('repeats nothing else: %j', (code) => {
    expect(new RegistryUnavailable('GLEIF', 'PROTOCOL', { code })).toMatchObject({ code: null });
  });
});
