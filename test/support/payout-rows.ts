/** Payouts with ids that a test knows in advance, as if they had been formed. */
import type { World } from './world.ts';

interface NamedPayout {
  externalId: string;
  merchant: string;
  instruction: string;
  /** An invoice of the merchant, for an advance of 100.00. Without one, the payout consists of collected money. */
  invoice?: string;
  status?: 'SCHEDULED' | 'PAID';
  at?: number;
}

/** Writes a payout of 110.00, or 10.00 without an invoice, with its lines. It deducts 5.00 that the merchant owes. */
export async function namePayout(
  { sql }: Pick<World, 'sql'>,
  platformId: number,
  { externalId, merchant, instruction, invoice, status = 'PAID', at = 1_763_640_000 }: NamedPayout,
): Promise<void> {
  const advanceMinor = invoice === undefined ? 0 : 10_000;
  await sql(
    `insert into payouts (platform_id, external_id, end_to_end_id, merchant_external_id, payout_instruction_external_id, scheme,
       currency, status, created_at, updated_at, scheduled_on, amount, paid_at)
     values ($1, $2::text, upper(md5($2::text)), $3, $4, 'SEPA', 'EUR', $5::text, $6::bigint, $6::bigint, '2025-11-20', $7, case when $5::text = 'PAID' then $6::bigint end)`,
    [platformId, externalId, merchant, instruction, status, at, advanceMinor + 1_500 - 500],
  );
  if (status === 'SCHEDULED')
    await sql(
      'update payout_instructions set payouts_under_way = payouts_under_way + 1 where platform_id = $1 and external_id = $2',
      [platformId, instruction],
    );
  const line = (kind: string, amountMinor: number, service: string | null = null) =>
    sql(
      `insert into payout_lines (platform_id, line_id, merchant_external_id, currency, kind, invoice_external_id,
         service_external_id, amount, earliest_on, created_at, payout_external_id)
       values ($1, gen_random_uuid(), $2, 'EUR', $3, $4, $5, $6, '2025-11-20', $7, $8)`,
      [
        platformId,
        merchant,
        kind,
        kind === 'SET_OFF' ? null : (invoice ?? null),
        service,
        amountMinor,
        at,
        externalId,
      ],
    );
  await line('COLLECTED', 1_500);
  await line('SET_OFF', -500);
  if (invoice === undefined) return;
  const service = `${externalId}-service`;
  await sql(
    `insert into invoice_services (platform_id, external_id, invoice_external_id, buyer_external_id, merchant_external_id,
       service_type, status, currency, created_at, updated_at, terms_accepted_at, base_amount, fee_net, fee_tax,
       fee_tax_category, fee_tax_basis_points, advance_amount, accepted_at, paid_out_at)
     select platform_id, $3, external_id, buyer_external_id, merchant_external_id, 'FINANCING', 'SETTLED', 'EUR', $4, $4, $4,
       10119, 100, 19, 'S', 1900, 10000, $4, $4
     from invoices where platform_id = $1 and external_id = $2`,
    [platformId, invoice, service, at],
  );
  await line('ADVANCE', 10_000, service);
}
