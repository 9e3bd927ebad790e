export { lifecycles } from './lifecycles.ts';
export { listStateMachines } from './operations/list-state-machines.ts';
