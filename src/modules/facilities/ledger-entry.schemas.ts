import { type Static, Type } from 'typebox';
import { CurrencySchema, closed, minorUnits, named, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { cursorListOf, LIMIT_MAX } from '#operation/list';

/** The causes of ledger entries. */
export const LEDGER_CAUSES = [
  'LIMIT_GRANTED',
  'LIMIT_CHANGED',
  'RENEWED',
  'EXPIRED',
  'ORDER_RESERVED',
  'ORDER_FREED',
  'ORDER_INVOICED',
  'INVOICE_FINANCED',
  'FINANCING_CANCELLED',
  'INVOICE_PAID',
  'INVOICE_CREDITED',
  'INVOICE_CANCELLED',
  'INVOICE_REOPENED',
  // In entries of earlier releases: paid, credited or cancelled.
  'INVOICE_FREED',
] as const;
export type LedgerCause = (typeof LEDGER_CAUSES)[number];

const amounts = {
  total_amount: minorUnits('The limit'),
  used_amount: minorUnits('The amount that invoices use'),
  pending_orders_amount: minorUnits('The amount that orders reserve'),
  available_amount: minorUnits('What new orders may use'),
};

export const LedgerEntry = closed(
  {
    entry: Type.Integer({ minimum: 1, description: 'The number of the entry, per facility' }),
    effective_at: unixSeconds("When it takes effect, by the platform's clock"),
    recorded_at: unixSeconds('When it was recorded, by the clock of the database'),
    cause: named('LedgerCause', oneOf(LEDGER_CAUSES)),
    order_external_id: nullable(Type.String({ description: 'The order that caused it, if any' })),
    invoice_external_id: nullable(Type.String({ description: 'The invoice that caused it, if any' })),
    payment_id: nullable(Type.String({ description: 'The payment that was recorded or reversed, if any' })),
    credit_note_external_id: nullable(Type.String({ description: 'The credit note that caused it, if any' })),
    total_change: minorUnits('The change of the limit'),
    used_change: minorUnits('The change of the used amount'),
    pending_orders_change: minorUnits('The change of the reserved amount'),
    available_change: minorUnits('The change of the available amount'),
    ...amounts,
    actor: Type.String({
      description: 'The actor: `api_key:…`, `operator:…`, `buyer`, `service`, `sandbox`',
    }),
  },
  'LedgerEntry',
);
export type LedgerEntry = Static<typeof LedgerEntry>;

/** The amounts at the requested instant: the sum of all entries until then. */
export const LedgerBalance = closed({ currency: CurrencySchema, ...amounts }, 'LedgerBalance');

export const Ledger = closed(
  {
    ...cursorListOf(LedgerEntry, 'LedgerPage').properties,
    items: Type.Array(LedgerEntry, { maxItems: LIMIT_MAX, description: 'The latest first' }),
    balance: LedgerBalance,
  },
  'Ledger',
);
