/** The migration of further maintained totals on a database with existing rows. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;
beforeAll(async () => {
  older = await olderDatabase('before_0109', 108);
  for (const code of ['one', 'two'])
    await older.client.query(
      `insert into platforms (code, name, created_at, country, currency, data_key_wrapped) values ($1, 'Old', 1, 'DE', 'EUR', '')`,
      [code],
    );
  for (const statement of ROWS) await older.unchecked.query(statement);
}, patience(60));
afterAll(() => older.drop());

const ROWS = [
  `insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers, business_address,
    contact_email_sealed)
  select p, 'b' || n, n, n, case when n > 1 then 'B' end, case when n > 1 then 'PARTNERSHIP' end, '[]', case when n > 1 then '{}'::jsonb end,
    '' from generate_series(1, 3) n, generate_series(1, 2) p`,
  `insert into contacts (platform_id, external_id, buyer_external_id, assign_to_all_invoices, created_at, updated_at, person_sealed)
  select 1, 'c' || n, 'b1', false, n, n, '' from generate_series(1, 2) n`,
  `insert into merchants (platform_id, external_id, status, created_at, updated_at, legal_name, legal_form, business_identifiers,
    business_address, contact_emails_sealed)
  select 1, 'm' || n, case n when 1 then 'INACTIVE' else 'ENROLLED' end, n, n, 'M', 'LIMITED_COMPANY', '[]', '{}', ''
  from generate_series(1, 3) n`,
  `insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, risk_band)
  select 1, 'b' || n, 'ACTIVE', n, n, 'EUR', case n when 1 then 'A1' end from generate_series(1, 2) n`,
  `insert into credit_reviews (platform_id, review_id, status, subject, buyer_external_id, currency, reasons, opened_at, updated_at)
  select 1, gen_random_uuid(), case n when 1 then 'WITHDRAWN' else 'OPEN' end, 'ORDER', 'b1', 'EUR', '{}', n, n from generate_series(1, 3) n`,
  `insert into credit_notes (platform_id, external_id, created_at, updated_at, invoice_external_id, buyer_external_id,
    merchant_external_id, reason_code, invoiced_at, currency, amount_net, amount_tax, amount_gross, line_items, actor)
  values (1, 'n', 1, 1, 'i', 'b1', 'm1', 'OTHER', 1, 'EUR', 1, 0, 1, '[]', 'test')`,
  `insert into payout_instructions (platform_id, external_id, merchant_external_id, type, status, created_at, updated_at, payable_from,
    details_sealed, account_mac)
  select 1, 'p' || n, 'm1', 'SEPA', case n when 1 then 'DELETED' else 'VERIFIED' end, n, n, n, '', '' from generate_series(1, 3) n`,
  `insert into payouts (platform_id, external_id, end_to_end_id, merchant_external_id, payout_instruction_external_id, scheme,
    currency, status, created_at, updated_at, scheduled_on, amount)
  select 1, 'o' || n, 'E' || n, 'm1', 'p2', 'SEPA', 'EUR', case n when 1 then 'FAILED' else 'PAID' end, n, n, '2026-01-01', 1
  from generate_series(1, 3) n`,
];

it(
  'every row is in the totals of the lists that show it',
  async () => {
    await older.migrateUnchecked();
    const { rows } = await older.unchecked.query({
      text: `select platform_id, list, filter, value, rows_count::int from list_counts order by 1, 2, 3, 4`,
      rowMode: 'array',
    });
    expect(rows).toEqual([
      [1, 'buyers', '', '', 3],
      [1, 'buyers', 'legal_form', '', 1],
      [1, 'buyers', 'legal_form', 'PARTNERSHIP', 2],
      [1, 'contacts', '', '', 2],
      [1, 'credit_notes', '', '', 1],
      [1, 'credit_notes', 'buyer_external_id', 'b1', 1],
      [1, 'credit_notes', 'currency', 'EUR', 1],
      [1, 'credit_notes', 'merchant_external_id', 'm1', 1],
      [1, 'credit_notes', 'reason_code', 'OTHER', 1],
      [1, 'credit_reviews', 'status', 'OPEN', 2],
      [1, 'credit_reviews', 'status', 'WITHDRAWN', 1],
      [1, 'credit_reviews', 'status,subject', 'OPEN ORDER', 2],
      [1, 'credit_reviews', 'status,subject', 'WITHDRAWN ORDER', 1],
      [1, 'credit_reviews', 'subject', 'ORDER', 3],
      [1, 'facilities', '', '', 2],
      [1, 'facilities', 'currency', 'EUR', 2],
      [1, 'facilities', 'risk_band', '', 1],
      [1, 'facilities', 'risk_band', 'A1', 1],
      [1, 'facilities', 'status', 'ACTIVE', 2],
      [1, 'merchants', '', '', 3],
      [1, 'merchants', 'status', 'ENROLLED', 2],
      [1, 'merchants', 'status', 'INACTIVE', 1],
      [1, 'payout_instructions', 'status', 'DELETED', 1],
      [1, 'payout_instructions', 'status', 'VERIFIED', 2],
      [1, 'payout_instructions', 'status,type', 'DELETED SEPA', 1],
      [1, 'payout_instructions', 'status,type', 'VERIFIED SEPA', 2],
      [1, 'payouts', '', '', 3],
      [1, 'payouts', 'currency', 'EUR', 3],
      [1, 'payouts', 'merchant_external_id', 'm1', 3],
      [1, 'payouts', 'payout_instruction_external_id', 'p2', 3],
      [1, 'payouts', 'scheme', 'SEPA', 3],
      [1, 'payouts', 'status', 'FAILED', 1],
      [1, 'payouts', 'status', 'PAID', 2],
      [1, 'payouts', 'status,merchant_external_id', 'FAILED m1', 1],
      [1, 'payouts', 'status,merchant_external_id', 'PAID m1', 2],
      [2, 'buyers', '', '', 3],
      [2, 'buyers', 'legal_form', '', 1],
      [2, 'buyers', 'legal_form', 'PARTNERSHIP', 2],
    ]);
  },
  patience(60),
);
