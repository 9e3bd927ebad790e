/** Operations that are not in the API, as commands call them. */
import { act, contextOf } from '../../src/cli/acting.ts';
import type { World } from './world.ts';

type Operation = Parameters<typeof act>[0];

/** Answers the body; rejects with the Problem. */
export function operate(
  world: World,
  operation: Operation,
  input: Parameters<typeof act>[2],
  by = 'ada',
): Promise<unknown> {
  const { installation, platform, clock } = world;
  return act(
    operation,
    contextOf(installation, { platform, actor: `operator:${by}`, now: clock.now() }),
    input,
  );
}
