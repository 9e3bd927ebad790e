import { describe, expect, it } from 'vitest';
import { SCRIPTS, type Script, scriptOf } from './sandbox-script.rules.ts';

describe('the script of a buyer', () => {
  it.each(Object.keys(SCRIPTS) as Script[])('%s is its external_id, or the end of it', (script) => {
    for (const id of [script, `cafe-${script}`, `cafe_${script}`, `a-b_c-${script}`])
      expect(scriptOf(id, []), id).toBe(script);
    for (const id of [`cafe${script}`, `${script}-cafe`, `cafe-${script}2`, `cafe-${script.toUpperCase()}`])
      expect(scriptOf(id, []), id).toBeNull();
  });

  it.each(Object.keys(SCRIPTS) as Script[])('%s is the name of a contact’s mailbox', (script) => {
    expect(scriptOf('cafe', ['info@cafe.example', `${script}@cafe.example`])).toBe(script);
    expect(scriptOf('cafe', [`${script.toUpperCase()}@cafe.example`])).toBe(script);
    expect(scriptOf('cafe', [`cafe-${script}@cafe.example`, `x@${script}.example`, script])).toBeNull();
  });

  it('is that of the external_id if both have one', () => {
    expect(scriptOf('cafe-rejected', ['accepted@cafe.example'])).toBe('rejected');
  });

  it('is null for all other buyers', () => {
    for (const id of ['cafe', 'accept', 'review', 'limit', ''])
      expect(scriptOf(id, ['', '@', 'a@b'])).toBeNull();
  });
});
