/** Finds faults in a policy's graph before its expressions are parsed: its shape, its nodes and its paths. */
import { compileValidator } from '#operation/validation';
import {
  ExpressionContent,
  NODE_TYPES,
  PolicyGraph,
  type PolicyNode,
  SwitchContent,
  TableContent,
} from '../policy.schemas.ts';

/** A fault of a policy. The node is null for a fault of the whole graph. */
export interface PolicyFinding {
  node: { id: string; name: string } | null;
  sentence: string;
}

const issuesOfGraph = compileValidator(PolicyGraph, 'body');
const CONTENTS: Record<string, ReturnType<typeof compileValidator>> = {
  decisionTableNode: compileValidator(TableContent, 'body'),
  expressionNode: compileValidator(ExpressionContent, 'body'),
  switchNode: compileValidator(SwitchContent, 'body'),
};

/** Empty if the value has the shape of a graph. */
export function shapeFaults(graph: unknown): PolicyFinding[] {
  return issuesOfGraph(graph).map(({ path, message }) => {
    const index = /^body\.nodes\.(\d+)\./.exec(path)?.[1];
    const node = index === undefined ? undefined : (graph as PolicyGraph).nodes[Number(index)];
    const position = path.replace(/^body\.?/, '');
    return {
      node: identityOf(node, index),
      sentence: `${position === '' ? 'a policy' : position} ${message}.`,
    };
  });
}

function identityOf(node: unknown, index: string | undefined): PolicyFinding['node'] {
  if (index === undefined) return null;
  const { id, name } = (node ?? {}) as Record<string, unknown>;
  const text = (value: unknown) =>
    typeof value === 'string' && value !== '' ? value : `number ${Number(index) + 1}`;
  return { id: text(id), name: text(name) };
}

export function graphFaults(graph: PolicyGraph): PolicyFinding[] {
  return [...nodeFaults(graph), ...edgeFaults(graph), ...wayFaults(graph)];
}

function nodeFaults({ nodes }: PolicyGraph): PolicyFinding[] {
  const findings: PolicyFinding[] = [];
  for (const type of ['inputNode', 'outputNode']) {
    const count = nodes.filter((node) => node.type === type).length;
    if (count !== 1)
      findings.push({ node: null, sentence: `a policy has one ${type}; this one has ${count}.` });
  }
  for (const node of nodes) {
    const say = (sentence: string) => findings.push({ node, sentence });
    if (nodes.some((other) => other !== node && other.id === node.id)) say('another node has the same id.');
    if (nodes.some((other) => other !== node && other.name === node.name))
      say('another node has the same name.');
    if (!NODE_TYPES.some((type) => type === node.type))
      say(`a policy has no nodes of the type ${node.type}: use ${NODE_TYPES.join(', ')}.`);
    for (const { path, message } of CONTENTS[node.type]?.(node.content) ?? [])
      say(`${path.replace(/^body/, 'content')} ${message}.`);
  }
  return findings;
}

function edgeFaults({ nodes, edges }: PolicyGraph): PolicyFinding[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  return edges.flatMap(({ sourceId, targetId, sourceHandle }) => {
    const [source, target] = [byId.get(sourceId), byId.get(targetId)];
    if (!source)
      return [{ node: target ?? null, sentence: `an edge comes from ${sourceId}, which is not a node.` }];
    if (!target) return [{ node: source, sentence: `an edge leads to ${targetId}, which is not a node.` }];
    if (source.type !== 'switchNode') return [];
    const statements = (source.content as Partial<SwitchContent> | undefined)?.statements ?? [];
    return statements.some((statement) => statement.id === sourceHandle)
      ? []
      : [{ node: source, sentence: `the edge to "${target.name}" belongs to none of its conditions.` }];
  });
}

/** Every node is on a path from the input to the output, and no path is a cycle. */
function wayFaults({ nodes, edges }: PolicyGraph): PolicyFinding[] {
  const reached = (from: PolicyNode[], forward: boolean) => {
    const found = new Set(from.map((node) => node.id));
    for (const id of found)
      for (const edge of edges)
        if ((forward ? edge.sourceId : edge.targetId) === id)
          found.add(forward ? edge.targetId : edge.sourceId);
    return found;
  };
  const behindInput = reached(
    nodes.filter((node) => node.type === 'inputNode'),
    true,
  );
  const beforeOutput = reached(
    nodes.filter((node) => node.type === 'outputNode'),
    false,
  );
  return nodes.flatMap((node) => {
    const successors = nodes.filter((other) =>
      edges.some((edge) => edge.sourceId === node.id && edge.targetId === other.id),
    );
    if (reached(successors, true).has(node.id))
      return [{ node, sentence: 'it is on a cycle: a policy goes from its input to its output.' }];
    if (!behindInput.has(node.id)) return [{ node, sentence: 'no path leads to it from the input.' }];
    if (!beforeOutput.has(node.id)) return [{ node, sentence: 'no path leads from it to the output.' }];
    return [];
  });
}
