import { describe, expect, it } from 'vitest';
import { type BuyerAddresses, recipientsAmong } from './recipient.rules.ts';

const some = (...addresses: string[]) => addresses.map((to) => ({ to, name: null }));
const ALL: BuyerAddresses = {
  ofOrder: some('order@b.example'),
  ofInvoices: some('books@b.example', 'boss@b.example'),
  own: some('info@b.example'),
  ofOthers: some('old@b.example', 'new@b.example'),
};
const among = (addresses: Partial<BuyerAddresses>, refused: string[] = []) =>
  recipientsAmong({ ...{ ofOrder: [], ofInvoices: [], own: [], ofOthers: [] }, ...addresses }, (address) =>
    refused.includes(address),
  ).map(({ to }) => to);

describe('a buyer is written to', () => {
  it.each([
    ['at the address of the order', ALL, [], ['order@b.example']],
    [
      'else at every contact for invoices',
      { ...ALL, ofOrder: [] },
      [],
      ['books@b.example', 'boss@b.example'],
    ],
    ['else at its own address', { own: ALL.own, ofOthers: ALL.ofOthers }, [], ['info@b.example']],
    ['else at one other contact', { ofOthers: ALL.ofOthers }, [], ['old@b.example']],
    ['nowhere without an address', {}, [], []],
    ['not where the mail server refused', ALL, ['order@b.example'], ['books@b.example', 'boss@b.example']],
    ['at the rest of the contacts', ALL, ['order@b.example', 'books@b.example'], ['boss@b.example']],
    [
      'at the last that is left',
      ALL,
      ['order@b.example', 'books@b.example', 'boss@b.example', 'info@b.example', 'old@b.example'],
      ['new@b.example'],
    ],
    ['once, whatever its case', { ofInvoices: some('A@b.example', 'a@B.example') }, [], ['A@b.example']],
  ])('%s', (_, addresses, refused, expected) => {
    expect(among(addresses, refused)).toEqual(expected);
  });
});
