/** Bank files: camt.053, camt.054 and pain.002, valid according to the schemas of ISO 20022. */
import type { Currency } from '#kernel/currency';
import { minorDigits } from '#kernel/currency';

export const OUR_IBAN = 'DE89370400440532013000';
export const PAYER_IBAN = 'FR1420041010050500013M02606';

export interface WrittenDetail {
  /** Minor units, with the sign of the entry. Default: the entry's amount. */
  amount?: number;
  endToEndId?: string;
  txId?: string;
  /** A structured reference. */
  creditorReference?: string;
  text?: string;
  name?: string;
  iban?: string;
  returnReason?: string;
}

export interface WrittenEntry extends WrittenDetail {
  amount: number;
  /** The bank's reference; null for none. Default: a unique one. */
  reference?: string | null;
  day?: string;
  valueDay?: string;
  status?: 'BOOK' | 'PDNG' | 'INFO' | null;
  isReversal?: boolean;
  /** The ISO code of the transaction: domain, family, sub-family. */
  code?: [string, string, string];
  /** The details of a batch; null for none, not even those of a single payment. */
  details?: WrittenDetail[] | null;
  /** The number of payments of a batch without details. */
  count?: number;
}

export interface WrittenStatement {
  iban?: string;
  currency?: Currency;
  id?: string;
  day?: string;
  /** Null writes no balances. Default: 0, with a closing balance that adds up. */
  opening?: number | null;
  closing?: number;
  entries?: WrittenEntry[];
}

export type CamtVersion = '02' | '08';

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const optional = (name: string, text: string | null | undefined) =>
  text === undefined || text === null ? '' : `<${name}>${escaped(text)}</${name}>`;
const around = (name: string, content: string) => (content === '' ? '' : `<${name}>${content}</${name}>`);

function decimal(minor: number, currency: Currency): string {
  const digits = minorDigits(currency);
  const text = `${Math.abs(minor)}`.padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

const money = (minor: number, currency: Currency) =>
  `<Amt Ccy="${currency}">${decimal(minor, currency)}</Amt>`;
const side = (minor: number) => `<CdtDbtInd>${minor < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

interface Style {
  version: CamtVersion;
  currency: Currency;
}

function detailXml(detail: WrittenDetail, entry: WrittenEntry, { version, currency }: Style): string {
  const amount = detail.amount ?? entry.amount;
  const isBack = entry.isReversal === true || detail.returnReason !== undefined;
  const party = amount > 0 === isBack ? 'Cdtr' : 'Dbtr';
  const name = optional('Nm', detail.name);
  const named = version === '08' ? around('Pty', name) : name;
  const account = around(`${party}Acct`, around('Id', optional('IBAN', detail.iban)));
  const refs = optional('EndToEndId', detail.endToEndId) + optional('TxId', detail.txId);
  const structured = around('CdtrRefInf', optional('Ref', detail.creditorReference));
  const details =
    version === '08'
      ? money(amount, currency) + side(amount)
      : around('AmtDtls', around('TxAmt', money(amount, currency)));
  return around(
    'TxDtls',
    around('Refs', refs) +
      details +
      around('RltdPties', around(party, named) + account) +
      around('RmtInf', optional('Ustrd', detail.text) + around('Strd', structured)) +
      around('RtrInf', around('Rsn', optional('Cd', detail.returnReason))),
  );
}

let written = 0;

function entryXml(entry: WrittenEntry, day: string, style: Style): string {
  const { amount, status = 'BOOK', code = ['PMNT', 'RCDT', 'ESCT'], details = [entry] } = entry;
  const [domain, family, subFamily] = code;
  const reference = entry.reference === undefined ? `BANK-${++written}` : entry.reference;
  const batch = around('Btch', optional('NbOfTxs', entry.count === undefined ? null : `${entry.count}`));
  return around(
    'Ntry',
    money(amount, style.currency) +
      side(amount) +
      optional('RvslInd', entry.isReversal === undefined ? null : `${entry.isReversal}`) +
      (style.version === '08' ? around('Sts', optional('Cd', status)) : optional('Sts', status)) +
      around('BookgDt', optional('Dt', entry.day ?? day)) +
      around('ValDt', optional('Dt', entry.valueDay ?? entry.day ?? day)) +
      optional('AcctSvcrRef', reference) +
      around(
        'BkTxCd',
        around(
          'Domn',
          optional('Cd', domain) + around('Fmly', optional('Cd', family) + optional('SubFmlyCd', subFamily)),
        ),
      ) +
      around('NtryDtls', batch + (details ?? []).map((each) => detailXml(each, entry, style)).join('')),
  );
}

function balanceXml(code: string, minor: number, day: string, currency: Currency): string {
  return around(
    'Bal',
    around('Tp', around('CdOrPrtry', optional('Cd', code))) +
      money(minor, currency) +
      side(minor) +
      around('Dt', optional('Dt', day)),
  );
}

/** The sum of the booked entries. */
const bookedSum = (entries: readonly WrittenEntry[]) =>
  entries.reduce((sum, { amount, status }) => sum + (status === 'PDNG' || status === 'INFO' ? 0 : amount), 0);

function accountXml(
  type: '053' | '054',
  {
    iban = OUR_IBAN,
    currency = 'EUR',
    id = 'STMT-1',
    day = '2025-11-20',
    opening = 0,
    closing,
    entries = [],
  }: WrittenStatement,
  version: CamtVersion,
): string {
  const end = closing ?? (opening ?? 0) + bookedSum(entries);
  const balances =
    type === '054' || opening === null
      ? ''
      : balanceXml('OPBD', opening, day, currency) + balanceXml('CLBD', end, day, currency);
  return around(
    type === '053' ? 'Stmt' : 'Ntfctn',
    optional('Id', id) +
      optional('CreDtTm', `${day}T21:00:00+01:00`) +
      around('FrToDt', optional('FrDtTm', `${day}T00:00:00`) + optional('ToDtTm', `${day}T23:59:59`)) +
      around('Acct', around('Id', optional('IBAN', iban)) + optional('Ccy', currency)) +
      balances +
      entries.map((entry) => entryXml(entry, day, { version, currency })).join('\n'),
  );
}

function camt(type: '053' | '054', statements: WrittenStatement[], version: CamtVersion): string {
  const header = optional('MsgId', 'MSG-1') + optional('CreDtTm', '2025-11-20T21:00:00+01:00');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${type}.001.${version}">` +
    around(
      type === '053' ? 'BkToCstmrStmt' : 'BkToCstmrDbtCdtNtfctn',
      around('GrpHdr', header) + statements.map((each) => accountXml(type, each, version)).join('\n'),
    ) +
    '</Document>\n'
  );
}

/** A file with one statement or several. */
export const camt053 = (statements: WrittenStatement | WrittenStatement[], version: CamtVersion = '08') =>
  camt('053', [statements].flat(), version);

/** A notification. */
export const camt054 = (statements: WrittenStatement | WrittenStatement[], version: CamtVersion = '08') =>
  camt('054', [statements].flat(), version);

export interface WrittenStatus {
  endToEndId: string;
  status: string;
  reason?: string;
}

/** An answer to a payment file. */
export function pain002(
  payments: WrittenStatus[],
  {
    version = '10',
    messageId = 'FILE-1',
    groupStatus,
    batchStatus,
    reason,
  }: {
    version?: '03' | '10';
    messageId?: string;
    groupStatus?: string;
    batchStatus?: string;
    reason?: string;
  } = {},
): string {
  const because = (code: string | undefined) => around('StsRsnInf', around('Rsn', optional('Cd', code)));
  const transactions = payments
    .map((each) =>
      around(
        'TxInfAndSts',
        optional('OrgnlEndToEndId', each.endToEndId) + optional('TxSts', each.status) + because(each.reason),
      ),
    )
    .join('');
  return (
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}">` +
    around(
      'CstmrPmtStsRpt',
      around('GrpHdr', optional('MsgId', 'ANSWER-1') + optional('CreDtTm', '2025-11-20T21:00:00+01:00')) +
        around(
          'OrgnlGrpInfAndSts',
          optional('OrgnlMsgId', messageId) +
            optional('OrgnlMsgNmId', 'pain.001.001.09') +
            optional('GrpSts', groupStatus) +
            because(groupStatus === undefined ? undefined : reason),
        ) +
        around(
          'OrgnlPmtInfAndSts',
          optional('OrgnlPmtInfId', 'BATCH-1') +
            optional('PmtInfSts', batchStatus) +
            because(batchStatus === undefined ? undefined : reason) +
            transactions,
        ),
    ) +
    '</Document>\n'
  );
}
