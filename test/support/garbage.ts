/** Garbage collection in this process, when a test wants it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (of: { type: 'minor' | 'major' }) => void;

/** Collects garbage, and makes all that is in use old. */
export const collectAll = () => collect({ type: 'major' });

/** Collects only young garbage. What is left of ended work belongs to old objects, which are collected seldom. */
export function collectYoung(): void {
  // An object that is in use is young for two collections.
  for (let nth = 0; nth < 3; nth++) collect({ type: 'minor' });
}
