import type { Transition } from '#kernel/lifecycle';
import { blankToNull } from '#kernel/text';
import type { Context } from '#operation/operation';
import type { OrderGround } from './gather-order.ts';
import type { OrderStatus, OrderTrigger } from './order.lifecycle.ts';
import { type NewOrder, NOTHING_YET, sealOrderEmail } from './order.queries.ts';
import { readLineItems } from './order.rules.ts';
import type { DraftOrderCreation } from './order.schemas.ts';

/** The order as it is first written: what every creation has in common. */
export function newOrder(
  { platformId, actor, now, vault }: Context,
  body: DraftOrderCreation,
  { buyerLegalName, merchantExternalId, currency }: OrderGround,
  transition: Transition<OrderStatus, OrderTrigger>,
): NewOrder {
  return {
    ...NOTHING_YET,
    platform_id: platformId,
    external_id: body.external_id,
    status: transition.to,
    buyer_external_id: body.buyer_external_id,
    merchant_external_id: merchantExternalId,
    created_at: now,
    updated_at: now,
    ordered_at: now,
    payment_method: null,
    payment_term: null,
    currency,
    amount_net: body.amount.net,
    amount_gross: body.amount.gross,
    amount_tax: body.amount.tax ?? 0,
    comment: blankToNull(body.comment),
    delivery_address: null,
    custom_data: body.custom_data ?? null,
    line_items: readLineItems(body.line_items, currency),
    contact_email_sealed: sealOrderEmail(vault, body.external_id, body.contact_email),
    buyer_legal_name: buyerLegalName,
    trigger: transition.trigger,
    actor,
  };
}
