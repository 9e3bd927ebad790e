/** The contents of a payout: its lines, with the fees of their services. */
import { listServices, type ServiceRow } from '#modules/services';
import type { Context } from '#operation/operation';
import type { PayoutRow } from './payout.queries.ts';
import type { Payout, PayoutDetail } from './payout.schemas.ts';
import { listLinesOfPayouts } from './payout-line.queries.ts';

export function toPayout(row: PayoutRow): Payout {
  return {
    external_id: row.external_id,
    end_to_end_id: row.end_to_end_id,
    merchant_external_id: row.merchant_external_id,
    payout_instruction_external_id: row.payout_instruction_external_id,
    scheme: row.scheme,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
    scheduled_on: row.scheduled_on,
    amount: row.amount,
    currency: row.currency,
    paid_at: row.paid_at,
    failure_reason: row.failure_reason,
  };
}

/** The payout with everything that it consists of. A cancelled payout pays nothing. */
export async function showPayoutDetail(
  { db, platformId }: Pick<Context, 'db' | 'platformId'>,
  payout: PayoutRow,
): Promise<PayoutDetail> {
  const lines = await listLinesOfPayouts(db, platformId, [payout.external_id]);
  const advances = lines.filter(({ kind }) => kind === 'ADVANCE');
  const services = await listServices(
    db,
    platformId,
    advances.map(({ service_external_id }) => service_external_id as string),
  );
  const byId = new Map(services.map((service) => [service.external_id, service]));
  const setOffMinor = lines
    .filter(({ kind }) => kind === 'SET_OFF')
    .reduce((sum, { amount }) => sum - amount, 0);
  return {
    ...toPayout(payout),
    advances: advances.map(({ service_external_id, amount }) => {
      const service = byId.get(service_external_id as string) as ServiceRow;
      return {
        service_external_id: service.external_id,
        invoice_external_id: service.invoice_external_id,
        base_amount: service.base_amount,
        fee_net: service.fee_net,
        fee_tax: service.fee_tax,
        fee_tax_category: service.fee_tax_category,
        set_off_amount: service.set_off_amount,
        amount,
      };
    }),
    collections: lines
      .filter(({ kind }) => kind === 'COLLECTED')
      .map(({ invoice_external_id, amount }) => ({ invoice_external_id, amount })),
    set_off_amount: setOffMinor,
  };
}
