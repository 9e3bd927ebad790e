export { type ScheduleDeps, SOURCES } from './sources.ts';
export { createSweeper } from './sweep.ts';
