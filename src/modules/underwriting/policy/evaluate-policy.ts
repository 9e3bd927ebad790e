/** Evaluates a policy and accepts only a complete and consistent answer. */
import { createHash } from 'node:crypto';
import { compileValidator } from '#operation/validation';
import {
  PolicyAnswer,
  type PolicyGraph,
  type PolicyInputs,
  type PolicyNode,
  type RiskBand,
} from '../policy.schemas.ts';
import { PolicyFailed } from './policy-failed.ts';
import { type CompiledPolicy, loadEngine, type PolicyStep } from './zen-engine.ts';

export interface RuleFired {
  node: string;
  rule: string;
  description: string;
}

/** The answer of a policy. The limit is in whole units of the currency. */
export interface Verdict extends Pick<PolicyAnswer, 'outcome' | 'reasons' | 'buyer_reasons'> {
  limit: number | null;
  risk_band: RiskBand | null;
  price_class: 'A' | 'B' | 'C' | 'D' | null;
  rulesFired: RuleFired[];
}

const issuesOf = compileValidator(PolicyAnswer, 'body');

/** Compiled policies in memory: the versions in force of many platforms, and those of a back-test. */
const COMPILED_MAX = 200;
const compiled = new Map<string, Promise<CompiledPolicy>>();

/** The SHA-256 of a graph's content, regardless of indentation. */
export function sha256Of(graph: PolicyGraph): Buffer {
  return createHash('sha256').update(JSON.stringify(graph)).digest();
}

/**
 * Evaluates a policy. Throws PolicyFailed if it fails or its answer is invalid. Pass `isTraced: false` if you do not need the
 * rules that fired: tracing takes three times as long as deciding.
 */
export async function evaluatePolicy(
  { graph, sha256 }: { graph: PolicyGraph; sha256: Buffer },
  inputs: PolicyInputs,
  { isTraced = true } = {},
): Promise<Verdict> {
  const policy = await compiledOf(graph, sha256.toString('hex'));
  const { result, steps } = await policy.evaluate(inputs, isTraced);
  const answer = readAnswer(graph, result);
  return {
    outcome: answer.outcome,
    limit: answer.limit ?? null,
    risk_band: answer.risk_band ?? null,
    price_class: answer.price_class ?? null,
    reasons: answer.reasons,
    buyer_reasons: answer.buyer_reasons,
    rulesFired: firedIn(steps),
  };
}

function compiledOf(graph: PolicyGraph, key: string): Promise<CompiledPolicy> {
  const known = compiled.get(key);
  if (known) return known;
  const [oldest] = compiled.keys();
  if (compiled.size >= COMPILED_MAX && oldest !== undefined) compiled.delete(oldest);
  const compiling = loadEngine().then((engine) => engine.compile(graph));
  compiled.set(key, compiling);
  // A failure is not cached: the engine may be repaired while the process runs.
  compiling.catch(() => compiled.delete(key));
  return compiling;
}

function readAnswer(graph: PolicyGraph, result: unknown): PolicyAnswer {
  const node = answeringNode(graph);
  const [issue] = issuesOf(result);
  if (issue) {
    const field =
      issue.path === 'body' ? 'the answer' : `the field ${issue.path.slice('body.'.length)} of the answer`;
    throw new PolicyFailed(node, `${field} ${issue.message}.`);
  }
  const answer = result as PolicyAnswer;
  const fault = faultOf(answer);
  if (fault !== null) throw new PolicyFailed(node, fault);
  return answer;
}

/** Why the combination of fields is invalid; null if it is valid. */
function faultOf({ outcome, limit, risk_band, price_class }: PolicyAnswer): string | null {
  if (outcome !== 'ACCEPT') return null;
  if (limit == null || limit < 1) return 'the answer accepts without a limit.';
  if (risk_band == null || risk_band === 'REJECT') return 'the answer accepts without a risk band.';
  return price_class == null ? 'the answer accepts without a price class.' : null;
}

/** The node whose output is the answer; the output node if several lead to it. */
export function answeringNode({ nodes, edges }: PolicyGraph): PolicyNode | null {
  const end = nodes.find((node) => node.type === 'outputNode');
  const sources = edges.filter((edge) => edge.targetId === end?.id).map((edge) => edge.sourceId);
  const [source] = nodes.filter((node) => sources.includes(node.id));
  return sources.length === 1 && source ? source : (end ?? null);
}

function firedIn(steps: PolicyStep[]): RuleFired[] {
  return steps.flatMap(({ nodeName, rule }) =>
    rule === null ? [] : [{ node: nodeName, rule: rule.id, description: rule.description }],
  );
}
