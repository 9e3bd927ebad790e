export { getSandboxClock } from './operations/get-sandbox-clock.ts';
export { setSandboxClock } from './operations/set-sandbox-clock.ts';
