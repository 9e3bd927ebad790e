/**
 * A company has a different id in each database. The rows of a platform refer to it by that id, and so do the keyed hashes that identify
 * the buyers of one legal entity. Both are replaced when the platform moves.
 */
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import { ENTITY_KEY_COLUMN, entityKeysOf, listEntityKeys } from '#modules/buyers';
import {
  type ArrivedCompany,
  COMPANY_COLUMN,
  entityNumberOfEntry,
  findLastCompanyId,
  listNamedCompanies,
} from '#modules/registry';
import { bytesInLine, type ReplacedValues } from './replaced-values.ts';

/** The ids of the companies that rows of the platform refer to, by the id or by its hash. */
export async function companiesOf(db: Db, platformId: number, vault: PlatformVault): Promise<number[]> {
  const keys = new Set((await listEntityKeys(db, platformId)).map((key) => key.toString('hex')));
  const ids = new Set(await listNamedCompanies(db, platformId));
  // A hash does not reveal its id, so all ids are tried, about 400,000 a second.
  const last = keys.size === 0 ? 0 : await findLastCompanyId(db);
  for (let id = 1; id <= last; id++) if (keys.has(keyOf(vault, id).toString('hex'))) ids.add(id);
  return [...ids].sort((one, other) => one - other);
}

/** The ids and hashes of these companies in the other database, each with its replacement in this one. */
export function replacedCompanies(arrived: readonly ArrivedCompany[], vault: PlatformVault): ReplacedValues {
  const renamed = arrived.filter(({ sourceId, companyId }) => sourceId !== companyId);
  return new Map([
    [COMPANY_COLUMN, new Map(renamed.map(({ sourceId, companyId }) => [`${sourceId}`, `${companyId}`]))],
    [
      ENTITY_KEY_COLUMN,
      new Map(
        renamed.map(({ sourceId, companyId }) => [
          bytesInLine(keyOf(vault, sourceId)),
          bytesInLine(keyOf(vault, companyId)),
        ]),
      ),
    ],
  ]);
}

const keyOf = (vault: PlatformVault, companyId: number): Buffer =>
  entityKeysOf(vault, [entityNumberOfEntry(companyId)])[0] as Buffer;
