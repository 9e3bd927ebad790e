/** A payout as a table, with a row for each amount that it consists of. */
import { csvTable } from '#kernel/csv';
import type { PayoutDetail } from './payout.schemas.ts';

const COLUMNS = [
  'payout_external_id',
  'end_to_end_id',
  'merchant_external_id',
  'scheduled_on',
  'kind',
  'service_external_id',
  'invoice_external_id',
  'currency',
  'base_amount',
  'fee_net',
  'fee_tax',
  'fee_tax_category',
  'set_off_amount',
  'amount',
] as const;

/** Amounts are minor units. The last column sums to the amount of the payout. */
export function reconciliationCsv(payout: PayoutDetail): string {
  const common = {
    payout_external_id: payout.external_id,
    end_to_end_id: payout.end_to_end_id,
    merchant_external_id: payout.merchant_external_id,
    scheduled_on: payout.scheduled_on,
    currency: payout.currency,
  };
  const none = {
    ...{ service_external_id: null, invoice_external_id: null, base_amount: null, fee_net: null },
    ...{ fee_tax: null, fee_tax_category: null, set_off_amount: null },
  };
  const setOffMinor = payout.set_off_amount;
  return csvTable(COLUMNS, [
    ...payout.advances.map((advance) => ({ ...common, kind: 'ADVANCE', ...advance })),
    ...payout.collections.map((collection) => ({ ...common, ...none, kind: 'COLLECTED', ...collection })),
    ...(setOffMinor === 0
      ? []
      : [{ ...common, ...none, kind: 'SET_OFF', set_off_amount: setOffMinor, amount: -setOffMinor }]),
  ]);
}
