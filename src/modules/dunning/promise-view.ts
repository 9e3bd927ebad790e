import { endOfLocalDay } from '#kernel/local-day';
import type { InvoiceRow } from '#modules/invoices';
import type { PromiseRow } from './promise.queries.ts';
import type { PromiseToPay } from './promise.schemas.ts';

/** A promise as the API shows it. */
export function toPromise(
  { external_id, promised_amount, until_on, created_at, ended_at }: PromiseRow,
  invoice: Pick<InvoiceRow, 'external_id' | 'currency'>,
  timeZone: string,
): PromiseToPay {
  return {
    external_id,
    invoice_external_id: invoice.external_id,
    amount: promised_amount,
    currency: invoice.currency,
    until: endOfLocalDay(until_on, timeZone),
    created_at,
    withdrawn_at: ended_at,
  };
}
