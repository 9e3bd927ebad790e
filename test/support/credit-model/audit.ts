/** What `ledger verify` says of every platform of a world: of the rows, as the model knows nothing of them. */
import { checkEquations, numberEntries } from '#modules/ledger';
import type { PlatformRow } from '#modules/platforms';
import { equationsOf } from '../../../src/cli/equations.ts';
import type { World } from '../world.ts';

/** The differences, with their platforms; none where all books balance. */
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
