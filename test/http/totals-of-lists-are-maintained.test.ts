/** The totals of the lists that grow with trade are maintained: they equal the number of rows after any write. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldListCounts } from '#operation/list-counts.queries';
import { buyerBody } from '#test/bodies';
import { auditBooks } from '#test/books-audit';
import { createListedWorld } from '#test/every-list';
import type { World } from '#test/world';

let world: World;
let platformId: number;
beforeAll(async () => {
  world = await createListedWorld();
  platformId = world.platform.platform_id;
});
afterAll(() => world.close());

const faults = async () => (await auditBooks(world)).filter((fault) => fault.startsWith('totals of lists'));
const fold = () => foldListCounts(world.installation.db, 10_000);
const totalOf = async (path: string) => {
  const { status, body } = await world.get(`/v1/${path}`);
  expect(status).toBe(200);
  return body.total as number;
};
const rowsOf = async (from: string) =>
  (await world.sql<{ rows: number }>(`select count(*)::int as rows from ${from}`))[0]?.rows;
const changesOf = (list: string) => rowsOf(`list_count_changes where list = '${list}'`);

const LISTS: [path: string, from: string][] = [
  ['buyers?', 'buyers'],
  [
    'buyers?legal_form=LIMITED_COMPANY,COOPERATIVE&',
    `buyers where legal_form in ('LIMITED_COMPANY', 'COOPERATIVE')`,
  ],
  ['contacts?', 'contacts'],
  ['merchants?', 'merchants'],
  ['merchants?status=ENROLLED&', `merchants where status = 'ENROLLED'`],
  ['facilities?', 'facilities'],
  ['facilities?status=ACTIVE,FROZEN&', `facilities where status in ('ACTIVE', 'FROZEN')`],
  ['facilities?currency=GBP&', `facilities where currency = 'GBP'`],
  ['facilities?risk_band=A1,B1,C1&', `facilities where risk_band in ('A1', 'B1', 'C1')`],
  ['payout_instructions?', `payout_instructions where status <> 'DELETED'`],
  ['payout_instructions?type=SEPA&', `payout_instructions where status <> 'DELETED' and type = 'SEPA'`],
  ['payouts?', 'payouts'],
  ['payouts?status=SCHEDULED,PAID&', `payouts where status in ('SCHEDULED', 'PAID')`],
  ['payouts?merchant_external_id=roastery-north&', `payouts where merchant_external_id = 'roastery-north'`],
  ['payouts?scheme=SEPA&', `payouts where scheme = 'SEPA'`],
  ['credit_notes?', 'credit_notes'],
  [
    'credit_notes?buyer_external_id=cafe-morgenrot&',
    `credit_notes where buyer_external_id = 'cafe-morgenrot'`,
  ],
  ['credit_notes?reason_code=RETURN&', `credit_notes where reason_code = 'RETURN'`],
];

describe('the totals of lists', () => {
  it('are right of all that the demo has written, before and after its changes are folded', async () => {
    expect(await faults()).toEqual([]);
    expect(await fold()).toBeGreaterThan(0);
    expect(await faults()).toEqual([]);
  });

  it.each(LISTS)('of %s are the rows', async (path, from) => {
    const rows = await rowsOf(from);
    expect(rows).toBeGreaterThan(0);
    expect(await totalOf(`${path}limit=1`)).toBe(rows);
  });

  it('follow what requests change', async () => {
    const replaced = buyerBody({
      external_id: undefined,
      legal_form: 'PARTNERSHIP',
      business_identifiers: [],
    });
    const before = await totalOf('buyers?legal_form=PARTNERSHIP&limit=1');
    expect(await world.put('/v1/buyers/morgenrot-two', replaced)).toMatchObject({ status: 200 });
    expect(await totalOf('buyers?legal_form=PARTNERSHIP&limit=1')).toBe(before + 1);

    const contacts = await totalOf('contacts?limit=1');
    expect((await world.delete('/v1/contacts/cafe-morgenrot-accounting')).status).toBe(200);
    expect(await totalOf('contacts?limit=1')).toBe(contacts - 1);

    const accounts = await totalOf('payout_instructions?limit=1');
    expect((await world.delete('/v1/payout_instructions/keramika-account')).status).toBe(200);
    expect(await totalOf('payout_instructions?limit=1')).toBe(accounts - 1);
    expect(await faults()).toEqual([]);
  });

  it('follow a statement that changes many rows', async () => {
    const other = await world.addPlatform();
    await world.sql(
      `insert into merchants (platform_id, external_id, status, created_at, updated_at, legal_name, legal_form, business_identifiers,
        business_address, contact_emails_sealed)
      select unnest(array[$1, $2]::int[]), 'many-' || n, 'ENROLLED', n, n, 'M', 'LIMITED_COMPANY', '[]', '{}', ''
      from generate_series(1, 50) n`,
      [platformId, other.platform.platform_id],
    );
    await world.sql(`update merchants set status = 'INACTIVE' where external_id like 'many-%5'`);
    await world.sql(`update facilities set risk_band = 'D1'`);
    await world.sql(`update payouts set status = 'CANCELLED', scheme = 'SWIFT', nets_at = null`);
    await world.sql(`update credit_reviews set subject = subject, status = 'WITHDRAWN', outcome = null`);
    expect(await faults()).toEqual([]);
  });
});

describe('what changes no total', () => {
  it('writes no change of one, such as an order its facility', async () => {
    while ((await fold()) > 0);
    await world.sql('update facilities set version = version + 1, updated_at = updated_at + 1');
    await world.sql('update buyers set version = version + 1, overdue_since = 5');
    await world.sql('update merchants set version = version + 1');
    await world.sql('update payouts set version = version + 1');
    for (const list of ['facilities', 'buyers', 'merchants', 'payouts'])
      expect(await changesOf(list)).toBe(0);
  });
});
