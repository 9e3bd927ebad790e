/**
 * The rules engine (GoRules ZEN, a native library), loaded when a policy is first evaluated. Its types are `any`: we
 * parse its values here, and none leaves this folder unparsed.
 */
import type { ZenDecision, ZenEngineTrace } from '@gorules/zen-engine';
import type { PolicyGraph } from '../policy.schemas.ts';
import { PolicyFailed } from './policy-failed.ts';

type Zen = typeof import('@gorules/zen-engine');

export interface LoadedEngine {
  /** Compiles a graph. Throws PolicyFailed if it is invalid. */
  compile(graph: PolicyGraph): CompiledPolicy;
  /** The syntax error of an expression, or null. Errors that depend on values are not found here. */
  parseFault(expression: string, kind: 'standard' | 'unary'): string | null;
}

export interface CompiledPolicy {
  /** Throws PolicyFailed with the node that failed. Without `isTraced` the steps are empty and it takes a third of the time. */
  evaluate(inputs: object, isTraced: boolean): Promise<{ result: unknown; steps: PolicyStep[] }>;
}

/** One evaluated node, in order, with the rule that fired in a table. */
export interface PolicyStep {
  nodeId: string;
  nodeName: string;
  rule: { id: string; description: string } | null;
}

let loading: Promise<LoadedEngine> | undefined;

/** Loads the engine once. Throws PolicyFailed if the library has no build for this machine. */
export function loadEngine(): Promise<LoadedEngine> {
  loading ??= import('@gorules/zen-engine').then(engineOf, (cause: unknown) => {
    loading = undefined;
    throw new PolicyFailed(
      null,
      `The rules engine cannot be loaded on this machine (${short(firstLine(cause))}): docs/decisions/0016 lists the ones it runs on.`,
    );
  });
  return loading;
}

function engineOf({
  ZenDecisionContent,
  ZenEngine,
  evaluateExpressionSync,
  evaluateUnaryExpressionSync,
}: Zen): LoadedEngine {
  const engine = new ZenEngine();
  return {
    compile(graph) {
      const decision = orFailed(graph, () => {
        const made = engine.createDecision(new ZenDecisionContent(graph));
        made.validate();
        return made;
      });
      return { evaluate: (inputs, isTraced) => evaluate(decision, graph, inputs, isTraced) };
    },
    parseFault(expression, kind) {
      try {
        if (kind === 'unary') evaluateUnaryExpressionSync(expression, { $: null });
        else evaluateExpressionSync(expression, {});
        return null;
      } catch (error) {
        const { type, source } = readFault(error);
        return /^(lexer|parser|compiler)Error$/.test(type) ? source : null;
      }
    },
  };
}

async function evaluate(decision: ZenDecision, graph: PolicyGraph, inputs: object, isTraced: boolean) {
  try {
    const { result, trace } = await decision.evaluate(inputs, { trace: isTraced });
    return { result: result as unknown, steps: stepsOf(trace ?? {}) };
  } catch (error) {
    throw failureOf(graph, error);
  }
}

function stepsOf(trace: Record<string, ZenEngineTrace>): PolicyStep[] {
  return Object.values(trace)
    .toSorted((a, b) => a.order - b.order)
    .map(({ id, name, traceData }) => ({ nodeId: id, nodeName: name, rule: ruleOf(traceData) }));
}

function ruleOf(traceData: unknown): PolicyStep['rule'] {
  const rule = (traceData as { rule?: Record<string, unknown> } | null)?.rule;
  if (typeof rule?._id !== 'string') return null;
  return { id: rule._id, description: typeof rule._description === 'string' ? rule._description : '' };
}

function orFailed<T>(graph: PolicyGraph, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw failureOf(graph, error);
  }
}

function failureOf(graph: PolicyGraph, error: unknown): PolicyFailed {
  const { type, source, nodeId } = readFault(error);
  const node = graph.nodes.find((each) => each.id === nodeId) ?? null;
  return new PolicyFailed(node, source === '' ? `The engine refuses it (${type}).` : `${source}.`);
}

/** The engine's errors are one line of JSON with a native stack below, or a sentence. */
function readFault(error: unknown): { type: string; source: string; nodeId: string | null } {
  const line = firstLine(error);
  try {
    const { type, source, nodeId } = JSON.parse(line) as Record<string, unknown>;
    return {
      type: String(type ?? 'unknown'),
      source: typeof source === 'string' ? short(source) : '',
      nodeId: typeof nodeId === 'string' ? nodeId : null,
    };
  } catch {
    return { type: 'unknown', source: short(line), nodeId: null };
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
}

/** Shortens an error, which may quote a long expression. */
const short = (text: string) => text.slice(0, 500);
