/** Fields of ISO 20022 messages. */
import type { XmlNode } from '#infra/files/xml-stream';
import { CURRENCIES, type Currency, minorDigits } from '#kernel/currency';
import { MINOR_UNITS_MAX } from '#kernel/fields';
import { WrongBankFile } from './bank-document.ts';

/** The first element at the path; undefined if there is none. */
export function nodeAt(node: XmlNode | undefined, ...path: string[]): XmlNode | undefined {
  return path.reduce<XmlNode | undefined>(
    (at, name) => at?.children.find((child) => child.name === name),
    node,
  );
}

export function nodesAt(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((child) => child.name === name) ?? [];
}

/** The text at the path; null if there is none. */
export function textAt(node: XmlNode | undefined, ...path: string[]): string | null {
  return nodeAt(node, ...path)?.text || null;
}

/** A code, which older versions write directly and later ones in `Cd` or `Prtry`. */
export function codeAt(node: XmlNode | undefined, ...path: string[]): string | null {
  const found = nodeAt(node, ...path);
  return textAt(found, 'Cd') ?? textAt(found, 'Prtry') ?? (found?.text || null);
}

export interface Money {
  amountMinor: number;
  currency: Currency;
}

/** An amount with its currency, without a sign. Throws WrongBankFile. */
export function moneyOf(node: XmlNode): Money {
  const currency = currencyOf(node, node.attributes.Ccy ?? '');
  return { amountMinor: minorOf(node, currency), currency };
}

/** Null if no currency is named. Throws WrongBankFile for one that is not supported. */
export function currencyAt(node: XmlNode | undefined, name: string): Currency | null {
  const found = nodeAt(node, name);
  return found ? currencyOf(found, found.text) : null;
}

function currencyOf(node: XmlNode, code: string): Currency {
  const currency = CURRENCIES.find((each) => each === code);
  if (!currency) throw wrongAt(node, `has an amount in ${code || 'no currency'}, which is not supported`);
  return currency;
}

/** Converts a decimal text without floating-point arithmetic. */
function minorOf(node: XmlNode, currency: Currency): number {
  const [, whole = '', decimals = ''] = /^\+?(\d{1,18})(?:\.(\d{0,18}))?$/.exec(node.text) ?? [];
  if (whole === '') throw wrongAt(node, `has ${JSON.stringify(node.text)} as an amount`);
  const digits = minorDigits(currency);
  if (/[1-9]/.test(decimals.slice(digits)))
    throw wrongAt(node, `has ${node.text} ${currency}, which has more than ${digits} decimals`);
  const minor = BigInt(whole + decimals.slice(0, digits).padEnd(digits, '0'));
  if (minor > BigInt(MINOR_UNITS_MAX)) throw wrongAt(node, `has the amount ${node.text}, which is too large`);
  return Number(minor);
}

/** 1 for a credit, -1 for a debit. Throws WrongBankFile. */
export function signOf(node: XmlNode, name = 'CdtDbtInd'): 1 | -1 {
  const side = textAt(node, name);
  if (side === 'CRDT') return 1;
  if (side === 'DBIT') return -1;
  throw wrongAt(node, `does not say whether an amount is a credit or a debit`);
}

/** A day, or the day of an instant as the bank writes it. Null if there is none; throws WrongBankFile for an invalid day. */
export function dayAt(node: XmlNode | undefined, ...path: string[]): string | null {
  const found = nodeAt(node, ...path);
  if (!found) return null;
  const text = textAt(found, 'Dt') ?? textAt(found, 'DtTm') ?? found.text;
  if (text === '') return null;
  const day = text.slice(0, 10);
  const date = /^\d{4}-\d\d-\d\d$/.test(day) ? new Date(`${day}T00:00:00Z`) : null;
  if (!date || Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== day)
    throw wrongAt(found, `has ${JSON.stringify(text)} as a day`);
  return day;
}

/** An account: its IBAN, or another number. Null if none is named. */
export function accountNumberAt(node: XmlNode | undefined): string | null {
  const id = nodeAt(node, 'Id');
  const number = textAt(id, 'IBAN') ?? textAt(id, 'Othr', 'Id');
  return number?.replaceAll(/\s/g, '').toUpperCase() ?? null;
}

export const wrongAt = ({ line }: XmlNode, fault: string): WrongBankFile =>
  new WrongBankFile(`${fault} (line ${line})`);
