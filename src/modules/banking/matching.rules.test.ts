import { describe, expect, it } from 'vitest';
import { NO_DETAILS } from './bank-details.ts';
import { decideParts, type NamedInvoice, numbersIn, paymentNamesIn, referencesIn } from './matching.rules.ts';

/** Creditor references with valid check digits. */
const A = 'RF25000000000000000A';
const B = 'RF95000000000000000B';

const invoice = (more: Partial<NamedInvoice>): NamedInvoice => ({
  externalId: 'a',
  paymentReference: A,
  invoiceNumber: 'RE-1',
  status: 'OPEN',
  currency: 'EUR',
  outstandingMinor: 10_000,
  chargesMinor: 0,
  residueMinor: 100,
  ...more,
});
const other = (more: Partial<NamedInvoice> = {}) =>
  invoice({ externalId: 'b', paymentReference: B, invoiceNumber: 'RE-2', outstandingMinor: 5_000, ...more });

const written = (remittance: string, ...creditorReferences: string[]) => ({
  ...NO_DETAILS,
  remittance,
  creditorReferences,
});

describe('referencesIn', () => {
  it.each([
    ['nothing', written(''), []],
    ['a field of its own', written('', A), [A]],
    ['the field, printed in groups', written('', 'RF25 0000 0000 0000 000A'), [A]],
    ['the text', written(`Rechnung ${A} danke`), [A]],
    ['the text in groups and in small letters', written('rf25 0000 0000 0000 000aDanke'), [A]],
    ['two in one text', written(`${A}/${B}`), [A, B]],
    ['the same in both', written(A, A), [A]],
    ['wrong check digits', written('RF26000000000000000A', 'RF26000000000000000A'), []],
    ['a text that only begins alike', written('RF25000'), []],
  ])('finds %s', (_, details, expected) => {
    expect(referencesIn(details)).toEqual(expected);
  });
});

describe('numbersIn', () => {
  it.each([
    ['Rechnung RE-2025-17.', ['RE-2025-17']],
    ['(INV/42), INV/43; #INV/44', ['INV/42', 'INV/43', 'INV/44']],
    ['INV 2025 42', ['INV 2025 42', '2025 42', '2025']],
    ['RE-2025- 17', ['RE-2025 17', 'RE-202517']],
    ['keine Nummer', []],
    ['7', []],
  ])('finds in %j', (text, expected) => {
    const found = numbersIn(written(text));
    expect(found).toEqual(expect.arrayContaining(expected));
    expect(found.length === 0).toBe(expected.length === 0);
  });

  it('reads only the beginning of an endless text', () => {
    expect(numbersIn(written('4711 '.repeat(100_000))).length).toBeLessThan(10);
  });
});

describe('decideParts', () => {
  const decide = (amountMinor: number, details = written(''), ...invoices: NamedInvoice[]) =>
    decideParts({ amountMinor, currency: 'EUR' }, paymentNamesIn(details), invoices);
  const part = (externalId: string, amountMinor: number, differenceMinor = 0) => ({
    externalId,
    amountMinor,
    differenceMinor,
  });
  const closed = { status: 'CLOSED', outstandingMinor: 0 };
  const late = invoice({ chargesMinor: 258 });

  const byA = written('', A);
  const byNumber = written('RE-1');
  const byBoth = written('RE-1, RE-2');
  const pays: [string, ReturnType<typeof decide>, unknown][] = [
    ['a reference exactly', decide(10_000, byA, invoice({})), [part('a', 10_000)]],
    ['a reference in part', decide(4_000, byA, invoice({})), [part('a', 4_000)]],
    ['a reference and more', decide(12_000, byA, invoice({})), [part('a', 12_000)]],
    ['a paid one again', decide(10_000, byA, invoice(closed)), [part('a', 10_000)]],
    ['a reference short by the residue', decide(9_900, byA, invoice({})), [part('a', 9_900, 100)]],
    ['a reference short by more', decide(9_899, byA, invoice({})), [part('a', 9_899)]],
    ['a number exactly', decide(10_000, byNumber, invoice({})), [part('a', 10_000)]],
    ['a number short by the residue', decide(9_950, byNumber, invoice({})), [part('a', 9_950, 50)]],
    ['two numbers', decide(15_000, byBoth, invoice({}), other()), [part('a', 10_000), part('b', 5_000)]],
    [
      'two numbers short by the residue',
      decide(14_900, byBoth, invoice({}), other()),
      [part('a', 10_000), part('b', 4_900, 100)],
    ],
    ['two numbers, one of them paid', decide(5_000, byBoth, invoice(closed), other()), [part('b', 5_000)]],
    [
      'a reference and a number of another invoice',
      decide(15_000, written('RE-2', A), invoice({}), other()),
      [part('a', 10_000), part('b', 5_000)],
    ],
    [
      'a reference before a number that does not fit',
      decide(10_000, written('RE-2', A), invoice({}), other()),
      [part('a', 10_000)],
    ],
    [
      'two references',
      decide(15_000, written('', A, B), invoice({}), other()),
      [part('a', 10_000), part('b', 5_000)],
    ],
    ['a number with its charges', decide(10_258, byNumber, late), [part('a', 10_258)]],
    ['a number without its charges', decide(10_000, byNumber, late), [part('a', 10_000)]],
    ['the charges that are left', decide(258, byNumber, { ...late, ...closed }), [part('a', 258)]],
    [
      'two numbers with the charges of one',
      decide(15_258, byBoth, late, other()),
      [part('a', 10_258), part('b', 5_000)],
    ],
    [
      'two references with the charges of both',
      decide(15_300, written('', A, B), late, other({ chargesMinor: 42 })),
      [part('a', 10_258), part('b', 5_042)],
    ],
  ];
  it.each(pays)('pays %s', (_, decision, parts) => {
    expect(decision).toEqual({ parts });
  });

  const pounds = { currency: 'GBP' } as const;
  const cancelled = { status: 'CANCELLED', outstandingMinor: 0 };
  const waits: [string, ReturnType<typeof decide>, string][] = [
    ['nothing named', decide(10_000, written('Danke')), 'NOTHING_NAMED'],
    ['another sum', decide(10_001, byNumber, invoice({})), 'SUM_DIFFERS'],
    ['a part of a number', decide(5_000, byNumber, invoice({})), 'SUM_DIFFERS'],
    ['a number that is paid', decide(10_000, byNumber, invoice(closed)), 'SUM_DIFFERS'],
    ['a number short of its charges by less than the residue', decide(10_257, byNumber, late), 'SUM_DIFFERS'],
    ['two references, another sum', decide(14_000, written('', A, B), invoice({}), other()), 'SUM_DIFFERS'],
    ['another currency', decide(10_000, byA, invoice(pounds)), 'OTHER_CURRENCY'],
    ['a number in another currency', decide(10_000, byNumber, invoice(pounds)), 'OTHER_CURRENCY'],
    ['a cancelled invoice', decide(10_000, byA, invoice(cancelled)), 'CANCELLED_INVOICE'],
    ['one of two cancelled', decide(5_000, byBoth, invoice(cancelled), other()), 'CANCELLED_INVOICE'],
    [
      'a number of two invoices',
      decide(15_000, byNumber, invoice({}), other({ invoiceNumber: 'RE-1' })),
      'AMBIGUOUS_NUMBER',
    ],
  ];
  it.each(waits)('waits for a person: %s', (_, decision, reason) => {
    expect(decision).toEqual({ reason });
  });
});
