import { describe, expect, it } from 'vitest';
import { assertCreditable, type CreditNoteRequest } from './credit-note.rules.ts';

const DAY = 86_400;
/** 2025-11-20 12:00 UTC. */
const INVOICED_AT = 1_763_640_000;

const invoice = {
  external_id: 'invoice',
  status: 'OPEN' as const,
  invoiced_at: INVOICED_AT,
  currency: 'EUR' as const,
  amount_net: 10_000,
  amount_tax: 1_900,
  amount_gross: 11_900,
  credit_notes: { count: 0, net: 0, tax: 0, gross: 0 },
  late_charges: { amount: 0, paid: 0, outstanding: 0 },
};
const request = (net: number, tax: number, more: Partial<CreditNoteRequest> = {}): CreditNoteRequest => ({
  amount: { net, tax, gross: net + tax },
  currency: null,
  invoicedAt: INVOICED_AT,
  timeZone: 'UTC',
  ...more,
});
const refusalOf = (...[of, wanted]: Parameters<typeof assertCreditable>) => {
  try {
    assertCreditable(of, wanted);
  } catch (error) {
    return error;
  }
  return null;
};

describe('what may be credited', () => {
  it.each([
    ['all of it', request(10_000, 1_900)],
    ['only tax', request(0, 1_900)],
    ['only net', request(10_000, 0)],
    ["in the invoice's currency", request(1, 0, { currency: 'EUR' })],
    ['on the day of the invoice, though earlier', request(1, 0, { invoicedAt: INVOICED_AT - DAY / 2 })],
  ])('%s', (_, wanted) => {
    expect(refusalOf(invoice, wanted)).toBeNull();
  });

  it.each([
    ['gross', request(10_001, 1_900)],
    ['net', request(10_001, 0)],
    ['tax', request(1, 1_901)],
  ])('not more %s than the invoice has', (part, wanted) => {
    expect(refusalOf(invoice, wanted)).toMatchObject({
      reason: 'CREDIT_NOTE_EXCEEDS_INVOICE',
      message: expect.stringContaining(`of its ${part} amount`),
      details: {
        requested: wanted.amount,
        available: { net: 10_000, tax: 1_900, gross: 11_900 },
        currency: 'EUR',
      },
    });
  });

  it('counts the credit notes before', () => {
    const credited = { ...invoice, credit_notes: { count: 2, net: 6_000, tax: 1_140, gross: 7_140 } };
    expect(refusalOf(credited, request(4_000, 760))).toBeNull();
    expect(refusalOf(credited, request(4_000, 761))).toMatchObject({
      details: { available: { net: 4_000, tax: 760, gross: 4_760 } },
    });
  });

  it.each([
    ['is cancelled', { ...invoice, status: 'CANCELLED' as const }, request(1, 0)],
    ['has another currency', invoice, request(1, 0, { currency: 'GBP' })],
    ['has a later date', invoice, request(1, 0, { invoicedAt: INVOICED_AT - DAY })],
    [
      'has a later date where the platform is',
      invoice,
      request(1, 0, { invoicedAt: INVOICED_AT - DAY / 2, timeZone: 'Pacific/Kiritimati' }),
    ],
  ])('not of an invoice that %s', (_, of, wanted) => {
    expect(refusalOf(of, wanted)).toMatchObject({
      reason: 'INVOICE_NOT_CREDITABLE',
      details: { invoice_external_id: 'invoice', status: of.status },
    });
  });
});
