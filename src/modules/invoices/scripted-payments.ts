/** Payments of buyers whose outcome script makes them pay late, in the sandbox. */
import { inTransaction } from '#infra/database/transaction';
import { type Due, type DueSource, oneByOne } from '#infra/time/due-transitions';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { ChangeContext } from '#operation/operation';
import type { InvoiceTrigger } from './invoice.lifecycle.ts';
import { recordPayment } from './record-payment.ts';
import { isDueInFull, latePayments, paysAt } from './scripted-payment.queries.ts';
import { lockToSettle } from './settle-invoices.ts';
import { outstandingOf } from './settlement.rules.ts';

/** The arrears of an invoice are paid to the platform ten days after its due day. */
export const scriptedPayments: DueSource<unknown, 'invoice'> = {
  findPlatforms: latePayments.findPlatforms,
  async findNext(db, platformId, until, countMax, except) {
    const found = await latePayments.findNext(db, platformId, until, countMax, except);
    return Promise.all(
      found.map(async (due) => {
        const isRest = await isDueInFull(db, platformId, due.externalId, due.dueAt);
        return { ...due, trigger: (isRest ? 'pay' : 'cure') satisfies InvoiceTrigger };
      }),
    );
  },
  ...oneByOne((db, platformId, due) =>
    inTransaction(db, (transaction) => payArrears(transaction, platformId, due)),
  ),
};

async function payArrears(
  db: ChangeContext['db'],
  platformId: number,
  { externalId, dueAt }: Due,
): Promise<void> {
  const { time_zone: timeZone } = (await findPlatform(db, platformId)) as PlatformRow;
  const context = { db, platformId, actor: 'sandbox', now: dueAt, timeZone };
  const invoice = (await lockToSettle(context, [externalId])).get(externalId);
  const at = invoice ? paysAt(invoice) : null;
  // It may have been paid, cancelled or postponed since it was found.
  if (!invoice || at === null || at > dueAt) return;
  const arrearsMinor = invoice.installments
    .filter((each) => each.due_at <= dueAt)
    .reduce((sum, each) => sum + outstandingOf(each), 0);
  await recordPayment(context, invoice, arrearsMinor, { received_by: 'PLATFORM' });
}
