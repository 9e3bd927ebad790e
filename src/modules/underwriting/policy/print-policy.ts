/** A policy as a page: its inputs, its nodes with their tables, its answer and its codes. Markdown. */
import {
  type ExpressionContent,
  PolicyAnswer,
  type PolicyGraph,
  PolicyInputs,
  type PolicyNode,
  type SwitchContent,
  type TableContent,
} from '../policy.schemas.ts';
import { BUYER_REASON_CODES, POLICY_REASONS, REASON_CODES } from '../reason.codes.ts';
import { BAND_DEFAULT_BASIS_POINTS } from '../vintage.rules.ts';

/** The nodes of a policy, one section each, in the order in which they are drawn. */
export function printNodes(graph: PolicyGraph): string[] {
  return graph.nodes.flatMap((node) => [
    `### ${node.name}`,
    '',
    ...(node.description ? [node.description, ''] : []),
    ...contentOf(node, graph),
  ]);
}

/** The page in Markdown, without the title, which the caller adds. */
export function printPolicy(graph: PolicyGraph): string {
  return [
    '## Inputs',
    '',
    'Every policy gets these inputs. Amounts are whole units of the facility’s currency, rounded up.',
    '',
    ...fieldTable(PolicyInputs.properties),
    '',
    '## From inputs to answer',
    '',
    ...printNodes(graph),
    '## Answer',
    '',
    'The answer has exactly these fields. Any other answer is an error that names the node, and never an acceptance.',
    '',
    ...fieldTable(PolicyAnswer.properties),
    '',
    '## Risk bands',
    '',
    'A band stands for the share of what its companies owe that is expected to default within a year. The back-test computes the',
    'expected loss with it and shows the actual losses beside it. The rates double from band to band and span what rating agencies report for',
    'small and medium companies.',
    '',
    ...markdownTable(
      ['Band', 'Defaults in a year'],
      Object.entries(BAND_DEFAULT_BASIS_POINTS).map(([band, points]) => [`\`${band}\``, percentOf(points)]),
    ),
    '',
    '## Reasons',
    '',
    'Internal reasons of a decision. Only the service sets those marked “Service”; no policy may name them.',
    '',
    ...markdownTable(
      ['Code', 'Meaning'],
      Object.entries(REASON_CODES).map(([code, sentence]) => [
        `\`${code}\``,
        POLICY_REASONS.some((known) => known === code) ? sentence : `${sentence} (Service)`,
      ]),
    ),
    '',
    '## Reasons for the buyer',
    '',
    'These may be shown to the buyer: they reveal no scores, sources or thresholds.',
    '',
    ...markdownTable(
      ['Code', 'Sentence'],
      Object.entries(BUYER_REASON_CODES).map(([code, sentence]) => [`\`${code}\``, sentence]),
    ),
    '',
  ].join('\n');
}

function contentOf(node: PolicyNode, graph: PolicyGraph): string[] {
  if (node.type === 'decisionTableNode') return [...decisionTable(node.content as TableContent), ''];
  if (node.type === 'expressionNode') {
    const { expressions } = node.content as ExpressionContent;
    return [
      ...markdownTable(
        ['Name', 'Expression'],
        expressions.map(({ key, value }) => [`\`${key}\``, codeOf(value)]),
      ),
      '',
    ];
  }
  if (node.type !== 'switchNode') return [];
  const { statements } = node.content as SwitchContent;
  const rows = statements.map(({ id, condition }) => [
    condition.trim() === '' ? 'otherwise' : codeOf(condition),
    graph.edges
      .filter((edge) => edge.sourceId === node.id && edge.sourceHandle === id)
      .map((edge) => graph.nodes.find((other) => other.id === edge.targetId)?.name ?? edge.targetId)
      .join(', '),
  ]);
  return [...markdownTable(['Where', 'Goes to'], rows), ''];
}

function decisionTable({ inputs, outputs, rules }: TableContent): string[] {
  const columns = [
    ...inputs.map((column) => ({ ...column, title: titleOf(column), empty: 'any' })),
    ...outputs.map((column) => ({ ...column, title: `→ ${titleOf(column)}`, empty: '' })),
  ];
  return markdownTable(
    [...columns.map(({ title }) => title), 'Rule'],
    rules.map((rule) => [
      ...columns.map(({ id, empty }) => (rule[id]?.trim() ? codeOf(rule[id]) : empty)),
      [rule._description, rule._id && `\`${rule._id}\``].filter(Boolean).join(' '),
    ]),
  );
}

const titleOf = ({ name, field, id }: { name?: string; field?: string | null; id: string }) =>
  field ? `${name || field} \`${field}\`` : name || id;

function fieldTable(properties: Record<string, object>): string[] {
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { type, enum: values, items, description = '' } = schema as FieldSchema;
    const listed = (values ?? items?.enum ?? []).filter((value) => value !== null);
    const isLong = listed.length > 8 || items !== undefined;
    const kind =
      listed.length > 0 && !isLong
        ? listed.map((value) => `\`${value}\``).join(', ')
        : [type].flat().join(' or ');
    return [`\`${name}\``, kind, description];
  });
  return markdownTable(['Name', 'Values', 'Meaning'], rows);
}

interface FieldSchema {
  type?: string | string[];
  enum?: unknown[];
  items?: { enum?: unknown[] };
  description?: string;
}

/** A bar would end the cell. */
const codeOf = (text: string) => `\`${text.trim().replaceAll('|', '\\|')}\``;

function markdownTable(head: string[], rows: string[][]): string[] {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)];
}

/** 50 basis points → 0.50 %. */
function percentOf(basisPoints: number): string {
  const digits = `${basisPoints}`.padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)} %`;
}
