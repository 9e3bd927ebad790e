/** The locks of everything that a payout concerns, in the order of ARCHITECTURE.md: its account, then the payout. */
import { lockToSettle } from '#modules/invoices';
import { lockInstructionsOfPayouts } from '#modules/payees';
import { lockServices, type ServiceRow } from '#modules/services';
import type { ChangeContext } from '#operation/operation';
import { findPayouts, lockPayouts, type PayoutRow } from './payout.queries.ts';
import { listLinesOfPayouts } from './payout-line.queries.ts';

type Locking = Pick<ChangeContext, 'db' | 'platformId'>;

/** Locks payouts with their accounts, in the order of their keys. Unknown ones are missing. */
export async function lockPayoutsAndAccounts(
  { db, platformId }: Locking,
  externalIds: readonly string[],
): Promise<PayoutRow[]> {
  const found = await findPayouts(db, platformId, externalIds);
  const instructions = new Set(
    found.map(({ payout_instruction_external_id }) => payout_instruction_external_id),
  );
  await lockInstructionsOfPayouts(db, platformId, [...instructions]);
  return lockPayouts(db, platformId, externalIds);
}

export interface PaidForLocked {
  payouts: PayoutRow[];
  services: ServiceRow[];
  /** The orders of the invoices of the services, by external_id. */
  orderExternalIds: string[];
}

/** Locks payouts and, before them, everything that they pay for: facilities, orders, invoices and services. */
export async function lockPaidFor(context: Locking, externalIds: readonly string[]): Promise<PaidForLocked> {
  const { db, platformId } = context;
  const lines = await listLinesOfPayouts(db, platformId, externalIds);
  const advances = lines.filter(({ kind }) => kind === 'ADVANCE');
  const idsOf = (name: 'invoice_external_id' | 'service_external_id') => [
    ...new Set(advances.map((line) => line[name] as string)),
  ];
  const invoices =
    advances.length === 0 ? new Map() : await lockToSettle(context, idsOf('invoice_external_id'));
  const orders = [...invoices.values()].flatMap(({ order_external_ids }) => order_external_ids as string[]);
  return {
    services: await lockServices(db, platformId, idsOf('service_external_id')),
    orderExternalIds: [...new Set(orders)].sort(),
    payouts: await lockPayoutsAndAccounts(context, externalIds),
  };
}
