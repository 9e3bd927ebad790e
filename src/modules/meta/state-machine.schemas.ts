import { type Static, Type } from 'typebox';
import { closed, nullable } from '#kernel/fields';

const text = (description: string) => Type.String({ description });

const StateMachineTransition = closed(
  {
    from: nullable(text('Null: the thing does not exist yet')),
    trigger: text('What makes the move; the name in `details.allowed` of a refused one'),
    to: text('The status after it'),
    guard: nullable(text('What must hold beside the status')),
    credit: nullable(text("What it does to the buyer's facility: reserve, use, free, or set the limit")),
    event: nullable(text('The event that tells of it')),
    why: text('What it means'),
  },
  'StateMachineMove',
);

const StateMachine = closed(
  {
    name: text('What moves'),
    states: Type.Array(Type.String(), { description: 'Every status there is' }),
    transitions: Type.Array(StateMachineTransition, { description: 'Every way from one status to another' }),
  },
  'StateMachine',
);

export const StateMachines = closed({ state_machines: Type.Array(StateMachine) }, 'StateMachines');
export type StateMachines = Static<typeof StateMachines>;
