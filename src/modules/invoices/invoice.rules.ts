import { futureIssues } from '#kernel/clock-skew';
import type { Currency } from '#kernel/currency';
import { localDayOf } from '#kernel/local-day';
import { type Issue, invalidRequest } from '#kernel/problem';
import type { InvoiceCreation } from './invoice.schemas.ts';

/** Throws a 400 with every issue of the request that can be found without a lookup. `now` is in unix seconds. */
export function assertInvoiceCreation(
  body: InvoiceCreation,
  platform: { is_single_merchant: boolean; time_zone: string },
  now: number,
): void {
  const issues: Issue[] = [
    ...futureIssues(body.invoiced_at ?? now, now, 'body.invoiced_at'),
    ...dueIssues(body, now, platform.time_zone),
    ...repeatedOrders(body.order_external_ids ?? []),
  ];
  if ((body.order_external_ids ?? []).length === 0) issues.push(...missingWithoutOrders(body, platform));
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Throws a 400 for line items in a currency other than the invoice's. */
export function assertLineCurrency(body: Pick<InvoiceCreation, 'line_items'>, currency: Currency): void {
  const issues = (body.line_items ?? []).flatMap((item, index): Issue[] =>
    (item.currency ?? currency) === currency
      ? []
      : [
          {
            code: 'INVALID_VALUE',
            path: `body.line_items.${index}.currency`,
            message: `must be the invoice's currency, ${currency}`,
          },
        ],
  );
  if (issues.length > 0) throw invalidRequest(issues);
}

/** Days are compared because many callers send midnight. */
function dueIssues({ due_at, invoiced_at }: InvoiceCreation, now: number, timeZone: string): Issue[] {
  if (due_at == null || localDayOf(due_at, timeZone) >= localDayOf(invoiced_at ?? now, timeZone)) return [];
  return [
    { code: 'INVALID_VALUE', path: 'body.due_at', message: 'must not be before the date of the invoice' },
  ];
}

function repeatedOrders(externalIds: readonly string[]): Issue[] {
  return externalIds.flatMap((externalId, index): Issue[] =>
    externalIds.indexOf(externalId) === index
      ? []
      : [
          {
            code: 'INVALID_VALUE',
            path: `body.order_external_ids.${index}`,
            message: 'names the same order twice',
          },
        ],
  );
}

function missingWithoutOrders(
  body: InvoiceCreation,
  { is_single_merchant }: { is_single_merchant: boolean },
): Issue[] {
  const required = [
    'buyer_external_id',
    ...(is_single_merchant ? [] : (['merchant_external_id'] as const)),
    'due_at',
    'payment_method',
  ] as const;
  return required
    .filter((field) => body[field] == null)
    .map((field) => ({
      code: 'REQUIRED',
      path: `body.${field}`,
      message: 'is required for an invoice without orders',
    }));
}
