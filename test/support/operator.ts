/** An operator of a world's installation, who runs operations that are not in the API, like the commands. */
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { contextOf } from '../../src/cli/operation-context.ts';
import { ensureOperator } from './operators.ts';
import type { World } from './world.ts';

/** Returns the operation's body; rejects with the Problem that refuses it. */
export function operatorOf(world: World, name: string) {
  const { installation, platform, clock } = world;
  return async (operation: AnyOperation, input: RawInput) => {
    await ensureOperator(world, name);
    const context = contextOf(installation, { platform, actor: `operator:${name}`, now: clock.now() });
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be.
    return (await runOperation(operation, { context, input })) as any;
  };
}

export const operate = (world: World, operation: AnyOperation, input: RawInput, by = 'ada') =>
  operatorOf(world, by)(operation, input);
