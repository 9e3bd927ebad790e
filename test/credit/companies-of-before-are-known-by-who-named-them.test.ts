/** Migration 0014 on existing buyers and contacts: some of them were entered in a checkout. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type OlderDatabase, olderDatabase } from '#test/older-database';
import { patience } from '#test/patience';

let older: OlderDatabase;

beforeAll(async () => {
  older = await olderDatabase('before_0014', 8);
  await older.client.query(`
    insert into platforms (code, name, created_at, country, currency, data_key_wrapped)
    values ('old', 'Old', 1, 'DE', 'EUR', '');
    insert into buyers (platform_id, external_id, created_at, updated_at, business_identifiers, contact_email_sealed)
    values (1, 'by-checkout', 1, 1, '[]', ''), (1, 'by-platform', 1, 1, '[]', '');
    insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency)
    values (1, 'by-checkout', 'REJECTED', 1, 1, 'EUR'), (1, 'by-platform', 'REJECTED', 1, 1, 'EUR');
    insert into facility_transitions (platform_id, buyer_external_id, version, to_status, trigger, transitioned_at, actor)
    values (1, 'by-checkout', 1, 'REJECTED', 'reject', 1, 'buyer'), (1, 'by-platform', 1, 'REJECTED', 'reject', 1, 'api_key:1');
    insert into contacts (platform_id, external_id, buyer_external_id, created_at, updated_at, assign_to_all_invoices, person_sealed)
    values (1, 'checkout-0123456789abcdef', 'by-checkout', 1, 1, true, ''), (1, 'checkout-desk', 'by-platform', 1, 1, true, '')`);
});
afterAll(() => older.drop());

it(
  'a company that a buyer entered in a checkout is marked, and so is the contact that a checkout added',
  async () => {
    await older.migrate();
    const buyers = await older.client.query(
      'select external_id, is_company_entered as entered from buyers order by 1',
    );
    expect(buyers.rows).toEqual([
      { external_id: 'by-checkout', entered: true },
      { external_id: 'by-platform', entered: false },
    ]);
    const contacts = await older.client.query(
      'select external_id, is_from_checkout as added from contacts order by 1',
    );
    expect(contacts.rows).toEqual([
      { external_id: 'checkout-0123456789abcdef', added: true },
      { external_id: 'checkout-desk', added: false },
    ]);
  },
  patience(60),
);
