/** The hash chains of a platform: the entries of its ledger, and its audit log. */
import { checkEquations, ledgerEquations, ledgerKeyOf, numberEntries } from '#modules/ledger';
import { auditKeyOf, verifyAudit } from '#modules/operators';
import type { World } from './world.ts';

/** Numbers posted entries like the worker, and returns the faults of both chains; none if both are intact. */
export async function auditChains({ installation, platform }: World): Promise<string[]> {
  const { db, vault } = installation;
  const { platform_id: platformId, code } = platform;
  await numberEntries(db, vault);
  const ofLedger = ledgerEquations(ledgerKeyOf(vault, code));
  const now = { at: null, knownAt: null };
  const results = await checkEquations(db, platformId, ofLedger, now);
  const { fault } = await verifyAudit(db, platformId, auditKeyOf(vault, platform));
  return [
    ...results.flatMap((result) => result.differences.map((each) => `${result.code}: ${each}`)),
    ...(fault === null ? [] : [`Audit log: ${fault}`]),
  ];
}
