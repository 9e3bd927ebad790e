import type { Currency } from '#kernel/currency';
import { notFound, refusal } from '#kernel/problem';
import { findBuyerName } from '#modules/buyers';
import { existsMerchant, findOnlyMerchant } from '#modules/merchants';
import { assertCurrencyEnabled, findPlatform, type PlatformRow } from '#modules/platforms';
import { assertMerchantAllowed } from '#operation/caller';
import type { Context } from '#operation/operation';
import { assertCreation, currencyOf } from './order.rules.ts';
import type { DraftOrderCreation, OrderCreation } from './order.schemas.ts';

/** What an order is made on. */
export interface OrderGround {
  platform: PlatformRow;
  /** Null where the buyer is only invited. */
  buyerLegalName: string | null;
  merchantExternalId: string;
  currency: Currency;
}

/** Looks up what a new order points to, and refuses what cannot be ordered whatever the credit. */
export async function gatherOrder(
  context: Context,
  body: DraftOrderCreation | OrderCreation,
): Promise<OrderGround> {
  const { db, platformId, caller, now } = context;
  const [platform, buyerLegalName, isMerchantKnown] = await Promise.all([
    findPlatform(db, platformId),
    findBuyerName(db, { platformId, externalId: body.buyer_external_id }),
    body.merchant_external_id === undefined
      ? undefined
      : existsMerchant(db, { platformId, externalId: body.merchant_external_id }),
  ]);
  if (!platform) throw notFound();
  assertCreation(body, platform, now);
  if (buyerLegalName === undefined) throw notFound();
  if (body.merchant_external_id !== undefined) assertMerchantAllowed(caller, body.merchant_external_id);
  const named = isMerchantKnown ? body.merchant_external_id : undefined;
  const merchantExternalId = named ?? (await onlyMerchant(context, body));
  const currency = currencyOf(body, platform);
  assertCurrencyEnabled(currency, platform);
  return { platform, buyerLegalName, merchantExternalId, currency };
}

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
