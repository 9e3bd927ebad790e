import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import type { OperatorContext } from '#modules/operators';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { WrongUsage } from './arguments.ts';
import { nowOn, type OnPlatform } from './installation.ts';
import { contextOf } from './operation-context.ts';

interface RunOptions {
  /** The operator who makes a change, with the transaction of the change. Without it, the operation only reads. */
  operator?: OperatorContext;
  /** The sentence for NOT_FOUND. */
  whenMissing?: string;
  baseUrl?: string;
}

/** Runs an operation at the platform's time and returns its body. Throws StartRefused with a sentence if the operation refuses. */
export async function runAs(
  on: OnPlatform,
  operation: AnyOperation,
  input: RawInput,
  { operator, whenMissing = 'The resource does not exist.', baseUrl = '' }: RunOptions = {},
) {
  const { actor, now, db } = operator ?? { actor: 'service', now: nowOn(on), db: on.db };
  const context = contextOf({ db, vault: on.vault }, { platform: on.platform, actor, now, baseUrl });
  try {
    // biome-ignore lint/suspicious/noExplicitAny: the caller knows the operation, and so the type of its body.
    return (await runOperation(operation, { context, input })) as any;
  } catch (error) {
    throw refusalOf(error, whenMissing);
  }
}

/** A StartRefused for a Problem, a WrongUsage if the input is invalid; any other error unchanged. */
export function refusalOf(error: unknown, whenMissing = 'The resource does not exist.'): unknown {
  if (!(error instanceof Problem)) return error;
  if (error.issues) return new WrongUsage(sentenceOf(error));
  return new StartRefused(error.code === 'NOT_FOUND' ? whenMissing : sentenceOf(error));
}

/** One line per issue, in which the fields are the command's options. */
function sentenceOf({ message, issues }: Problem): string {
  if (!issues) return `${message}.`;
  return issues.map((issue) => `${issue.path.replace(/^body\./, '')} ${issue.message}.`).join('\n');
}
