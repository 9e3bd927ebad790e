import { CurrencySchema, closed, externalId } from '#kernel/fields';
import { assertMerchantAllowed } from '#operation/caller';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByAmount,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import { listPayoutRows, PAYOUT_SORTS } from '../payout.queries.ts';
import { Payout, PayoutSchemeSchema, PayoutStatusSchema, ScheduledOnFilter } from '../payout.schemas.ts';
import { toPayout } from '../payout-detail.ts';

export const listPayouts = operation({
  id: 'listPayouts',
  summary: 'List payouts',
  description: 'Payouts that were made to merchants, and scheduled ones.',
  tag: 'Payouts',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    external_id: filterByList(externalId('A payout'), 'Only these payouts'),
    merchant_external_id: filterByList(externalId('A merchant'), 'Only payouts to these merchants'),
    payout_instruction_external_id: filterByList(externalId('An account'), 'Only payouts to these accounts'),
    status: filterByList(PayoutStatusSchema, 'Only these statuses'),
    scheme: filterByList(PayoutSchemeSchema, 'Only these schemes'),
    currency: filterByList(CurrencySchema, 'Only these currencies'),
    created_at: filterBySeconds('Scheduled first'),
    scheduled_on: ScheduledOnFilter,
    amount: filterByAmount('Amount'),
    sort_by: sortBy(PAYOUT_SORTS),
  }),
  status: 200,
  response: cursorListOf(Payout, 'PayoutList'),
  problems: ['MERCHANT_NOT_ALLOWED'],
  example: { query: { status: 'SCHEDULED,PAID', scheduled_on: '2025-11-20..', sort_by: '-scheduled_on' } },
  async run(context, { query }) {
    const { caller } = context;
    for (const merchant of query.merchant_external_id ?? []) assertMerchantAllowed(caller, merchant);
    const only = caller.merchantExternalId;
    const filter = only === null ? query : { ...query, merchant_external_id: [only] };
    const { rows, listed } = await listPayoutRows(context, filter, cursorPageOf(query));
    return { body: { items: rows.map(toPayout), ...listed } };
  },
});
