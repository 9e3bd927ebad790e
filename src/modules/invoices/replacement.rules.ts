/** The fields of an invoice that a PUT may not change, and the effects of a new due day. */
import { isDeepStrictEqual } from 'node:util';
import { futureIssues } from '#kernel/clock-skew';
import { localDayOf } from '#kernel/local-day';
import { type Issue, invalidRequest, refusal } from '#kernel/problem';
import { blankToNull } from '#kernel/text';
import { firstLookAt } from './dunning/first-look.rules.ts';
import type { InvoiceRow } from './invoice.queries.ts';
import type { InvoiceReplacement } from './invoice.schemas.ts';
import { defaultsAt, fallsDueAt } from './settlement.rules.ts';
import { type InvoiceChanges, invoiceGuardRefusal } from './transition-invoice.ts';

/** Throws IMMUTABLE_FIELD for the first field that differs from the stored one. */
export function assertImmutable(body: InvoiceReplacement, stored: InvoiceRow): void {
  const { net, gross, tax, currency } = body.amount;
  const fields: [name: string, isSame: boolean][] = [
    ['buyer_external_id', body.buyer_external_id === stored.buyer_external_id],
    [
      'amount',
      isDeepStrictEqual([net, tax ?? 0, gross], [stored.amount_net, stored.amount_tax, stored.amount_gross]),
    ],
    ['amount.currency', (currency ?? stored.currency) === stored.currency],
    [
      'merchant_external_id',
      (body.merchant_external_id ?? stored.merchant_external_id) === stored.merchant_external_id,
    ],
    [
      'order_external_ids',
      isDeepStrictEqual(body.order_external_ids ?? stored.order_external_ids, stored.order_external_ids),
    ],
    [
      'invoice_number',
      body.invoice_number === undefined || blankToNull(body.invoice_number) === stored.invoice_number,
    ],
    ['due_at', stored.installments.length === 1 || body.due_at === stored.due_at],
  ];
  const changed = fields.find(([, isSame]) => !isSame);
  if (!changed) return;
  const [name] = changed;
  const why =
    name === 'due_at'
      ? 'The days of several instalments were agreed with the order'
      : `The ${name} of an invoice cannot change: refund it and create another one`;
  throw refusal('IMMUTABLE_FIELD', why, { field: `body.${name}` });
}

/** Throws a 400 with the impossible dates. `now` is in unix seconds. */
export function assertDates(
  { invoiced_at, due_at }: InvoiceReplacement,
  now: number,
  timeZone: string,
): void {
  const issues: Issue[] = futureIssues(invoiced_at, now, 'body.invoiced_at');
  if (localDayOf(due_at, timeZone) < localDayOf(invoiced_at, timeZone))
    issues.push({ code: 'INVALID_VALUE', path: 'body.due_at', message: 'must not be before invoiced_at' });
  if (issues.length > 0) throw invalidRequest(issues);
}

/**
 * The columns of a new due instant. An OPEN invoice falls due at the end of the new day, or immediately if that day is over. A DUE
 * invoice becomes OPEN if the new day has not ended. Throws INVALID_STATUS_TRANSITION for a settled invoice.
 */
export function dueChanges(
  invoice: InvoiceRow,
  dueAt: number,
  now: number,
  timeZone: string,
): { changes: InvoiceChanges; isPostponed: boolean } {
  if (dueAt === invoice.due_at) return { changes: {}, isPostponed: false };
  if (invoice.status !== 'OPEN' && invoice.status !== 'DUE')
    throw invoiceGuardRefusal(
      invoice,
      'postpone',
      'Nothing is owed on the invoice, so nothing can be postponed',
    );
  const dueOn = localDayOf(dueAt, timeZone);
  const isPostponed = invoice.status === 'DUE' && dueOn >= localDayOf(now, timeZone);
  const moment = { now, timeZone };
  const when =
    invoice.status === 'OPEN' || isPostponed
      ? { falls_due_at: fallsDueAt({ due_on: dueOn }, moment) }
      : { defaults_at: invoice.defaulted_on === null ? defaultsAt({ due_on: dueOn }, moment) : null };
  const dunningAt = firstLookAt({ due_at: dueAt }, now);
  return { changes: { due_at: dueAt, due_on: dueOn, dunning_at: dunningAt, ...when }, isPostponed };
}
