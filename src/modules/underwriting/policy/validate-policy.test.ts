import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeFinding, validatePolicy } from './validate-policy.ts';

const TEXT = readFileSync(new URL('../../../../policies/default.json', import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: a broken graph can have any shape.
type Graph = any;

const findings = async (text: string) => (await validatePolicy(text)).findings.map(describeFinding);

/** The findings for the default policy after `spoil` has broken it. */
async function findingsOf(spoil: (graph: Graph, node: (id: string) => Graph) => void): Promise<string[]> {
  const graph = JSON.parse(TEXT);
  spoil(graph, (id) => graph.nodes.find((node: Graph) => node.id === id));
  return findings(JSON.stringify(graph));
}

const table = (node: Graph) => node.content;
const expressionOf = (node: Graph, key: string) =>
  node.content.expressions.find((expression: Graph) => expression.key === key);

type Broken = [what: string, spoil: (graph: Graph, node: (id: string) => Graph) => void, finding: string];

const GRAPHS: Broken[] = [
  ['an edge without an id', (graph) => delete graph.edges[0].id, 'edges.0.id is required.'],
  ['no edges', (graph) => delete graph.edges, 'edges is required.'],
  ['no list of nodes', (graph) => (graph.nodes = {}), 'nodes must be array.'],
  [
    'a node without an id',
    (_, node) => delete node('risk-band').id,
    'Node "Risk band" (number 8): nodes.7.id is required.',
  ],
  [
    'a node without a name',
    (_, node) => (node('risk-band').name = ' '),
    'Node " " (risk-band): nodes.7.name must not be empty.',
  ],
  ['no input', (graph) => graph.nodes.shift(), 'a policy has one inputNode; this one has 0.'],
  [
    'two outputs',
    (graph, node) => graph.nodes.push({ ...node('answer'), id: 'second', name: 'Second' }),
    'a policy has one outputNode; this one has 2.',
  ],
  [
    'two nodes of one id',
    (graph, node) => graph.nodes.push({ ...node('risk-band'), name: 'Second' }),
    'Node "Risk band" (risk-band): another node has the same id.',
  ],
  [
    'two nodes of one name',
    (_, node) => (node('limits').name = 'Risk band'),
    'Node "Risk band" (risk-band): another node has the same name.',
  ],
  [
    'JavaScript',
    (_, node) =>
      Object.assign(node('limits'), {
        type: 'functionNode',
        content: { source: 'export const handler = () => ({})' },
      }),
    'Node "Limits" (limits): a policy has no nodes of the type functionNode: ',
  ],
  [
    'a table without rules',
    (_, node) => (table(node('risk-band')).rules = []),
    'Node "Risk band" (risk-band): content.rules must have at least 1 items.',
  ],
  [
    'a table that collects',
    (_, node) => (table(node('risk-band')).hitPolicy = 'collect'),
    'Node "Risk band" (risk-band): content.hitPolicy must be one of first.',
  ],
  [
    'a loop',
    (_, node) => (table(node('risk-band')).executionMode = 'loop'),
    'Node "Risk band" (risk-band): content.executionMode must be one of single.',
  ],
  [
    'a part of the input',
    (_, node) => (table(node('risk-band')).inputField = 'buyer'),
    'Node "Risk band" (risk-band): content.inputField must have at most 0 characters.',
  ],
  [
    'an edge to nowhere',
    (graph) => graph.edges.push({ id: 'e', sourceId: 'limits', targetId: 'nowhere' }),
    'Node "Limits" (limits): an edge leads to nowhere, which is not a node.',
  ],
  [
    'an edge from nowhere',
    (graph) => graph.edges.push({ id: 'e', sourceId: 'nowhere', targetId: 'limits' }),
    'Node "Limits" (limits): an edge comes from nowhere, which is not a node.',
  ],
  [
    'a circle',
    (graph) => graph.edges.push({ id: 'e', sourceId: 'limits', targetId: 'risk-band' }),
    'Node "Risk band" (risk-band): it is on a cycle: a policy goes from its input to its output.',
  ],
  [
    'a node that leads to itself',
    (graph) => graph.edges.push({ id: 'e', sourceId: 'limits', targetId: 'limits' }),
    'Node "Limits" (limits): it is on a cycle: a policy goes from its input to its output.',
  ],
  [
    'a node that nothing leads to',
    (graph) => (graph.edges = graph.edges.filter((edge: Graph) => edge.targetId !== 'limits')),
    'Node "Limits" (limits): no path leads to it from the input.',
  ],
  [
    'a node that leads nowhere',
    (graph) => {
      graph.nodes.push({ ...graph.nodes[1], id: 'lost', name: 'Lost' });
      graph.edges.push({ id: 'e', sourceId: 'application', targetId: 'lost' });
    },
    'Node "Lost" (lost): no path leads from it to the output.',
  ],
  [
    'a switch whose edge belongs to no condition',
    (_, node) =>
      Object.assign(node('limits'), {
        type: 'switchNode',
        content: { statements: [{ id: 's', condition: 'true' }] },
      }),
    'Node "Limits" (limits): the edge to "Outcome" belongs to none of its conditions.',
  ],
  [
    'a condition that is cut off',
    (_, node) => (table(node('risk-band')).rules[2]['risk-band-in-2'] = '>= '),
    'Node "Risk band" (risk-band): row 3 (band-public), column Age in years, cannot be read (Expected a literal at (2, 2)): >= ',
  ],
  [
    'a rule without a cell',
    (_, node) => delete table(node('risk-band')).rules[0]['risk-band-in-2'],
    'Node "Risk band" (risk-band): row 1 (band-government) has no cell for the column Age in years: write an empty text for any value.',
  ],
  [
    'an expression that is cut off',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'floor(base_limit * '),
    'Node "Limits" (limits): the expression of band_limit cannot be read (',
  ],
  [
    'an unknown function',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'haircut(base_limit)'),
    'Node "Limits" (limits): the expression of band_limit calls haircut(), which is not a function: haircut(base_limit)',
  ],
  [
    'an unknown function in a cell',
    (_, node) => (table(node('risk-band')).rules[0]['risk-band-in-2'] = 'elder($, 3)'),
    'Node "Risk band" (risk-band): row 1 (band-government), column Age in years, calls elder(), which is not a function: elder($, 3)',
  ],
  [
    'the time',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'date("now") > 0 ? base_limit : 1'),
    'Node "Limits" (limits): the expression of band_limit calls date(), whose result changes: ',
  ],
  [
    'chance',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'rand(100) + base_limit'),
    'Node "Limits" (limits): the expression of band_limit calls rand(), whose result changes: ',
  ],
  [
    'a text without quotes',
    (_, node) => (table(node('outcome')).rules[0]['outcome-out-1'] = 'REJECT'),
    'Node "Outcome" (outcome): row 1 (outcome-knocked-out), column Outcome, names REJECT, which no node before it outputs. (Write a text in quotes.)',
  ],
  [
    'a misspelt input',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'base_limt * 1'),
    'Node "Limits" (limits): the expression of band_limit names base_limt, which no node before it outputs. (Write a text in quotes.)',
  ],
  [
    'an input in capitals',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'Base_Limit * 1'),
    'Node "Limits" (limits): the expression of band_limit names Base_Limit, which no node before it outputs: write base_limit.',
  ],
  [
    'a column of an unknown field',
    (_, node) => (table(node('risk-band')).inputs[0].field = 'rechtsform'),
    'Node "Risk band" (risk-band): a column names rechtsform, which no node before it outputs. (Write a text in quotes.)',
  ],
  [
    'a field that comes later',
    (_, node) => (table(node('knock-out')).inputs[0].field = 'price_class'),
    'Node "Knock-out" (knock-out): a column names price_class, which no node before it outputs. (Write a text in quotes.)',
  ],
  [
    'a node that passes nothing on',
    (_, node) => (table(node('price-class')).passThrough = false),
    'Node "Decision" (decision): the expression of outcome names outcome, which no node before it outputs. (Write a text in quotes.)',
  ],
  [
    'an answer without an outcome',
    (_, node) => node('decision').content.expressions.shift(),
    'Node "Decision" (decision): tried with an ordinary company: the field outcome of the answer is required.',
  ],
  [
    'an answer with a field too many',
    (_, node) => (node('decision').content.passThrough = true),
    'Node "Decision" (decision): tried with an ordinary company: the field ',
  ],
  [
    'an unknown reason',
    (_, node) => (table(node('outcome')).rules[15]['outcome-out-2'] = '"BECAUSE"'),
    'Node "Decision" (decision): tried with an ordinary company: the field reasons.0 of the answer must be one of ',
  ],
  [
    'a reason of the service',
    (_, node) => (table(node('outcome')).rules[15]['outcome-out-2'] = '"POLICY_ERROR"'),
    'Node "Decision" (decision): tried with an ordinary company: the field reasons.0 of the answer must be one of ',
  ],
  [
    'a division by zero',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'base_limit / existing_exposure'),
    'Node "Limits" (limits): tried with an ordinary company: ',
  ],
  [
    'a limit in fractions',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'base_limit / 7'),
    'Node "Decision" (decision): tried with an ordinary company: the field limit of the answer must be integer or null.',
  ],
  [
    'an acceptance without a limit',
    (_, node) => (expressionOf(node('decision'), 'limit').value = 'null'),
    'Node "Decision" (decision): tried with an ordinary company: the answer accepts without a limit.',
  ],
  [
    'an acceptance without a band',
    (_, node) => (expressionOf(node('decision'), 'risk_band').value = '"REJECT"'),
    'Node "Decision" (decision): tried with an ordinary company: the answer accepts without a risk band.',
  ],
  [
    'an acceptance without a price class',
    (_, node) => (expressionOf(node('decision'), 'price_class').value = 'null'),
    'Node "Decision" (decision): tried with an ordinary company: the answer accepts without a price class.',
  ],
  [
    'a kind of company without a row',
    (_, node) => table(node('risk-band')).rules.splice(11),
    'Node "Limits" (limits): tried with legal_form SOLE_TRADER',
  ],
  [
    'a comparison with what is not known',
    (_, node) => (expressionOf(node('limits'), 'band_limit').value = 'company_age_years > 3 ? 1 : 2'),
    'Node "Limits" (limits): tried with company_age_years null',
  ],
];

describe('a policy', () => {
  it('of the repository is valid', async () => {
    expect(await findings(TEXT)).toEqual([]);
  });

  it.each([
    ['', 'this is not JSON ('],
    ['{"nodes":', 'this is not JSON ('],
    ['7', 'a policy must be object.'],
    ['null', 'a policy must be object.'],
    [' '.repeat(1_048_577), 'a policy has at most 1 MiB.'],
  ])('is refused if it is no document: %.20j', async (text, sentence) => {
    const [first] = await findings(text);
    expect(first?.startsWith(sentence), first).toBe(true);
  });

  it.each(GRAPHS)('is refused with %s, with its position', async (_what, spoil, finding) => {
    const seen = await findingsOf(spoil);
    const found = seen.find((sentence) => sentence.startsWith(finding));
    expect(found, seen.join('\n')).toBeDefined();
  });

  it('may have switches, functions, templates and custom names', async () => {
    const seen = await findingsOf((graph, node) => {
      const limits = expressionOf(node('limits'), 'band_limit');
      limits.value = `floor(sum(map([base_limit, 0], # * magnitude))) + len(\`\${country}x\`) * 0`;
      graph.nodes.push({
        id: 'fork',
        type: 'switchNode',
        name: 'Fork',
        content: {
          statements: [
            { id: 'big', condition: 'legal_form == "GOVERNMENT"' },
            { id: 'other', condition: '' },
          ],
        },
      });
      const edge = graph.edges.find((each: Graph) => each.sourceId === 'application');
      edge.targetId = 'fork';
      for (const id of ['big', 'other'])
        graph.edges.push({ id, sourceId: 'fork', sourceHandle: id, targetId: 'currency-magnitude' });
    });
    expect(seen).toEqual([]);
  });

  it('reports every fault of one kind, not only the first', async () => {
    const seen = await findingsOf((_, node) => {
      table(node('risk-band')).rules[0]['risk-band-out-2'] = '1 +';
      expressionOf(node('limits'), 'band_limit').value = '(';
    });
    expect(seen).toHaveLength(2);
  });
});
