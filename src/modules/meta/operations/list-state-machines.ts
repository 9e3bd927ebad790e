import { operation } from '#operation/operation';
import { lifecycles } from '../lifecycles.ts';
import { StateMachines } from '../state-machine.schemas.ts';

/** The code's own tables: they change with the program only. */
const body: StateMachines = {
  state_machines: lifecycles.map(({ name, states, transitions }) => ({
    name,
    states: [...states],
    transitions: transitions.map(({ from, trigger, to, guard = null, credit = null, event, why }) => ({
      from,
      trigger,
      to,
      guard,
      credit,
      event,
      why,
    })),
  })),
};

export const listStateMachines = operation({
  id: 'listStateMachines',
  summary: 'List the state machines',
  description:
    'Everything that has a status, and every move between two of them: the very tables that the service decides by. A move ' +
    'that is not here is refused with `INVALID_STATUS_TRANSITION`, and `details.allowed` lists the triggers there are.',
  tag: 'Meta',
  scope: 'any',
  effect: 'read',
  status: 200,
  response: StateMachines,
  problems: [],
  example: {},
  async run() {
    return { body };
  },
});
