/** The details of one payment in an entry of camt.053 and camt.054. */
import type { XmlNode } from '#infra/files/xml-stream';
import type { Currency } from '#kernel/currency';
import type { BankDetail, Counterparty } from './bank-document.ts';
import { accountNumberAt, codeAt, moneyOf, nodeAt, nodesAt, textAt } from './xml-fields.ts';

/** Identifications that stay with a payment in all messages of the bank. An id of a mandate or a message covers several payments. */
const REFERENCES = ['EndToEndId', 'TxId', 'InstrId', 'UETR', 'AcctSvcrRef'];
const NO_REFERENCE = /^(NOTPROVIDED|NONREF|NOTAVAILABLE)?$/i;

export interface DetailOfEntry {
  /** Has the sign of the entry. */
  amountMinor: number;
  currency: Currency;
  isReversal: boolean;
  /** Whether the entry has no further details. */
  isOnly: boolean;
}

/** Null if the amount of one payment among several is unknown in the currency of the account. */
export function bankDetailOf(node: XmlNode, entry: DetailOfEntry): BankDetail | null {
  const amountMinor = entry.isOnly ? entry.amountMinor : amountOf(node, entry);
  if (amountMinor === null) return null;
  const returnReason = codeAt(node, 'RtrInf', 'Rsn') ?? (nodeAt(node, 'RtrInf') ? '' : null);
  const refs = nodeAt(node, 'Refs');
  const references = REFERENCES.map((name) => textAt(refs, name) ?? '').filter(
    (text) => !NO_REFERENCE.test(text),
  );
  const endToEndId = textAt(refs, 'EndToEndId') ?? '';
  // A returned payment names the parties of the original payment.
  const isBack = entry.isReversal || returnReason !== null;
  return {
    amountMinor,
    endToEndId: NO_REFERENCE.test(endToEndId) ? null : endToEndId,
    references: [...new Set(references)],
    creditorReferences: creditorReferencesOf(node),
    remittance: remittanceOf(node),
    counterparty: partyOf(nodeAt(node, 'RltdPties'), amountMinor > 0 === isBack ? 'Cdtr' : 'Dbtr'),
    returnReason,
  };
}

/** Version 08 has the amount and its side; in earlier ones they are among the details of amounts. */
function amountOf(node: XmlNode, { amountMinor: ofEntry, currency }: DetailOfEntry): number | null {
  const found = [
    nodeAt(node, 'Amt'),
    nodeAt(node, 'AmtDtls', 'TxAmt', 'Amt'),
    nodeAt(node, 'AmtDtls', 'InstdAmt', 'Amt'),
  ].find((amount) => amount?.attributes.Ccy === currency);
  if (!found) return null;
  const side = textAt(node, 'CdtDbtInd');
  const isCredit = side === null ? ofEntry > 0 : side === 'CRDT';
  return (isCredit ? 1 : -1) * moneyOf(found).amountMinor;
}

export function creditorReferencesOf(node: XmlNode): string[] {
  return nodesAt(nodeAt(node, 'RmtInf'), 'Strd').flatMap((each) => textAt(each, 'CdtrRefInf', 'Ref') ?? []);
}

/** The payer's text, with the document numbers from separate fields. */
export function remittanceOf(node: XmlNode): string {
  const information = nodeAt(node, 'RmtInf');
  const structured = nodesAt(information, 'Strd').flatMap((each) => [
    ...nodesAt(each, 'RfrdDocInf').map((document) => textAt(document, 'Nb')),
    textAt(each, 'CdtrRefInf', 'Ref'),
    ...nodesAt(each, 'AddtlRmtInf').map(({ text }) => text),
  ]);
  return [...nodesAt(information, 'Ustrd').map(({ text }) => text), ...structured, textAt(node, 'AddtlTxInf')]
    .filter(Boolean)
    .join(' ');
}

function partyOf(parties: XmlNode | undefined, side: 'Dbtr' | 'Cdtr'): Counterparty {
  const nameAt = (name: string) => textAt(parties, name, 'Pty', 'Nm') ?? textAt(parties, name, 'Nm');
  return {
    name: nameAt(`Ultmt${side}`) ?? nameAt(side),
    account: accountNumberAt(nodeAt(parties, `${side}Acct`)),
  };
}
