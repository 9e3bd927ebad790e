import { type Static, Type } from 'typebox';
import { CurrencySchema, closed, minorUnits, nullable, oneOf, unixSeconds } from '#kernel/fields';
import { LIMIT_MAX } from '#operation/list';

/** Why what a facility has changed. */
export const LEDGER_CAUSES = [
  'LIMIT_GRANTED',
  'LIMIT_CHANGED',
  'RENEWED',
  'EXPIRED',
  'ORDER_RESERVED',
  'ORDER_FREED',
  'ORDER_INVOICED',
  'INVOICE_FINANCED',
  'INVOICE_FREED',
] as const;
export type LedgerCause = (typeof LEDGER_CAUSES)[number];

const amounts = {
  total_amount: minorUnits('The limit'),
  used_amount: minorUnits('What invoices use'),
  pending_orders_amount: minorUnits('What orders reserve'),
  available_amount: minorUnits('What orders may still take'),
};

export const LedgerEntry = closed(
  {
    entry: Type.Integer({ minimum: 1, description: 'Its number, counted per facility' }),
    recorded_at: unixSeconds('When it was recorded'),
    cause: oneOf(LEDGER_CAUSES),
    order_external_id: nullable(Type.String({ description: 'The order that caused it, if one did' })),
    invoice_external_id: nullable(Type.String({ description: 'The invoice that caused it, if one did' })),
    total_change: minorUnits('By how much the limit changed'),
    used_change: minorUnits('By how much more is used, or less'),
    pending_orders_change: minorUnits('By how much more is reserved, or less'),
    available_change: minorUnits('By how much more is available, or less'),
    ...amounts,
    actor: Type.String({
      description: 'Who did it: `api_key:…`, `operator:…`, `buyer`, `service`, `sandbox`',
    }),
  },
  'LedgerEntry',
);
export type LedgerEntry = Static<typeof LedgerEntry>;

/** What the facility had at the instant that was asked for: the sum of all entries until then. */
export const LedgerBalance = closed({ currency: CurrencySchema, ...amounts }, 'LedgerBalance');

export const Ledger = closed(
  {
    items: Type.Array(LedgerEntry, { maxItems: LIMIT_MAX, description: 'The latest first' }),
    total: Type.Integer(),
    limit: Type.Integer(),
    offset: Type.Integer(),
    balance: LedgerBalance,
  },
  'Ledger',
);
