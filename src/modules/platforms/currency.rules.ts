import type { Currency } from '#kernel/currency';
import { refusal } from '#kernel/problem';

export interface EnabledCurrencies {
  currency: Currency;
  financing_currencies: Currency[];
  collection_currencies: Currency[];
}

/** Throws CURRENCY_NOT_ENABLED unless it is the platform's currency, or enabled for financing or collection. */
export function assertCurrencyEnabled(currency: Currency, platform: EnabledCurrencies): void {
  const enabled = [platform.currency, ...platform.financing_currencies, ...platform.collection_currencies];
  if (enabled.includes(currency)) return;
  throw refusal('CURRENCY_NOT_ENABLED', `This platform has not enabled ${currency}`, {
    currency,
    enabled: [...new Set(enabled)],
  });
}
