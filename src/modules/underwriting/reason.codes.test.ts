import { expect, it } from 'vitest';
import { MESSAGE_KEYS } from '#messages';
import { BUYER_REASONS } from './reason.codes.ts';

it('every reason for buyers has words for them, and no words are left over', () => {
  const worded = MESSAGE_KEYS.filter((key) => key.startsWith('reason.'));
  expect(worded.sort()).toEqual(BUYER_REASONS.map((code) => `reason.${code}`).sort());
});
