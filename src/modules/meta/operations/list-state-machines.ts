import { operation } from '#operation/operation';
import { lifecycles } from '../lifecycles.ts';
import { StateMachines } from '../state-machine.schemas.ts';

/** The tables by which the code decides. They change only with the program. */
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
    'Every resource with a status, and every transition: the tables by which the service decides. Any other transition is ' +
    'refused with `INVALID_STATUS_TRANSITION`, and `details.allowed` lists the allowed triggers.',
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
