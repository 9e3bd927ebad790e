/** Many copies of one invoice, written by the owner of the tables, because requests could not create that many in the time of a test. */

export interface InvoiceCopies {
  /** The external_id of an OPEN invoice. The copies are `<invoice>-1`, `<invoice>-2`, … */
  invoice: string;
  count: number;
  /** The copies belong to these buyers in turn. */
  buyers: readonly string[];
}

/** Copies the invoice with its instalments and its first transition. `query` runs as the owner of the tables. */
export async function copyInvoice(
  query: (sql: string) => Promise<Record<string, unknown>[]>,
  { invoice, count, buyers }: InvoiceCopies,
): Promise<void> {
  const copy = async (table: string, key: string, changes: string) => {
    const [row] = await query(
      `select string_agg(column_name, ', ' order by ordinal_position) as columns from information_schema.columns
      where table_name = '${table}' and is_generated = 'NEVER'`,
    );
    await query(
      `insert into ${table} (${row?.columns}) select ${row?.columns} from (
        select (jsonb_populate_record(t, jsonb_build_object('${key}', '${invoice}-' || n, ${changes}))).*
        from ${table} t cross join generate_series(1, ${count}) n where t.${key} = '${invoice}'
      ) copies`,
    );
  };
  const buyerOfN = `('{${buyers.join(',')}}'::text[])[1 + n % ${buyers.length}]`;
  await copy(
    'invoices',
    'external_id',
    `'buyer_external_id', ${buyerOfN}, 'payment_reference', t.payment_reference || '-' || n`,
  );
  await copy('invoice_installments', 'invoice_external_id', `'number', t.number`);
  await copy('invoice_transitions', 'invoice_external_id', `'version', t.version`);
}
