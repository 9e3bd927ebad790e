import { assertMerchantAllowed } from '#http/caller';
import { type Context, operation } from '#http/operation';
import { moveOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { findBuyerName } from '#modules/buyers';
import { existsMerchant, findOnlyMerchant } from '#modules/merchants';
import { findPlatform } from '#modules/platforms';
import { orderLifecycle } from '../order.lifecycle.ts';
import { insertOrder, sealContactEmail, toOrder } from '../order.queries.ts';
import { assertCurrencyEnabled, assertDraft, currencyOf, readLineItems } from '../order.rules.ts';
import { DraftOrderCreation, Order } from '../order.schemas.ts';

export const createDraftOrder = operation({
  id: 'createDraftOrder',
  summary: 'Create a draft order',
  description:
    'Starts a hosted checkout, in which the buyer fills in what is missing. Drafts reserve no credit and never expire by themselves.',
  tag: 'Orders',
  scope: 'orders:write',
  effect: 'statement',
  body: DraftOrderCreation,
  isVersioned: true,
  status: 201,
  response: Order,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'EXTERNAL_ID_ALREADY_EXISTS',
    'REFERENCED_ENTITY_NOT_FOUND',
    'CURRENCY_NOT_ENABLED',
  ],
  example: {
    body: {
      external_id: 'example-order',
      buyer_external_id: 'cafe-morgenrot',
      merchant_external_id: 'roastery-north',
      amount: { net: 10000, tax: 1900, gross: 11900 },
      line_items: [
        { name: 'Espresso beans, 1 kg', category: 'Coffee', price: 2500, quantity: 4 },
        {
          name: 'Welcome discount',
          category: 'Discount',
          price: -500,
          quantity: 1,
          description: 'First order',
        },
      ],
      comment: 'Deliver to the back door.',
    },
  },
  async run(context, { body }) {
    const { db, platformId, caller, vault, now } = context;
    const [platform, buyerName, isMerchantKnown] = await Promise.all([
      findPlatform(db, platformId),
      findBuyerName(db, { platformId, externalId: body.buyer_external_id }),
      body.merchant_external_id === undefined
        ? undefined
        : existsMerchant(db, { platformId, externalId: body.merchant_external_id }),
    ]);
    if (!platform) throw notFound();
    assertDraft(body, platform);
    if (buyerName === undefined) throw notFound();
    if (body.merchant_external_id !== undefined) assertMerchantAllowed(caller, body.merchant_external_id);
    const named = isMerchantKnown ? body.merchant_external_id : undefined;
    const merchantExternalId = named ?? (await onlyMerchant(context, body));
    const currency = currencyOf(body, platform);
    assertCurrencyEnabled(currency, platform);

    const move = moveOf(orderLifecycle, null, 'create_draft');
    const order = {
      platform_id: platformId,
      external_id: body.external_id,
      status: move.to,
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
      contact_email_sealed: sealContactEmail(vault, body.external_id, body.contact_email),
      buyer_legal_name: buyerName,
    };
    const isWritten = await insertOrder(db, {
      ...order,
      trigger: move.trigger,
      actor: `api_key:${caller.keyId}`,
    });
    if (!isWritten)
      throw refusal('EXTERNAL_ID_ALREADY_EXISTS', 'There is an order with this external_id already');
    return { body: toOrder(order, vault), version: 1 };
  },
});

/** The one merchant of a single-merchant platform, where the request names none. */
async function onlyMerchant(
  { db, platformId, caller }: Context,
  { merchant_external_id: named }: DraftOrderCreation,
): Promise<string> {
  const only = named === undefined ? await findOnlyMerchant(db, platformId) : undefined;
  if (!only) {
    throw refusal(
      'REFERENCED_ENTITY_NOT_FOUND',
      named === undefined
        ? 'The merchant of this platform is not registered yet'
        : 'There is no merchant with this external_id',
      { field: 'body.merchant_external_id' },
    );
  }
  assertMerchantAllowed(caller, only.external_id);
  return only.external_id;
}
