export { type ScheduleDeps, type ScheduledTransition, SOURCES } from './sources.ts';
export { createSweeper } from './sweep.ts';
