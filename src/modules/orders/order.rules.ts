import type { AmountInput } from '#kernel/amount';
import type { Currency } from '#kernel/currency';
import { invalidRequest, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import type { LineItem, LineItemInput } from './order.schemas.ts';

export interface PlatformCurrencies {
  currency: Currency;
  financing_currencies: Currency[];
  collection_currencies: Currency[];
}

/** The order's currency: the platform's where the request names none, else one the platform has enabled. */
export function chooseCurrency(amount: AmountInput, platform: PlatformCurrencies): Currency {
  const currency = amount.currency ?? platform.currency;
  const enabled = [platform.currency, ...platform.financing_currencies, ...platform.collection_currencies];
  if (enabled.includes(currency)) return currency;
  throw refusal('CURRENCY_NOT_ENABLED', `This platform has not enabled ${currency}`, {
    currency,
    enabled: [...new Set(enabled)],
  });
}

/** The lines in the order's currency; every line that names another is an issue. */
export function readLineItems(lines: LineItemInput[] | undefined, currency: Currency): LineItem[] {
  const issues = (lines ?? []).flatMap((item, index) =>
    (item.currency ?? currency) === currency
      ? []
      : [
          {
            code: 'INVALID_VALUE' as const,
            path: `body.line_items.${index}.currency`,
            message: `must be the order's currency, ${currency}`,
          },
        ],
  );
  if (issues.length > 0) throw invalidRequest(issues);
  return (lines ?? []).map((item) => ({
    name: item.name,
    category: item.category,
    price: item.price,
    currency,
    quantity: item.quantity,
    description: blankToNull(item.description),
  }));
}
