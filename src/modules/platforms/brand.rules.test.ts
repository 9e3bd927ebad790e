import { expect, it } from 'vitest';
import { readBrandColor } from './brand.rules.ts';

it.each([
  ['#0A5C36', { color: '#0a5c36' }],
  [' #1f4fc4 ', { color: '#1f4fc4' }],
  ['#ffcc00', expect.stringContaining('is too light')],
  ['#777777', expect.stringContaining('is too light')],
  ['green', 'must be a colour such as #1f4fc4'],
  ['#0a5c36;}', 'must be a colour such as #1f4fc4'],
])('reads %j', (text, read) => {
  expect(readBrandColor(text)).toEqual(read);
});
