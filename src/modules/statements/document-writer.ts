/** The elements that all documents share: the language of the buyer, the letterhead, and the tables of entries and of interest. */

import type { DocumentBody, DocumentFact, DocumentPart } from '#infra/typesetting/document-body';
import type { Address } from '#kernel/address';
import type { Currency } from '#kernel/currency';
import { lastSecondOf } from '#kernel/local-day';
import { type Translator, translatorOf } from '#messages';
import { type BuyerRow, localeOfBuyer, preferencesOf } from '#modules/buyers';
import type { LateChargeRow } from '#modules/invoices';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { Context } from '#operation/operation';
import type { StatementEntry } from './statement.schemas.ts';

/** Writes the parts of documents for a buyer. */
export interface DocumentWriter {
  translator: Translator;
  platform: PlatformRow;
  buyer: BuyerRow;
  isSandbox: boolean;
  /** A day such as 2026-01-31, as tables show it. */
  dayText(day: string): string;
}

export async function documentWriter(
  { db, platformId, isSandbox }: Pick<Context, 'db' | 'platformId' | 'isSandbox'>,
  buyer: BuyerRow,
): Promise<DocumentWriter> {
  return writerFor({ platform: (await findPlatform(db, platformId)) as PlatformRow, buyer, isSandbox });
}

/** A writer for a buyer of a platform, both of which are already read. */
export function writerFor(parties: Pick<DocumentWriter, 'platform' | 'buyer' | 'isSandbox'>): DocumentWriter {
  const { platform, buyer } = parties;
  const locale = localeOfBuyer(preferencesOf(buyer), platform);
  const translator = translatorOf(locale.language, locale.formality, platform.time_zone);
  const dayText = (day: string) => translator.shortDay(lastSecondOf(day, platform.time_zone));
  return { ...parties, translator, dayText };
}

/** A letter of the platform to the buyer. */
export function documentBodyOf(
  { translator, platform, buyer, isSandbox }: DocumentWriter,
  {
    title,
    madeAt,
    facts,
    parts,
  }: { title: string; madeAt: number; facts: DocumentFact[]; parts: DocumentPart[] },
): DocumentBody {
  const { text, day } = translator;
  const footer = `${platform.name} · ${title}`;
  return {
    title,
    locale: translator.locale,
    madeAt,
    sender: platform.name,
    recipient: [buyer.legal_name ?? buyer.external_id, ...addressLines(buyer.business_address, translator)],
    facts: [
      [text('document.date'), day(madeAt)],
      [text('document.customer_number'), buyer.external_id],
      ...facts,
    ],
    parts,
    footer: isSandbox ? `${footer} · ${text('common.sandbox')}` : footer,
  };
}

function addressLines(address: Address | null, translator: Translator): string[] {
  if (address === null) return [];
  const { street, house, additional, postcode, city, country } = address;
  const joined = (...parts: (string | null)[]) => parts.filter((part) => part).join(' ');
  return [
    joined(street, house),
    joined(additional),
    joined(postcode, city),
    country === null ? '' : translator.country(country),
  ].filter((line) => line !== '');
}

/** The name of an invoice for its buyer. */
export function invoiceNameOf(invoice: {
  invoice_number: string | null;
  invoice_external_id: string;
}): string {
  return invoice.invoice_number ?? invoice.invoice_external_id;
}

/** A table of entries between two balances. Without `opening`, the first entry is the beginning. */
export function entriesTable(
  { translator: { text, money }, dayText }: DocumentWriter,
  {
    entries,
    currency,
    opening,
    closing,
  }: { entries: StatementEntry[]; currency: Currency; opening?: number; closing: number },
): DocumentPart {
  const total = (key: 'document.opening_balance' | 'document.closing_balance', balance: number) => ({
    cells: ['', text(key), '', money(balance, currency)],
    isTotal: true,
  });
  return {
    columns: [
      { title: text('document.date'), align: 'start' },
      { title: text('document.description'), align: 'start', isWide: true },
      { title: text('document.amount'), align: 'end' },
      { title: text('document.balance'), align: 'end' },
    ],
    rows: [
      ...(opening === undefined ? [] : [total('document.opening_balance', opening)]),
      ...entries.map((entry) => ({
        cells: [
          dayText(entry.on),
          text(`document.${entry.kind}`, { number: invoiceNameOf(entry) }),
          money(entry.amount, currency),
          money(entry.balance, currency),
        ],
      })),
      total('document.closing_balance', closing),
    ],
  };
}

/** The computation of the interest of late charges, line by line; empty if none of them is interest. */
export function computationParts(
  { translator: { text, money, percent }, dayText }: DocumentWriter,
  charges: readonly LateChargeRow[],
): DocumentPart[] {
  const withLines = charges.filter(({ computation }) => computation.lines.length > 0);
  if (withLines.length === 0) return [];
  return [
    { heading: text('document.calculation') },
    ...withLines.flatMap(({ computation, amount, currency }): DocumentPart[] => [
      {
        columns: [
          { title: text('document.from'), align: 'start' },
          { title: text('document.to'), align: 'start' },
          { title: text('document.days'), align: 'end' },
          { title: text('document.outstanding'), align: 'end', isWide: true },
          { title: text('document.rate'), align: 'end' },
          { title: text('document.interest'), align: 'end' },
        ],
        rows: [
          ...computation.lines.map((line) => ({
            cells: [
              dayText(line.from),
              dayText(line.to),
              `${line.days} / ${line.year_days}`,
              money(line.amount, currency),
              percent(line.rate_basis_points),
              money(line.interest, currency),
            ],
          })),
          { cells: [text('order.total'), '', '', '', '', money(amount, currency)], isTotal: true },
        ],
      },
      { note: computation.source },
    ]),
  ];
}
