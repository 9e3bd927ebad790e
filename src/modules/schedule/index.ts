export { type ScheduleSurroundings, SOURCES } from './sources.ts';
export { createSweeper } from './sweep.ts';
