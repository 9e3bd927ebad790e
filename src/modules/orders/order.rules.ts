import { futureIssues } from '#kernel/clock-skew';
import type { Currency } from '#kernel/currency';
import { DAY_SECONDS } from '#kernel/day';
import { type Issue, invalidRequest } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import type { LimitPolicy } from '#modules/facilities';
import type { EnabledCurrencies } from '#modules/platforms';
import type { OrderStatus } from './order.lifecycle.ts';
import type { DraftOrderCreation, LineItem, LineItemInput, OrderCreation } from './order.schemas.ts';

export interface PlatformRules extends EnabledCurrencies {
  is_single_merchant: boolean;
}

/** Throws a 400 with every issue of the request that can be found without a lookup. */
export function assertCreation(
  body: DraftOrderCreation | OrderCreation,
  platform: PlatformRules,
  now: number,
): void {
  const orderedAt = 'ordered_at' in body ? body.ordered_at : undefined;
  const issues: Issue[] = futureIssues(orderedAt ?? now, now, 'body.ordered_at');
  if (body.merchant_external_id === undefined && !platform.is_single_merchant) {
    issues.push({
      code: 'REQUIRED',
      path: 'body.merchant_external_id',
      message: 'is required on a platform with several merchants',
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

/** When an order in this status expires, in unix seconds; null without a time limit. */
export function timeLimitOf(status: string, policy: LimitPolicy, now: number): number | null {
  switch (status as OrderStatus) {
    case 'PENDING_CONFIRMATION':
      return now + policy.confirmationLimitDays * DAY_SECONDS;
    case 'CONFIRMED':
      return now + policy.authorizationLimitDays * DAY_SECONDS;
    default:
      return null;
  }
}

/** The amount and currency of an order on credit. */
export function purchaseOf(order: { amount_gross: number; currency: Currency }): {
  grossMinor: number;
  currency: Currency;
} {
  return { grossMinor: order.amount_gross, currency: order.currency };
}

/** The order's currency. Default: the platform's. */
export function currencyOf(body: DraftOrderCreation, platform: PlatformRules): Currency {
  return body.amount.currency ?? platform.currency;
}

/** The stored lines: each line separately and in order, with the order's currency. */
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
