/** Addresses that a mail server permanently refused, stored as keyed hashes. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { byPlatform, gatheredSets } from '#infra/database/gather';
import { unnestRows } from '#infra/database/unnest-rows';
import type { PlatformVault } from '#infra/secrets/vault';

/** The keyed hash of an address, ignoring case: no provider distinguishes addresses by case. */
export function macOfAddress(vault: PlatformVault, address: string): Buffer {
  return vault.mac('refused_addresses', address.toLowerCase());
}

interface AddressKey {
  platformId: number;
  addressMac: Buffer;
}

const unnestAddresses = unnestRows<AddressKey>(
  'k',
  { platform_id: ['int', 'platformId'], address_mac: ['bytea', 'addressMac'] },
  { withNth: true },
);

async function areRefused(db: Db, keys: AddressKey[]): Promise<boolean[]> {
  const { rows } = await sql<{ is_refused: boolean }>`
    select exists (
      select from refused_addresses a where a.platform_id = k.platform_id and a.address_mac = k.address_mac
    ) as is_refused
    from ${unnestAddresses(keys)}
    order by k.nth`.execute(db);
  return rows.map(({ is_refused }) => is_refused);
}

/** Whether mails to each address were refused, and none was accepted since. Returns in the order of the addresses. */
export const areAddressesRefused = gatheredSets(areRefused, byPlatform);
