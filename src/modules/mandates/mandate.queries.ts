import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type NewRowOf, type RowOf, table, text } from '#infra/database/table';
import { arrayOf } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listRows } from '#operation/list-table.queries';
import type { MandateStatus } from './mandate.lifecycle.ts';
import type { Mandate } from './mandate.schemas.ts';

export const mandatesTable = table('mandates', {
  platform_id: 'int',
  reference: 'text',
  buyer_external_id: 'text',
  status: text<MandateStatus>(),
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  signed_at: 'bigint',
  revoked_at: 'bigint',
  account_sealed: 'bytea',
  iban_mac: 'bytea',
});

export type MandateRow = RowOf<typeof mandatesTable>;

export const mandateTransitionsTable = table('mandate_transitions', {
  platform_id: 'int',
  reference: 'text',
  version: 'int',
  from_status: 'text',
  to_status: 'text',
  trigger: 'text',
  transitioned_at: 'bigint',
  actor: 'text',
});

/** The active mandates of some buyers: at most one for each. */
export async function findActiveMandates(
  db: Db,
  platformId: number,
  buyerExternalIds: string[],
): Promise<MandateRow[]> {
  return db
    .selectFrom('mandates')
    .select(mandatesTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`buyer_external_id = any(${arrayOf('text', buyerExternalIds)})`)
    .where('status', '=', 'ACTIVE')
    .$castTo<MandateRow>()
    .execute();
}

/** Returns undefined for a mandate of another buyer. The reference is case-insensitive. */
export async function findMandate(
  db: Db,
  platformId: number,
  buyerExternalId: string,
  reference: string,
): Promise<MandateRow | undefined> {
  return db
    .selectFrom('mandates')
    .select(mandatesTable.columns)
    .where('platform_id', '=', platformId)
    .where('buyer_external_id', '=', buyerExternalId)
    .where(sql<boolean>`upper(reference) = upper(${reference})`)
    .$castTo<MandateRow>()
    .executeTakeFirst();
}

const MANDATES: ListTable<{ buyer_external_id: string[] }> = {
  table: 'mandates',
  key: 'reference',
  of: 'buyer_external_id',
  values: ['buyer_external_id'],
  ranges: [],
};

/** Newest first. */
export async function listMandateRows(context: ListContext, buyerExternalId: string, page: CursorPage) {
  const ofBuyer = { buyer_external_id: [buyerExternalId] };
  return listRows<typeof ofBuyer, MandateRow>(context, MANDATES, ofBuyer, page, mandatesTable.of('t'));
}

/** Returns undefined if the reference is taken. */
export async function insertMandate(
  db: Db,
  mandate: NewRowOf<typeof mandatesTable>,
): Promise<MandateRow | undefined> {
  return db
    .insertInto('mandates')
    .values(mandatesTable.insertable(mandate))
    .onConflict((oc) => oc.doNothing())
    .returning(mandatesTable.columns)
    .$castTo<MandateRow>()
    .executeTakeFirst();
}

export async function updateMandate(
  db: Db,
  platformId: number,
  reference: string,
  changes: Partial<MandateRow>,
): Promise<MandateRow> {
  return db
    .updateTable('mandates')
    .set(mandatesTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('reference', '=', reference)
    .returning(mandatesTable.columns)
    .$castTo<MandateRow>()
    .executeTakeFirstOrThrow();
}

export async function insertMandateTransition(
  db: Db,
  transition: NewRowOf<typeof mandateTransitionsTable>,
): Promise<void> {
  await db.insertInto('mandate_transitions').values(mandateTransitionsTable.insertable(transition)).execute();
}

/** The account and its holder, encrypted as one value. */
export interface DebitAccount {
  iban: string;
  holder: string;
}

const placeOf = (reference: string) => `mandates/${reference}`;

/** The columns of an account: encrypted, and as a keyed hash by which equal IBANs are found. */
export function toAccountColumns(vault: PlatformVault, reference: string, account: DebitAccount) {
  return {
    account_sealed: vault.seal(placeOf(reference), JSON.stringify(account)),
    iban_mac: vault.mac('mandates/iban', account.iban),
  };
}

export function toMandate(row: MandateRow, vault: PlatformVault): Mandate {
  const { account_sealed: sealed, iban_mac: _, platform_id: __, version: ___, ...shown } = row;
  const { iban, holder }: DebitAccount = JSON.parse(vault.open(placeOf(row.reference), sealed));
  return { ...shown, account_holder: holder, iban_last_four: iban.slice(-4) };
}
