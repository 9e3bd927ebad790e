/** The balances of the books, for tests. */
import type { World } from './world.ts';

/** The balances of a buyer's or merchant's accounts and those of the platform: `bank main EUR: 100`. Balances of 0 are left out. */
export async function balancesOf(
  { sql, platform }: Pick<World, 'sql' | 'platform'>,
  documents: { invoice?: string } = {},
): Promise<string[]> {
  const rows = await sql<{ account: string; party: string; balance: string }>(
    `select l.account, l.party, sum(l.amount)::text as balance
     from ledger_lines l join ledger_entries e using (platform_id, entry_id)
     where platform_id = $1 and ($2::text is null or e.invoice_external_id = $2)
     group by l.account, l.party having sum(l.amount) <> 0 order by l.account, l.party`,
    [platform.platform_id, documents.invoice ?? null],
  );
  return rows.map(({ account, party, balance }) => `${[account, party].join(' ').trim()}: ${balance}`);
}
