/** The statement of account as a document. */
import type { DocumentBody, DocumentFact, DocumentPart } from '#infra/typesetting/document-body';
import { groupedIban } from '#kernel/iban';
import { type BuyerRow, findBuyer } from '#modules/buyers';
import { findLateCharges, type LateChargeRow } from '#modules/invoices';
import { bankAccountOf } from '#modules/platforms';
import type { Context } from '#operation/operation';
import {
  computationParts,
  type DocumentWriter,
  documentBodyOf,
  documentWriter,
  entriesTable,
  invoiceNameOf,
} from './document-writer.ts';
import type { BuyerStatement, StatementAccount, StatementInvoice } from './statement.schemas.ts';

export async function statementDocumentOf(
  context: Pick<Context, 'db' | 'platformId' | 'vault' | 'isSandbox'>,
  statement: BuyerStatement,
): Promise<DocumentBody> {
  const { db, platformId, vault } = context;
  const buyer = (await findBuyer(db, { platformId, externalId: statement.buyer_external_id })) as BuyerRow;
  const writer = await documentWriter(context, buyer);
  const entries = statement.accounts.flatMap((account) => account.entries);
  const interest = entries.filter(({ kind }) => kind === 'INTEREST');
  const charges = await findLateCharges(
    db,
    platformId,
    interest.map(({ document_external_id: id }) => id),
  );
  const { translator } = writer;
  const { text, day } = translator;
  const isOwed = statement.accounts.some(({ open_invoices: open }) => open.length > 0);
  const account = bankAccountOf(vault, writer.platform);
  return documentBodyOf(writer, {
    title: text('document.statement_title'),
    madeAt: statement.at,
    facts: [
      [text('document.from'), day(statement.from)],
      [text('document.to'), day(statement.at)],
    ],
    parts: [
      ...(statement.accounts.length === 0 ? [{ paragraph: text('document.nothing_open') }] : []),
      ...statement.accounts.flatMap((each) =>
        accountParts(writer, each, { isOnly: statement.accounts.length === 1, charges }),
      ),
      ...(isOwed && account !== null
        ? [
            { heading: text('document.payment_details') },
            {
              facts: [
                [text('transfer.holder'), account.holder],
                ['IBAN', groupedIban(account.iban)],
                ...(account.bic === null ? [] : [['BIC', account.bic] satisfies DocumentFact]),
              ] satisfies DocumentFact[],
            },
          ]
        : []),
    ],
  });
}

function accountParts(
  writer: DocumentWriter,
  account: StatementAccount,
  { isOnly, charges }: { isOnly: boolean; charges: readonly LateChargeRow[] },
): DocumentPart[] {
  const { text, money } = writer.translator;
  const { currency, unapplied } = account;
  return [
    ...(isOnly ? [] : [{ heading: currency }]),
    entriesTable(writer, {
      entries: account.entries,
      currency,
      opening: account.opening_balance,
      closing: account.closing_balance,
    }),
    ...(unapplied === null || unapplied === 0
      ? []
      : [{ facts: [[text('document.unapplied'), money(unapplied, currency)] satisfies DocumentFact] }]),
    { heading: text('document.open_invoices') },
    account.open_invoices.length === 0
      ? { paragraph: text('document.nothing_open') }
      : openInvoicesTable(writer, account),
    ...disputedParts(writer, account),
    ...computationParts(
      writer,
      charges.filter((charge) => charge.currency === currency),
    ),
  ];
}

function disputedParts(
  { translator: { text, money } }: DocumentWriter,
  { currency, open_invoices: open }: StatementAccount,
): DocumentPart[] {
  const disputed = open.filter((invoice) => invoice.disputed > 0);
  const facts = disputed.map(
    (invoice): DocumentFact => [
      `${text('dispute.title')} · ${invoiceNameOf(invoice)}`,
      money(invoice.disputed, currency),
    ],
  );
  return facts.length === 0 ? [] : [{ facts }];
}

function openInvoicesTable(
  { translator: { text, money }, dayText }: DocumentWriter,
  { currency, open_invoices: open }: StatementAccount,
): DocumentPart {
  const total = (amountOf: (invoice: StatementInvoice) => number) =>
    money(
      open.reduce((sum, invoice) => sum + amountOf(invoice), 0),
      currency,
    );
  return {
    columns: [
      { title: text('document.invoice_number'), align: 'start', isWide: true },
      { title: text('transfer.reference'), align: 'start' },
      { title: text('document.due_date'), align: 'start' },
      { title: text('document.days_overdue'), align: 'end' },
      { title: text('document.outstanding'), align: 'end' },
      { title: text('document.late_charges'), align: 'end' },
    ],
    rows: [
      ...open.map((invoice) => ({
        cells: [
          invoiceNameOf(invoice),
          invoice.payment_reference,
          dayText(invoice.due_on),
          `${invoice.days_past_due}`,
          money(invoice.outstanding, currency),
          money(invoice.late_charges, currency),
        ],
      })),
      {
        cells: [
          ...[text('order.total'), '', '', ''],
          total((invoice) => invoice.outstanding),
          total((invoice) => invoice.late_charges),
        ],
        isTotal: true,
      },
    ],
  };
}
