import { type Static, Type } from 'typebox';
import { closed, nullable } from '#kernel/fields';

const text = (description: string) => Type.String({ description });

const StateMachineTransition = closed(
  {
    from: nullable(text('The status before; null for a new resource')),
    trigger: text('The trigger, as `details.allowed` names it'),
    to: text('The status after it'),
    guard: nullable(text('What must hold in addition to the status')),
    credit: nullable(
      text("The effect on the buyer's facility: reserve, use, release, or limit (sets the limit)"),
    ),
    event: nullable(text('The event of the transition')),
    why: text('The meaning of the transition'),
  },
  'StateMachineTransition',
);

const StateMachine = closed(
  {
    name: text('The resource'),
    states: Type.Array(Type.String(), { description: 'Every status' }),
    transitions: Type.Array(StateMachineTransition, { description: 'Every transition between statuses' }),
  },
  'StateMachine',
);

export const StateMachines = closed({ state_machines: Type.Array(StateMachine) }, 'StateMachines');
export type StateMachines = Static<typeof StateMachines>;
