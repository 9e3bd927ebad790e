/** Validates a policy before it is stored; each finding names its node. */
import type { PolicyGraph } from '../policy.schemas.ts';
import { evaluatePolicy, sha256Of } from './evaluate-policy.ts';
import { expressionFaults } from './expression-faults.ts';
import { graphFaults, type PolicyFinding, shapeFaults } from './graph-faults.ts';
import { PolicyFailed } from './policy-failed.ts';
import { describeSample, SAMPLE_INPUTS } from './sample-inputs.ts';
import { loadEngine } from './zen-engine.ts';

/** A policy of hundreds of rules is 200 KB. */
const TEXT_LENGTH_MAX = 1_048_576;
const SAMPLES_REPORTED_MAX = 10;

export type Validation =
  | { graph: PolicyGraph; findings: [] }
  | { graph: null; findings: [PolicyFinding, ...PolicyFinding[]] };

/** Parses a policy's text and evaluates it on every sample. Throws PolicyFailed if the engine cannot be loaded. */
export async function validatePolicy(text: string): Promise<Validation> {
  const value = readJson(text);
  if ('fault' in value) return refused([{ node: null, sentence: value.fault }]);
  const shape = shapeFaults(value.json);
  if (shape.length > 0) return refused(shape);
  const graph = value.json as PolicyGraph;
  const ways = graphFaults(graph);
  if (ways.length > 0) return refused(ways);
  const engine = await loadEngine();
  const expressions = expressionFaults(graph, engine);
  if (expressions.length > 0) return refused(expressions);
  const trials = await sampleFaults(graph);
  return trials.length > 0 ? refused(trials) : { graph, findings: [] };
}

/** `Node "Risk band" (risk-band): row 3, column Age, cannot be read (…): >= ` */
export function describeFinding({ node, sentence }: PolicyFinding): string {
  return node === null ? sentence : `Node "${node.name}" (${node.id}): ${sentence}`;
}

function refused(findings: PolicyFinding[]): Validation {
  const [first, ...rest] = findings;
  if (first === undefined) throw new Error('A refused policy has findings.');
  return { graph: null, findings: [first, ...rest] };
}

function readJson(text: string): { json: unknown } | { fault: string } {
  if (text.length > TEXT_LENGTH_MAX) return { fault: 'a policy has at most 1 MiB.' };
  try {
    return { json: JSON.parse(text) };
  } catch (error) {
    return { fault: `this is not JSON (${(error as Error).message}).` };
  }
}

/** One finding per failure, with the first sample that causes it. */
async function sampleFaults(graph: PolicyGraph): Promise<PolicyFinding[]> {
  const policy = { graph, sha256: sha256Of(graph) };
  const findings = new Map<string, PolicyFinding>();
  for (const sample of SAMPLE_INPUTS) {
    if (findings.size === SAMPLES_REPORTED_MAX) break;
    try {
      await evaluatePolicy(policy, sample, { isTraced: false });
    } catch (error) {
      if (!(error instanceof PolicyFailed)) throw error;
      const node = error.nodeId === null ? null : { id: error.nodeId, name: error.nodeName ?? error.nodeId };
      const bare =
        node === null ? error.message : error.message.slice(`Node "${node.name}" (${node.id}): `.length);
      const sentence = `tried with ${describeSample(sample)}: ${bare}`;
      if (!findings.has(error.message)) findings.set(error.message, { node, sentence });
    }
  }
  return [...findings.values()];
}
