import { describe, expect, it } from 'vitest';
import {
  groupedReference,
  isPaymentReference,
  newPaymentReference,
  referenceOf,
} from './payment-reference.rules.ts';

describe('a creditor reference', () => {
  // Examples of ISO 11649 and of the European Payments Council's guidance.
  it.each(['RF18539007547034', 'RF471234567890', 'RF18000000000539007547034', 'RF04ABC123'])(
    'is %s',
    (text) => {
      const body = text.slice(4);
      expect(referenceOf(body).slice(4)).toBe(body);
      expect(isPaymentReference(referenceOf(body))).toBe(true);
    },
  );

  it('has the check digits of the published example', () => {
    expect(referenceOf('539007547034')).toBe('RF18539007547034');
  });

  it.each([
    '',
    'RF',
    'RF19539007547034',
    'RF18539007547043',
    'rf18539007547034',
    'XX18539007547034',
    'RF18 5390 0754 7034',
  ])('is not %j', (text) => {
    expect(isPaymentReference(text)).toBe(false);
  });

  it('is another one each time, 20 characters, printed in groups of four', () => {
    const made = Array.from({ length: 100 }, newPaymentReference);
    expect(new Set(made).size).toBe(100);
    for (const reference of made) {
      expect(reference).toHaveLength(20);
      expect(isPaymentReference(reference)).toBe(true);
      expect(groupedReference(reference)).toMatch(/^RF\d{2}( [0-9A-Z]{4}){4}$/);
    }
  });
});
