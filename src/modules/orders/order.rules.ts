import type { Currency } from '#kernel/currency';
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import type { DraftOrderCreation, LineItem, LineItemInput } from './order.schemas.ts';

export interface PlatformRules {
  is_single_merchant: boolean;
  currency: Currency;
  financing_currencies: Currency[];
  collection_currencies: Currency[];
}

/** Throws a 400 with everything that is wrong with the request on such a platform, whatever exists there. */
export function assertDraft(body: DraftOrderCreation, platform: PlatformRules): void {
  const issues: Issue[] = [];
  if (body.merchant_external_id === undefined && !platform.is_single_merchant) {
    issues.push({
      code: 'REQUIRED',
      path: 'body.merchant_external_id',
      message: 'is required on a platform of several merchants',
    });
  }
  const currency = currencyOf(body, platform);
  body.line_items?.forEach((item, index) => {
    if ((item.currency ?? currency) === currency) return;
    issues.push({
      code: 'INVALID_VALUE',
      path: `body.line_items.${index}.currency`,
      message: `must be the order's currency, ${currency}`,
    });
  });
  if (issues.length > 0) throw invalidRequest(issues);
}

/** The order's currency: the platform's where the request names none. */
export function currencyOf(body: DraftOrderCreation, platform: PlatformRules): Currency {
  return body.amount.currency ?? platform.currency;
}

export function assertCurrencyEnabled(currency: Currency, platform: PlatformRules): void {
  const enabled = [platform.currency, ...platform.financing_currencies, ...platform.collection_currencies];
  if (enabled.includes(currency)) return;
  throw refusal('CURRENCY_NOT_ENABLED', `This platform has not enabled ${currency}`, {
    currency,
    enabled: [...new Set(enabled)],
  });
}

/** The lines as they are kept: one by one and in order, each with the order's currency. */
export function readLineItems(lines: LineItemInput[] | undefined, currency: Currency): LineItem[] {
  return (lines ?? []).map((item) => ({
    name: item.name,
    category: item.category,
    price: item.price,
    currency,
    quantity: item.quantity,
    description: blankToNull(item.description),
  }));
}
