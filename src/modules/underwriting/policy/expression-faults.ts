/** Finds faults in the expressions of a policy. The engine skips a cell that it cannot parse, so we parse each here. */
import {
  type ExpressionContent,
  INPUT_NAMES,
  type PolicyGraph,
  type PolicyNode,
  type SwitchContent,
  type TableContent,
} from '../policy.schemas.ts';
import { namesIn } from './expression-names.ts';
import type { PolicyFinding } from './graph-faults.ts';
import type { LoadedEngine } from './zen-engine.ts';

interface Expression {
  /** Its position in the node, for a person: `row 3 (band-public), column Age in years`. */
  position: string;
  text: string;
  kind: 'standard' | 'unary';
}

/** Functions whose result changes: a policy must give the same answer when it is evaluated again. */
const UNSTEADY = new Set(['rand', 'date', 'd', 'time', 'now']);

export function expressionFaults(graph: PolicyGraph, engine: LoadedEngine): PolicyFinding[] {
  return graph.nodes.flatMap((node) => {
    const known = namesBefore(graph, node);
    const unknownFields = fieldsOf(node).filter((field) => !known.has(rootOf(field)));
    return [
      ...missingCells(node).map((sentence) => ({ node, sentence })),
      ...unknownFields.map((field) => ({ node, sentence: unknownName('a column', field, known) })),
      ...expressionsOf(node).flatMap((expression) =>
        faultsOf(expression, known, engine).map((sentence) => ({ node, sentence })),
      ),
    ];
  });
}

function faultsOf({ position, text, kind }: Expression, known: Set<string>, engine: LoadedEngine): string[] {
  const { names, functions } = namesIn(text);
  const parseFault = engine.parseFault(text, kind);
  if (parseFault !== null) {
    const unknown = functions.filter((name) => !isFunction(name, engine));
    return unknown.length > 0
      ? unknown.map((name) => `${position} calls ${name}(), which is not a function: ${text}`)
      : [`${position} cannot be read (${parseFault}): ${text}`];
  }
  return [
    ...functions
      .filter((name) => UNSTEADY.has(name))
      .map((name) => `${position} calls ${name}(), whose result changes: ${text}`),
    ...names.filter((name) => !known.has(name)).map((name) => unknownName(position, name, known)),
  ];
}

function unknownName(position: string, name: string, known: Set<string>): string {
  return known.has(name.toLowerCase())
    ? `${position} names ${name}, which no node before it outputs: write ${name.toLowerCase()}.`
    : `${position} names ${name}, which no node before it outputs. (Write a text in quotes.)`;
}

/** Tries several argument lists: a function that exists parses with one of them. */
function isFunction(name: string, engine: LoadedEngine): boolean {
  return ['1', '1, 1', '[1], #', '1, 1, 1', ''].some(
    (parameters) => engine.parseFault(`${name}(${parameters})`, 'standard') === null,
  );
}

/** A rule without a cell for a column never fires; an empty cell is allowed. */
function missingCells(node: PolicyNode): string[] {
  if (node.type !== 'decisionTableNode') return [];
  const { inputs, outputs, rules } = node.content as TableContent;
  const columns = [...inputs, ...outputs];
  return rules.flatMap((rule, index) =>
    columns
      .filter((column) => rule[column.id] === undefined)
      .map(
        (column) =>
          `${rowName(rule, index)} has no cell for the column ${column.name || column.id}: write an empty text for any value.`,
      ),
  );
}

const rowName = (rule: Record<string, string>, index: number) =>
  `row ${index + 1}${rule._id === undefined ? '' : ` (${rule._id})`}`;

export function expressionsOf(node: PolicyNode): Expression[] {
  if (node.type === 'decisionTableNode') return cellsOf(node.content as TableContent);
  if (node.type === 'expressionNode')
    return (node.content as ExpressionContent).expressions.map(({ key, value }) => ({
      position: `the expression of ${key}`,
      text: value,
      kind: 'standard',
    }));
  if (node.type === 'switchNode')
    return (node.content as SwitchContent).statements
      .filter(({ condition }) => condition.trim() !== '')
      .map(({ condition }, index) => ({
        position: `condition ${index + 1}`,
        text: condition,
        kind: 'standard',
      }));
  return [];
}

function cellsOf({ inputs, outputs, rules }: TableContent): Expression[] {
  const columns = [
    ...inputs.map((column) => ({
      ...column,
      kind: column.field ? ('unary' as const) : ('standard' as const),
    })),
    ...outputs.map((column) => ({ ...column, kind: 'standard' as const })),
  ];
  return rules
    .flatMap((rule, index) =>
      columns.map((column) => ({
        position: `${rowName(rule, index)}, column ${column.name || column.id},`,
        text: rule[column.id] ?? '',
        kind: column.kind,
      })),
    )
    .filter(({ text }) => text.trim() !== '');
}

export function fieldsOf(node: PolicyNode): string[] {
  if (node.type !== 'decisionTableNode') return [];
  return (node.content as TableContent).inputs.flatMap(({ field }) =>
    field && !field.startsWith('$') ? [field] : [],
  );
}

/** The names that a node receives: the outputs of the nodes before it, through nodes that pass their input on. */
function namesBefore(graph: PolicyGraph, node: PolicyNode): Set<string> {
  const given = new Set<string>();
  const seen = new Set<string>();
  const visit = (id: string) => {
    for (const edge of graph.edges.filter(({ targetId }) => targetId === id)) {
      const source = graph.nodes.find((each) => each.id === edge.sourceId);
      if (!source || seen.has(source.id)) continue;
      seen.add(source.id);
      for (const name of outputOf(source)) given.add(name);
      if (passesOn(source)) visit(source.id);
    }
  };
  visit(node.id);
  return given;
}

function outputOf(node: PolicyNode): string[] {
  if (node.type === 'inputNode') return INPUT_NAMES;
  if (node.type === 'decisionTableNode')
    return (node.content as TableContent).outputs.map(({ field }) => rootOf(field));
  if (node.type === 'expressionNode')
    return (node.content as ExpressionContent).expressions.map(({ key }) => rootOf(key));
  return [];
}

const passesOn = (node: PolicyNode) =>
  node.type === 'switchNode' || (node.content as Partial<TableContent> | undefined)?.passThrough === true;

const rootOf = (path: string) => path.split('.')[0] ?? path;
