/** The lifecycles as a page of documents: a diagram and a table each. */
import type { Lifecycle, Transition } from '#kernel/lifecycle';

type AnyMove = Transition<string, string>;

const HEAD = `# Lifecycles

Printed by \`npm run generate\` from the tables that the service decides by: do not edit this page. \`GET /v1/meta/state_machines\` tells the
same to a program. A move that is not here is refused with 409 \`INVALID_STATUS_TRANSITION\`, and \`details.allowed\` lists the triggers
that the status has.
`;

/** What a move does to the buyer's facility, in the words of the table's reader. */
const CREDIT: Record<NonNullable<AnyMove['credit']>, string> = {
  reserve: 'reserves',
  use: 'turns reserved into used',
  release: 'gives back',
  limit: 'sets the limit',
};

export function printLifecycles(lifecycles: readonly Lifecycle<string, string>[]): string {
  return [HEAD, ...lifecycles.map(printLifecycle)].join('\n');
}

function printLifecycle({ name, states, transitions }: Lifecycle<string, string>): string {
  return [
    `## ${name}`,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...diagramOf(states, transitions).map((line) => `  ${line}`),
    '```',
    '',
    '| From | Trigger | Guard | To | Credit | Event | Why |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...transitions.map(rowOf),
    '',
  ].join('\n');
}

/** An arrow for each pair of states, with every trigger that leads along it; what nothing leads away from ends. */
function diagramOf(states: readonly string[], transitions: readonly AnyMove[]): string[] {
  const arrows = Map.groupBy(transitions, ({ from, to }) => `${from ?? '[*]'} --> ${to}`);
  const isReached = (state: string) => transitions.some(({ to }) => to === state);
  const isLeft = (state: string) => transitions.some(({ from }) => from === state);
  return [
    ...[...arrows].map(([arrow, along]) => `${arrow}: ${along.map(({ trigger }) => trigger).join(', ')}`),
    ...states.filter((state) => isReached(state) && !isLeft(state)).map((state) => `${state} --> [*]`),
  ];
}

function rowOf({ from, trigger, guard, to, credit, event, why }: AnyMove): string {
  const code = (word: string | null) => (word === null ? '' : `\`${word}\``);
  const cells = [
    from === null ? '–' : code(from),
    code(trigger),
    guard ?? '',
    code(to),
    credit ? CREDIT[credit] : '',
    code(event),
    why,
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
