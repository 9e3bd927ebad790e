import { describe, expect, it } from 'vitest';
import { type EpcTransfer, epcQrOf } from './epc-qr.rules.ts';

const BENEFICIARY = { name: 'Markthalle GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' };
const transfer = (more: Partial<EpcTransfer> = {}): EpcTransfer => ({
  beneficiary: BENEFICIARY,
  amountMinor: 11_900,
  currency: 'EUR',
  reference: 'RF18539007547034',
  ...more,
});
const to = (more: Partial<typeof BENEFICIARY> | { bic: null }) =>
  transfer({ beneficiary: { ...BENEFICIARY, ...more } });
const linesOf = (wanted: EpcTransfer) => epcQrOf(wanted)?.split('\n') ?? [];

describe('the text of the QR code', () => {
  it('has the elements of EPC069-12 in their order, and ends with the reference', () => {
    expect(epcQrOf(transfer())).toBe(
      [
        ...['BCD', '002', '1', 'SCT', 'COBADEFFXXX', 'Markthalle GmbH', 'DE89370400440532013000'],
        ...['EUR119.00', '', 'RF18539007547034'],
      ].join('\n'),
    );
  });

  it.each([
    [1, 'EUR0.01'],
    [10, 'EUR0.10'],
    [100, 'EUR1.00'],
    [123_456_789, 'EUR1234567.89'],
    [99_999_999_999, 'EUR999999999.99'],
  ])('writes the amount of %d cents as %s', (amountMinor, text) => {
    expect(linesOf(transfer({ amountMinor }))[7]).toBe(text);
  });

  it.each([
    ['DE89370400440532013000', null, true],
    ['IS140159260076545510730339', null, true],
    ['CH9300762011623852957', null, false],
    ['CH9300762011623852957', 'UBSWCHZH80A', true],
    ['GB29NWBK60161331926819', 'NWBKGB2L', true],
    ['MC5811222000010123456789030', null, false],
    ['TR330006100519786457841326', 'TGBATRIS', false],
    ['BR1800360305000010009795493C1', 'CEFXBRSP', false],
  ])('of %s with the BIC %s: %s', (iban, bic, isPossible) => {
    expect(epcQrOf(to({ iban, bic: bic as string })) !== null).toBe(isPossible);
  });

  it('leaves the line of the BIC empty in the EEA if there is none', () => {
    expect(linesOf(to({ bic: null })).slice(3, 7)).toEqual([
      ...['SCT', '', 'Markthalle GmbH', 'DE89370400440532013000'],
    ]);
  });

  it.each([
    ['without an account', { beneficiary: null }],
    ['of pounds', { currency: 'GBP' }],
    ['of nothing', { amountMinor: 0 }],
    ['of more than 999,999,999.99', { amountMinor: 100_000_000_000 }],
  ] as const)('is null %s', (_, more) => {
    expect(epcQrOf(transfer(more))).toBeNull();
  });

  it.each([
    ['a'.repeat(90), 'a'.repeat(70)],
    [`${'a'.repeat(69)} b`, 'a'.repeat(69)],
    ['Müller  &\tSöhne\n', 'Müller & Söhne'],
    ['市'.repeat(80), '市'.repeat(70)],
  ])('takes at most 70 characters of the name %s', (name, shown) => {
    expect(linesOf(to({ name }))[5]).toBe(shown);
  });

  it('has at most 331 bytes, and no half of a character', () => {
    const text = epcQrOf(to({ name: '𠮷'.repeat(70), iban: 'MT84MALT011000012345MTLCAST001S' })) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(331);
    expect(Buffer.byteLength(text)).toBeGreaterThan(327);
    expect(text.split('\n')[5]).toMatch(/^(𠮷)+$/u);
    expect(text).toMatch(/\nRF18539007547034$/);
  });
});
