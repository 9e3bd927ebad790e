/** Checks the integrity of a platform: its books, the totals of its lists, and its hash chains. */
import type { Db } from '#infra/database/database';
import type { Vault } from '#infra/secrets/vault';
import { asOfSeconds, checkEquations } from '#modules/ledger';
import { auditKeyOf, verifyAudit } from '#modules/operators';
import type { PlatformRow } from '#modules/platforms';
import { findMiscounts } from '#operation/list-counts.queries';
import { equationsOf } from './equations.ts';
import { LIST_TOTALS, miscountSentence } from './verify.ts';

/**
 * A sentence for each fault that `verify`, `ledger verify` and `audit verify` would report. @param transaction A transaction that reads one
 * state of the database.
 */
export async function faultsOfPlatform(
  transaction: Db,
  of: { vault: Vault; platform: PlatformRow },
): Promise<string[]> {
  const { vault, platform } = of;
  const { platform_id: platformId } = platform;
  const miscounts = await findMiscounts(transaction, platformId, LIST_TOTALS);
  const equations = await checkEquations(transaction, platformId, equationsOf(of), asOfSeconds({}));
  const { fault } = await verifyAudit(transaction, platformId, auditKeyOf(vault, platform));
  return [
    ...miscounts.map(miscountSentence),
    ...equations.flatMap(({ code, differences }) => differences.map((each) => `${code}: ${each}`)),
    ...(fault === null ? [] : [`The audit log was tampered with. ${fault}`]),
  ];
}
