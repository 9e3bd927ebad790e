/** The result of `ledger verify` for every platform of a world. It checks the rows, which the model does not know. */
import { checkEquations, numberEntries } from '#modules/ledger';
import type { PlatformRow } from '#modules/platforms';
import { equationsOf } from '../../../src/cli/equations.ts';
import type { World } from '../world.ts';

/** The differences, with their platforms; none if all books balance. */
export async function auditBooks({ installation, sql }: World): Promise<string[]> {
  const { db, vault } = installation;
  await numberEntries(db, vault);
  const differences: string[] = [];
  for (const platform of await sql<PlatformRow>('select * from platforms order by platform_id')) {
    const equations = equationsOf({ vault, platform });
    const results = await checkEquations(db, platform.platform_id, equations, { at: null, knownAt: null });
    for (const { code, differences: found } of results)
      differences.push(...found.map((each) => `${platform.code} ${code}: ${each}`));
  }
  return differences;
}
