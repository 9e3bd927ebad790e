/** An operator at a world's installation: what the commands call, without a process for each call. */
import { act, contextOf, type Input } from '../../src/cli/acting.ts';
import type { World } from './world.ts';

/** Answers the operation's body; rejects with the Problem that refuses it. */
export function operatorOf({ installation, platform, clock }: World, name: string) {
  return async (operation: Parameters<typeof act>[0], input: Input) => {
    const context = contextOf(installation, { platform, actor: `operator:${name}`, now: clock.now() });
    // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the test expects it to be.
    return (await act(operation, context, input)) as any;
  };
}
