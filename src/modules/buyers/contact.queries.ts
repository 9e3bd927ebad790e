import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gathered, gatheredSets } from '#infra/database/gather';
import { rowsInOrder } from '#infra/database/rows-in-order';
import { type NewRowOf, type RowOf, table } from '#infra/database/table';
import { arrayOf, unnestKeys } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';
import type { CursorPage } from '#operation/list';
import { type ListContext, type ListTable, listKeys } from '#operation/list-table.queries';
import type { Context } from '#operation/operation';
import type { Contact, Person } from './contact.schemas.ts';

export const contactsTable = table('contacts', {
  platform_id: 'int',
  external_id: 'text',
  buyer_external_id: 'text',
  version: 'int',
  created_at: 'bigint',
  updated_at: 'bigint',
  assign_to_all_invoices: 'boolean',
  person_sealed: 'bytea',
  is_from_checkout: 'boolean',
  email_changed_at: 'bigint',
  is_email_from_merchant: 'boolean',
});

export type ContactRow = RowOf<typeof contactsTable>;
export interface ContactKey {
  platformId: number;
  externalId: string;
}

/** Contacts in the order of the keys; undefined for an unknown one. */
export async function findContacts(db: Db, keys: ContactKey[]): Promise<(ContactRow | undefined)[]> {
  const { rows } = await sql<ContactRow>`
    select c.* from ${unnestKeys(keys)}
    cross join lateral (
      select * from contacts where platform_id = k.platform_id and external_id = k.external_id offset 0
    ) c`.execute(db);
  return rowsInOrder(keys, rows);
}

export const findContact = gathered(findContacts, byPlatform);

/** All contacts of some buyers, newest first. */
export async function findContactsOfBuyers(
  db: Db,
  platformId: number,
  buyerExternalIds: string[],
): Promise<ContactRow[]> {
  return db
    .selectFrom('contacts')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`buyer_external_id = any(${arrayOf('text', buyerExternalIds)})`)
    .orderBy('created_at', 'desc')
    .orderBy('external_id')
    .execute();
}

async function findContactsOfEach(
  db: Db,
  keys: { platformId: number; buyerExternalId: string }[],
): Promise<ContactRow[][]> {
  const platformId = keys[0]?.platformId as number;
  const rows = await findContactsOfBuyers(
    db,
    platformId,
    keys.map(({ buyerExternalId }) => buyerExternalId),
  );
  const byBuyer = Map.groupBy(rows, ({ buyer_external_id }) => buyer_external_id);
  return keys.map(({ buyerExternalId }) => byBuyer.get(buyerExternalId) ?? []);
}

/** All contacts of a buyer, newest first. */
export const findContactsOfBuyer = gathered(findContactsOfEach, byPlatform);

/** All contacts of each buyer, newest first, in the order of the buyers. */
export const readContactsOfBuyers = gatheredSets(findContactsOfEach, byPlatform);

async function findInvoiceContacts(
  db: Db,
  keys: { platformId: number; buyerExternalId: string }[],
): Promise<(string | null)[]> {
  const platformId = keys[0]?.platformId as number;
  const buyerExternalIds = keys.map(({ buyerExternalId }) => buyerExternalId);
  const { rows } = await sql<{ buyer_external_id: string; external_id: string }>`
    select distinct on (buyer_external_id) buyer_external_id, external_id
    from contacts
    where platform_id = ${platformId} and assign_to_all_invoices
      and buyer_external_id = any(${arrayOf('text', buyerExternalIds)})
    order by buyer_external_id, created_at, external_id`.execute(db);
  const byBuyer = new Map(rows.map((row) => [row.buyer_external_id, row.external_id]));
  return keys.map(({ buyerExternalId }) => byBuyer.get(buyerExternalId) ?? null);
}

/** The contact that new invoices of a buyer get: the oldest with assign_to_all_invoices; null without one. */
export const findInvoiceContact = gathered(findInvoiceContacts, byPlatform);

/** The contacts of a buyer as requests show them, newest first. */
export async function readContacts(
  { db, platformId, vault }: Pick<Context, 'db' | 'platformId' | 'vault'>,
  buyerExternalId: string,
): Promise<Contact[]> {
  const rows = await findContactsOfBuyer(db, { platformId, buyerExternalId });
  return rows.map((row) => toContact(row, vault));
}

export interface ContactFilter {
  buyer_external_id?: string[];
}

export const contactTotals = { list: 'contacts', by: [[]] } as const;

const CONTACTS: ListTable<ContactFilter> = {
  table: 'contacts',
  key: 'external_id',
  values: ['buyer_external_id'],
  ranges: [],
  counted: contactTotals.by,
};

/** A page of contacts, the newest first. */
export async function listContactRows(context: ListContext, filter: ContactFilter, page: CursorPage) {
  const { keys, listed } = await listKeys(context, CONTACTS, filter, page);
  const { db, platformId } = context;
  const rows = await findContacts(
    db,
    keys.map((externalId) => ({ platformId, externalId })),
  );
  // A contact can have been deleted since its key was found.
  return { listed, rows: rows.filter((row) => row !== undefined) };
}

export async function lockContact(
  db: Db,
  platformId: number,
  externalId: string,
): Promise<ContactRow | undefined> {
  return db
    .selectFrom('contacts')
    .selectAll()
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Inserts a contact. Returns undefined if the external_id is taken. */
export async function insertContact(
  db: Db,
  contact: NewRowOf<typeof contactsTable>,
): Promise<ContactRow | undefined> {
  return db
    .insertInto('contacts')
    .values(contactsTable.insertable(contact))
    .onConflict((oc) => oc.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export async function updateContact(
  db: Db,
  platformId: number,
  externalId: string,
  changes: Partial<ContactRow>,
): Promise<ContactRow> {
  return db
    .updateTable('contacts')
    .set(contactsTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function removeContact(db: Db, platformId: number, externalId: string): Promise<void> {
  await db
    .deleteFrom('contacts')
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .execute();
}

const placeOf = (externalId: string) => `contacts/${externalId}`;

export function sealPerson(vault: PlatformVault, externalId: string, person: Person): Buffer {
  return vault.seal(placeOf(externalId), JSON.stringify(person));
}

export function toContact(row: ContactRow, vault: PlatformVault): Contact {
  const person: Person = JSON.parse(vault.open(placeOf(row.external_id), row.person_sealed));
  return { ...row, ...person };
}
