import { expect, it } from 'vitest';
import { contrastOf, isColor, lightened } from './color.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
])('%s on %s has the contrast %d', (one, other, ratio) => {
  expect(contrastOf(one, other)).toBeCloseTo(ratio, 1);
  expect(contrastOf(other, one)).toBe(contrastOf(one, other));
});

it('lightens up to white', () => {
  expect(lightened('#0a5c36', 0)).toBe('#0a5c36');
  expect(lightened('#000000', 0.5)).toBe('#808080');
  expect(lightened('#0a5c36', 1)).toBe('#ffffff');
});

it.each(['#FFFFFF', '#fff', 'ffffff', '#ggffff', '#ffffff;', ''])('%j is no colour', (text) => {
  expect(isColor(text)).toBe(false);
});
