/**
 * The content of an electronic invoice: UBL 2 and UN/CEFACT CII, the two syntaxes of EN 16931. Only the fields that are compared with
 * the invoice are read, as a stream, so the number of its lines does not matter.
 */
import { readXmlStream, UnreadableXml, type XmlNode, type XmlPiece } from '#infra/files/xml-stream';
import { CURRENCIES, type Currency, minorDigits } from '#kernel/currency';

/** A party as the file names it. */
export interface StatedParty {
  names: string[];
  /** Tax ids and register numbers, without spaces. */
  identifiers: string[];
}

export interface EInvoice {
  number: string;
  /** `2026-01-31` */
  issuedOn: string;
  currency: string;
  /** Null in a currency that invoices cannot have. */
  grossMinor: number | null;
  seller: StatedParty;
  buyer: StatedParty;
}

const UBL = 'Invoice';
const CII = 'CrossIndustryInvoice';
const CII_TRADE = `${CII}/SupplyChainTradeTransaction`;

/** The paths of the parts. The last segment of each is a record of the stream. */
const RECORDS = new Set([
  ...['ID', 'IssueDate', 'DocumentCurrencyCode'].map((name) => `${UBL}/${name}`),
  ...['AccountingSupplierParty', 'AccountingCustomerParty', 'LegalMonetaryTotal'].map(
    (name) => `${UBL}/${name}`,
  ),
  `${CII}/ExchangedDocument`,
  `${CII_TRADE}/ApplicableHeaderTradeAgreement`,
  `${CII_TRADE}/ApplicableHeaderTradeSettlement`,
]);

/** Returns null for XML that is not an invoice in these syntaxes or lacks a required part of an invoice. */
export async function readEInvoice(bytes: Uint8Array): Promise<EInvoice | null> {
  const records = new Map<string, XmlNode>();
  try {
    for await (const piece of pieces(bytes)) {
      // A document contains each part once.
      if (records.has(piece.path)) return null;
      records.set(piece.path, piece.node);
    }
  } catch (error) {
    if (error instanceof UnreadableXml) return null;
    throw error;
  }
  return readUbl(records) ?? readCii(records);
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<XmlPiece> {
  yield* readXmlStream(chunksOf(bytes), (path) => (RECORDS.has(path) ? 'record' : 'other'));
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}
const CHUNK_BYTES = 65_536;

function readUbl(records: ReadonlyMap<string, XmlNode>): EInvoice | null {
  const of = (name: string) => records.get(`${UBL}/${name}`);
  const party = (name: string): StatedParty => ({
    names: [
      ...textsAt(of(name), 'Party', 'PartyLegalEntity', 'RegistrationName'),
      ...textsAt(of(name), 'Party', 'PartyName', 'Name'),
    ],
    identifiers: [
      ...textsAt(of(name), 'Party', 'PartyTaxScheme', 'CompanyID'),
      ...textsAt(of(name), 'Party', 'PartyLegalEntity', 'CompanyID'),
    ].map(withoutSpaces),
  });
  return eInvoiceOf({
    number: of('ID')?.text,
    issued: of('IssueDate')?.text,
    currency: of('DocumentCurrencyCode')?.text,
    gross: textsAt(of('LegalMonetaryTotal'), 'TaxInclusiveAmount'),
    seller: party('AccountingSupplierParty'),
    buyer: party('AccountingCustomerParty'),
  });
}

function readCii(records: ReadonlyMap<string, XmlNode>): EInvoice | null {
  const document = records.get(`${CII}/ExchangedDocument`);
  const agreement = records.get(`${CII_TRADE}/ApplicableHeaderTradeAgreement`);
  const settlement = records.get(`${CII_TRADE}/ApplicableHeaderTradeSettlement`);
  const party = (name: string): StatedParty => ({
    names: [
      ...textsAt(agreement, name, 'Name'),
      ...textsAt(agreement, name, 'SpecifiedLegalOrganization', 'TradingBusinessName'),
    ],
    identifiers: [
      ...textsAt(agreement, name, 'SpecifiedTaxRegistration', 'ID'),
      ...textsAt(agreement, name, 'SpecifiedLegalOrganization', 'ID'),
    ].map(withoutSpaces),
  });
  const [issued] = textsAt(document, 'IssueDateTime', 'DateTimeString');
  return eInvoiceOf({
    number: textsAt(document, 'ID')[0],
    // Format 102 of UN/CEFACT 2379.
    issued: issued?.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
    currency: textsAt(settlement, 'InvoiceCurrencyCode')[0],
    gross: textsAt(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation', 'GrandTotalAmount'),
    seller: party('SellerTradeParty'),
    buyer: party('BuyerTradeParty'),
  });
}

interface StatedTexts extends Pick<EInvoice, 'seller' | 'buyer'> {
  number: string | undefined;
  issued: string | undefined;
  currency: string | undefined;
  gross: string[];
}

function eInvoiceOf({ number, issued, currency, gross, seller, buyer }: StatedTexts): EInvoice | null {
  // An XML date can have a time zone.
  const [issuedOn] = /^\d{4}-\d{2}-\d{2}/.exec(issued ?? '') ?? [];
  const [amount, ...more] = gross;
  if (!number || !currency || issuedOn === undefined || amount === undefined || more.length > 0) return null;
  const known = CURRENCIES.find((code) => code === currency);
  const grossMinor = known === undefined ? null : minorOf(amount, known);
  if (known !== undefined && grossMinor === null) return null;
  return { number, issuedOn, currency, grossMinor, seller, buyer };
}

/** Parses a decimal text without floating-point arithmetic. Returns null if it is not an amount of the currency. */
function minorOf(text: string, currency: Currency): number | null {
  const digits = minorDigits(currency);
  const [, whole, decimals = ''] = /^\+?(\d{1,13})(?:\.(\d{1,18}))?$/.exec(text) ?? [];
  if (whole === undefined || /[1-9]/.test(decimals.slice(digits))) return null;
  return Number(whole + decimals.slice(0, digits).padEnd(digits, '0'));
}

/** The texts of all elements at a path below a node. */
function textsAt(node: XmlNode | undefined, ...path: string[]): string[] {
  let found = node ? [node] : [];
  for (const name of path)
    found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
  return found.map(({ text }) => text).filter((text) => text !== '');
}

const withoutSpaces = (text: string) => text.replaceAll(/\s/g, '').toUpperCase();
