/** An order as mails tell of it. */
import type { Db } from '#infra/database/database';
import type { Currency } from '#kernel/currency';
import { findMerchant, shownName } from '#modules/merchants';
import type { OrderForMail } from '#modules/notifications';
import type { OrderRow } from '#modules/orders';

export async function readOrderForMail(db: Db, order: OrderRow): Promise<OrderForMail> {
  const { platform_id: platformId, merchant_external_id: externalId } = order;
  const merchant = await findMerchant(db, { platformId, externalId });
  return {
    number: order.external_id,
    merchant: merchant ? shownName(merchant) : externalId,
    grossMinor: order.amount_gross,
    currency: order.currency as Currency,
    company: order.buyer_legal_name,
    comment: order.comment,
  };
}
