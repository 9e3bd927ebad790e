/** The default policy without the knowledge of payments. */
import { sha256Of } from '#modules/underwriting';
import type { PolicyGraph, TableContent } from '../../src/modules/underwriting/policy.schemas.ts';

/** Removes the rows about paid invoices and defaults. Amounts that are past due on the day of the decision still count. */
export function policyWithoutHistory(policy: PolicyGraph): { graph: PolicyGraph; sha256: Buffer } {
  const graph = structuredClone(policy);
  const keep = (node: string, isKept: (rule: string) => boolean) => {
    const content = graph.nodes.find(({ id }) => id === node)?.content as TableContent;
    content.rules = content.rules.filter(({ _id }) => isKept(_id ?? ''));
  };
  keep('payment-history', (rule) => /^history-(past-due|first|thin)$/.test(rule));
  keep('knock-out', (rule) => !rule.startsWith('knock-out-default'));
  return { graph, sha256: sha256Of(graph) };
}
