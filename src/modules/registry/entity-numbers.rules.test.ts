import { describe, expect, it } from 'vitest';
import { registerId, vatId } from '#test/registry-entry';
import { entityNumbersOf } from './entity-numbers.rules.ts';

const isSame = (
  one: Parameters<typeof entityNumbersOf>,
  other: Parameters<typeof entityNumbersOf>,
): boolean => {
  const numbers = entityNumbersOf(...other);
  return entityNumbersOf(...one).some((number) => numbers.includes(number));
};

describe('two buyers with a number in common', () => {
  it.each([
    ['a VAT id in another spelling', [vatId('DE811907980')], [vatId('de 811 907 980')]],
    ['a register number in another spelling', [registerId('HRB 70008')], [registerId('hrb070008')]],
    ['one of several numbers', [vatId('DE811907980'), registerId('HRB 1')], [vatId('DE811907980')]],
  ])('are one legal entity: %s', (_, one, other) => {
    expect(isSame([one, 'Nordlicht Energie AG'], [other, 'Nordlicht Energie'])).toBe(true);
  });

  it('are not by a number of another court, which the name tells apart', () => {
    const numbers = [registerId('HRB 70008')];
    expect(isSame([numbers, 'Nordlicht Energie AG'], [numbers, 'Backstube Sommer GmbH'])).toBe(false);
  });

  it('are by a number that is one of its country, whatever the name', () => {
    const numbers = [registerId('12345678', 'GB')];
    expect(isSame([numbers, 'Invented Widgets Ltd'], [numbers, 'Widgets Trading'])).toBe(true);
  });

  it('are not by a number of another country or kind, of an agency, or without digits and letters', () => {
    expect(isSame([[vatId('123456789', 'DE')], 'A'], [[vatId('123456789', 'FR')], 'A'])).toBe(false);
    expect(isSame([[vatId('12345678', 'GB')], 'A'], [[registerId('12345678', 'GB')], 'A'])).toBe(false);
    expect(entityNumbersOf([{ type: 'AGENCY1_ID', value: '4711', country: 'DE' }], 'A')).toEqual([]);
    expect(entityNumbersOf([registerId(' - ')], 'A')).toEqual([]);
  });
});
