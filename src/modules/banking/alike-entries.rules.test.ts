import { describe, expect, it } from 'vitest';
import { type AlikeEntry, paymentTextOf, takeAlike } from './alike-entries.rules.ts';
import type { BankDetail } from './formats/bank-document.ts';

/** `a/b`: a statement reports a, a notification b; `-` if one of them reports nothing. */
const known = (...texts: string[]): AlikeEntry[] =>
  texts.map((text, index) => {
    const [stated, notified] = text.split('/').map((each) => (each === '-' ? null : each));
    return { identityMac: Buffer.from([index]), stated: stated ?? null, notified: notified ?? null };
  });
const take = (type: 'STATEMENT' | 'NOTIFICATION', payments: (string | null)[], ...texts: string[]) =>
  takeAlike(payments, known(...texts), type).map((entry) => entry?.identityMac[0] ?? 'new');

describe('takeAlike', () => {
  it.each([
    ['what another notification says', ['a'], ['-/a'], [0]],
    ['what a statement says', ['b'], ['a/-', 'b/-'], [1]],
    ['what a statement says otherwise', ['c'], ['a/-'], [0]],
    ['no payment that another notification tells apart', ['b'], ['-/a'], ['new']],
    ['no entry twice', ['a', 'a'], ['-/a'], [0, 'new']],
    ['anything, saying nothing', [null, null, null], ['a/a', 'b/-'], [1, 0, 'new']],
    ['the same before anything else', ['b', 'a'], ['a/-', 'c/-'], [1, 0]],
  ])('a notification takes %s', (_, payments, texts, expected) => {
    expect(take('NOTIFICATION', payments, ...texts)).toEqual(expected);
  });

  it.each([
    ['what another statement says', ['b'], ['a/-', 'b/-'], [1]],
    ['what a notification says', ['b', 'a'], ['-/a', '-/b'], [1, 0]],
    ['what remains', ['c', 'a'], ['-/a', '-/b'], [1, 0]],
    ['no entry twice', ['a', 'a', null], ['-/a', '-/b'], [0, 1, 'new']],
  ])('a statement takes %s', (_, payments, texts, expected) => {
    expect(take('STATEMENT', payments, ...texts)).toEqual(expected);
  });
});

describe('three documents in any order', () => {
  const DOCUMENTS = ['S a', 'S ab', 'S ba', 'S aa', 'N a', 'N b', 'N aa', 'N ab'];
  const plans = DOCUMENTS.flatMap((one) =>
    DOCUMENTS.flatMap((two) => DOCUMENTS.map((three) => [one, two, three])),
  );

  /** The number of known entries after the documents, processed one by one. */
  function countAfter(documents: readonly string[]): number {
    const entries: AlikeEntry[] = [];
    for (const [kind, , ...payments] of documents) {
      const type = kind === 'S' ? 'STATEMENT' : 'NOTIFICATION';
      takeAlike(payments, entries, type).forEach((taken, index) => {
        const entry = taken ?? { identityMac: Buffer.of(entries.length), stated: null, notified: null };
        if (!taken) entries.push(entry);
        entry[type === 'STATEMENT' ? 'stated' : 'notified'] ??= payments[index] as string;
      });
    }
    return entries.length;
  }

  it('make as many entries as one statement has, or as notifications tell apart', () => {
    for (const documents of plans) {
      const most = (kind: string, payment: RegExp) =>
        Math.max(
          ...documents.map((each) => (each.startsWith(kind) ? each.slice(2).match(payment)?.length : 0) ?? 0),
        );
      const expected = Math.max(most('S', /./g), most('N', /a/g) + most('N', /b/g));
      expect([documents, countAfter(documents)]).toEqual([documents, expected]);
    }
  });
});

describe('paymentTextOf', () => {
  const detail = (more: Partial<BankDetail>): BankDetail => ({
    ...{ amountMinor: 700, endToEndId: null, references: [], creditorReferences: [], remittance: '' },
    ...{ counterparty: { name: null, account: null }, returnReason: null },
    ...more,
  });
  it.each([
    ['nothing', [], null],
    ['a payment of which nothing is said', [detail({})], null],
    [
      'the EndToEndId alone, as other references can come later',
      [detail({ endToEndId: 'E1', references: ['E1', 'T1'], remittance: 'text' })],
      '["E1"]',
    ],
    ['another reference', [detail({ references: ['T1'], remittance: 'text' })], '["T1"]'],
    [
      'text and payer without line breaks',
      [detail({ remittance: 'INV\n 1', counterparty: { name: 'Ada', account: 'X1' } })],
      '["INV 1 X1 Ada"]',
    ],
    ['every payment of a batch', [detail({ endToEndId: 'E1' }), detail({ remittance: 'b' })], '["E1","b"]'],
  ])('reads %s', (_, details, expected) => {
    expect(paymentTextOf({ details })).toBe(expected);
  });
});
