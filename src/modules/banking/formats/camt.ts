/** Statements (camt.053) and notifications (camt.054) of ISO 20022, from version 02 on. */
import type { XmlNode, XmlPiece } from '#infra/files/xml-stream';
import type {
  BankDetail,
  BankEntryRecord,
  BankRecord,
  DatedAmount,
  EntryStatus,
  StatementBegin,
} from './bank-document.ts';
import { bankDetailOf, remittanceOf } from './camt-detail.ts';
import type { FormatReader } from './format-reader.ts';
import {
  accountNumberAt,
  codeAt,
  currencyAt,
  dayAt,
  moneyOf,
  nodeAt,
  nodesAt,
  signOf,
  textAt,
  wrongAt,
} from './xml-fields.ts';

const ENTRY_STATUSES: readonly string[] = ['BOOK', 'PDNG', 'INFO'] satisfies EntryStatus[];
/** Sub-families of ISO 20022's bank transaction codes: charges, commissions, fees. */
const CHARGE_CODES: readonly string[] = ['CHRG', 'COMM', 'COMT', 'COMI', 'FEES'];
/** A longer text is not for human readers. */
const TEXT_LENGTH_MAX = 4_000;
/** Booked balances in order of preference: that of the period, that of the previous period, and those of a page in between. */
const OPENING_CODES = ['OPBD', 'PRCD', 'ITBD'];
const CLOSING_CODES = ['CLBD', 'ITBD'];

/** The entries between two balances of one account. */
class Statement {
  readonly #type: StatementBegin['type'];
  readonly #header = new Map<string, XmlNode>();
  readonly #balances: XmlNode[] = [];
  #isBegun = false;
  #bookedMinor = 0n;
  #details: XmlNode[] = [];

  constructor(type: StatementBegin['type']) {
    this.#type = type;
  }

  /** Reads an element of the statement: balances and other fields precede the entries. */
  *read({ path, node }: XmlPiece): Generator<BankRecord> {
    if (path.endsWith('/Bal')) this.#balances.push(node);
    else if (path.endsWith('/TxDtls')) this.#details.push(node);
    else if (path.endsWith('/Ntry')) {
      yield* this.#begin(node);
      yield this.#entryOf(node);
    } else this.#header.set(node.name, node);
  }

  *end(node: XmlNode): Generator<BankRecord> {
    yield* this.#begin(node);
    const bookedMinor = this.#bookedMinor;
    const opening = this.#balance(OPENING_CODES, 'first');
    const closing = this.#balance(CLOSING_CODES, 'last');
    yield { kind: 'end', opening, closing, bookedMinor };
  }

  #balance(codes: readonly string[], end: 'first' | 'last'): DatedAmount | null {
    const of = (code: string) => this.#balances.filter((balance) => balanceCode(balance) === code);
    const [found] = codes.flatMap((code) => of(code).at(end === 'first' ? 0 : -1) ?? []);
    const amount = nodeAt(found, 'Amt');
    if (!found || !amount) return null;
    const day = dayAt(found, 'Dt');
    if (day === null) throw wrongAt(found, 'has a balance without a day');
    return { amountMinor: signOf(found) * moneyOf(amount).amountMinor, day };
  }

  *#begin(node: XmlNode): Generator<BankRecord> {
    if (this.#isBegun) return;
    this.#isBegun = true;
    const account = this.#header.get('Acct');
    const number = accountNumberAt(account);
    if (number === null) throw wrongAt(node, 'has a statement that names no account');
    const period = this.#header.get('FrToDt');
    yield {
      kind: 'statement',
      type: this.#type,
      account: { number, currency: currencyAt(account, 'Ccy') },
      reference: this.#header.get('Id')?.text ?? '',
      fromDay: dayAt(period, 'FrDtTm') ?? dayAt(period, 'FrDt'),
      toDay: dayAt(period, 'ToDtTm') ?? dayAt(period, 'ToDt'),
    };
  }

  #entryOf(node: XmlNode): BankEntryRecord {
    const amount = nodeAt(node, 'Amt');
    if (!amount) throw wrongAt(node, 'has an entry without an amount');
    const sign = signOf(node);
    const { amountMinor: unsignedMinor, currency } = moneyOf(amount);
    const amountMinor = sign * unsignedMinor;
    const status = this.#statusOf(node);
    if (status === 'BOOK') this.#bookedMinor += BigInt(amountMinor);
    const nodes = this.#details;
    this.#details = [];
    const isReversal = isTrue(textAt(node, 'RvslInd'));
    const read = nodes.map((each) =>
      bankDetailOf(each, { amountMinor, currency, isReversal, isOnly: nodes.length === 1 }),
    );
    const details = addingUp(read, amountMinor);
    const announced = nodesAt(node, 'NtryDtls').map((each) => Number(textAt(each, 'Btch', 'NbOfTxs') ?? 0));
    const count = announced.reduce((sum, each) => sum + each, 0);
    return {
      kind: 'entry',
      status,
      bankReference:
        textAt(node, 'AcctSvcrRef') ??
        (nodes.length === 1 ? textAt(nodes[0], 'Refs', 'AcctSvcrRef') : null) ??
        '',
      amountMinor,
      currency,
      bookedOn: this.#bookedOn(node),
      valueOn: dayAt(node, 'ValDt'),
      isReversal,
      isCharge: isChargeCode(node) || (nodes.length > 0 && nodes.every(isChargeCode)),
      isBatch: details.length === 0 && (nodes.length > 1 || count > 1),
      text: [textAt(node, 'AddtlNtryInf'), ...(details.length === 0 ? nodes.map(remittanceOf) : [])]
        .filter(Boolean)
        .join(' ')
        .slice(0, TEXT_LENGTH_MAX),
      details,
    };
  }

  /** Statements list booked entries, so some banks leave out the status. */
  #statusOf(node: XmlNode): EntryStatus {
    const status = codeAt(node, 'Sts') ?? (this.#type === 'STATEMENT' ? 'BOOK' : '');
    if (ENTRY_STATUSES.includes(status)) return status as EntryStatus;
    // Expected by the bank, and so not booked either.
    if (status === 'FUTR') return 'PDNG';
    throw wrongAt(node, `has an entry with the status ${JSON.stringify(status)}`);
  }

  #bookedOn(node: XmlNode): string {
    const day =
      dayAt(node, 'BookgDt') ?? dayAt(node, 'ValDt') ?? this.#balance(CLOSING_CODES, 'last')?.day ?? null;
    if (day === null) throw wrongAt(node, 'has an entry without a day');
    return day;
  }
}

const balanceCode = (balance: XmlNode) => codeAt(balance, 'Tp', 'CdOrPrtry');

const isTrue = (text: string | null) => text === 'true' || text === '1';

function isChargeCode(node: XmlNode): boolean {
  const code = textAt(node, 'BkTxCd', 'Domn', 'Fmly', 'SubFmlyCd');
  return code !== null && CHARGE_CODES.includes(code);
}

/** The details, if their amounts add up to that of the entry; else none. */
function addingUp(details: (BankDetail | null)[], amountMinor: number): BankDetail[] {
  const known = details.filter((detail) => detail !== null);
  const sum = known.reduce((total, detail) => total + BigInt(detail.amountMinor), 0n);
  return known.length === details.length && sum === BigInt(amountMinor) ? known : [];
}

const FIELDS = ['Id', 'FrToDt', 'Acct', 'Bal', 'Ntry', 'Ntry/NtryDtls/TxDtls'];

function camtReader(message: string, statement: string, type: StatementBegin['type']): FormatReader {
  const around = `Document/${message}/${statement}`;
  const records = new Set(FIELDS.map((field) => `${around}/${field}`));
  return {
    root: `Document/${message}`,
    shape: (path) => (path === around ? 'container' : records.has(path) ? 'record' : 'other'),
    reader() {
      let open: Statement | null = null;
      return {
        *read(piece) {
          if (piece.path !== around) yield* open?.read(piece) ?? [];
          else if (piece.event === 'begin') open = new Statement(type);
          else yield* open?.end(piece.node) ?? [];
        },
      };
    },
  };
}

export const camt053 = camtReader('BkToCstmrStmt', 'Stmt', 'STATEMENT');
export const camt054 = camtReader('BkToCstmrDbtCdtNtfctn', 'Ntfctn', 'NOTIFICATION');
