/** Numbers of companies, and policies that judge them, for tests of legal entities. */
import type { BusinessIdentifier } from '#kernel/business-identifier';
import { type defaultPolicy, insertActivation, insertPolicy, sha256Of } from '#modules/underwriting';
import { vatId } from './registry-entry.ts';
import type { World } from './world.ts';

/** A German VAT id with its check digit (ISO 7064, MOD 11,10). */
export function vatOf(digits: number): BusinessIdentifier {
  const product = [...`${digits}`].reduce((before, digit) => {
    const sum = (Number(digit) + before) % 10 || 10;
    return (2 * sum) % 11;
  }, 10);
  return vatId(`DE${digits}${(11 - product) % 10}`);
}

type Graph = ReturnType<typeof defaultPolicy>['graph'];

/** Puts a policy in force as the platform does, so that no default replaces it. */
export async function putInForce(world: World, platformId: number, graph: Graph): Promise<void> {
  const { db } = world.installation;
  const stored = { name: 'own', graph, sha256: sha256Of(graph), createdAt: 1, createdBy: 'anna' };
  const version = (await insertPolicy(db, { platformId, ...stored })) as number;
  const activated = { activatedAt: 1, activatedBy: 'anna', approvedBy: null };
  await insertActivation(db, { platformId, version, ...activated });
}

/** The policy without the rule that refers many applications for one company to a person. */
export function uncounted(graph: Graph): Graph {
  const { nodes, ...rest } = structuredClone(graph);
  for (const { content } of nodes) {
    const table = content as { rules?: { _id?: string }[] };
    if (table.rules) table.rules = table.rules.filter(({ _id }) => _id !== 'applicant-many');
  }
  return { ...rest, nodes };
}
