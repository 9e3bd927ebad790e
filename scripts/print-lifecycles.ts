/** Prints the lifecycles as a Markdown page with a diagram and a table each. */
import type { Lifecycle, Transition } from '#kernel/lifecycle';

type AnyTransition = Transition<string, string>;

const HEAD = `# Lifecycles

<!-- Printed by npm run generate from the tables that the service uses: do not edit this page. -->

The statuses of each resource, and every transition between them. \`GET /v1/meta/state_machines\` returns the
same data. A transition that is not listed is refused with 409 \`INVALID_STATUS_TRANSITION\`, and \`details.allowed\` lists the triggers
of the current status.
`;

/** The effect of a transition on the buyer's facility. */
const CREDIT: Record<NonNullable<AnyTransition['credit']>, string> = {
  reserve: 'reserves',
  use: 'turns reserved into used',
  release: 'releases',
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

/** One arrow per pair of states, labelled with its triggers. A state without outgoing transitions leads to the end. */
function diagramOf(states: readonly string[], transitions: readonly AnyTransition[]): string[] {
  const arrows = Map.groupBy(transitions, ({ from, to }) => `${from ?? '[*]'} --> ${to}`);
  const isReached = (state: string) => transitions.some(({ to }) => to === state);
  const isLeft = (state: string) => transitions.some(({ from }) => from === state);
  return [
    ...[...arrows].map(([arrow, along]) => `${arrow}: ${along.map(({ trigger }) => trigger).join(', ')}`),
    ...states.filter((state) => isReached(state) && !isLeft(state)).map((state) => `${state} --> [*]`),
  ];
}

function rowOf({ from, trigger, guard, to, credit, event, why }: AnyTransition): string {
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
