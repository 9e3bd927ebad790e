export { lifecycles } from './lifecycles.ts';
export { getMeta } from './operations/get-meta.ts';
export { listStateMachines } from './operations/list-state-machines.ts';
