export { type ScheduleDeps, type ScheduledTransition, SOURCES } from './sources.ts';
export { countDuePlatforms, createSweeper } from './sweep.ts';
