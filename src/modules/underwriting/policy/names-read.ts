/** Which inputs a policy reads. */
import type { PolicyGraph, PolicyInputs } from '../policy.schemas.ts';
import { expressionsOf, fieldsOf } from './expression-faults.ts';
import { namesIn } from './expression-names.ts';

const READ = new WeakMap<PolicyGraph, ReadonlySet<string>>();

/** Whether a node of the policy reads the input. A policy that is older than the input does not. */
export function readsInput(graph: PolicyGraph, input: keyof PolicyInputs): boolean {
  const known = READ.get(graph) ?? namesReadBy(graph);
  READ.set(graph, known);
  return known.has(input);
}

function namesReadBy({ nodes }: PolicyGraph): ReadonlySet<string> {
  return new Set(
    nodes.flatMap((node) => [
      ...fieldsOf(node),
      ...expressionsOf(node).flatMap(({ text }) => namesIn(text).names),
    ]),
  );
}
