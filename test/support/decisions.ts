/** Credit decisions for tests. */
import type { World } from './world.ts';

/** Gives the only decision about a buyer, which needs no review, an id that the test knows in advance. */
export async function nameDecision(
  { sql }: Pick<World, 'sql'>,
  platformId: number,
  buyer: string,
  decisionId: string,
): Promise<void> {
  for (const table of ['credit_decisions', 'facilities', 'facility_transitions', 'facility_ledger'])
    await sql(
      `update ${table} set decision_id = $3 where platform_id = $1 and buyer_external_id = $2 and decision_id is not null`,
      [platformId, buyer, decisionId],
    );
}

/** The decisions about a buyer, the oldest first. */
export const decisionIdsOf = async (world: World, buyer: string): Promise<string[]> =>
  (await world.get(`/v1/buyers/${buyer}/decisions`)).body.items
    .map((decision: { decision_id: string }) => decision.decision_id)
    .toReversed();
