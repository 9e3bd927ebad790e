/** An operator at a world's installation: operations that are not in the API, as the commands call them. */
import { contextOf, type Input, runOperation } from '../../src/cli/operation-context.ts';
import type { World } from './world.ts';

type Operation = Parameters<typeof runOperation>[0];

/** Answers the operation's body; rejects with the Problem that refuses it. */
export function operatorOf({ installation, platform, clock }: World, name: string) {
  return async (operation: Operation, input: Input) => {
    const context = contextOf(installation, { platform, actor: `operator:${name}`, now: clock.now() });
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be.
    return (await runOperation(operation, context, input)) as any;
  };
}

export const operate = (world: World, operation: Operation, input: Input, by = 'ada') =>
  operatorOf(world, by)(operation, input);
