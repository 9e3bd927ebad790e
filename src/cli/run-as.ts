import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation } from '#operation/operation';
import { runOperation } from '#operation/run-operation';
import { nowOn, type OnPlatform } from './installation.ts';
import { contextOf } from './operation-context.ts';

/**
 * Runs an operation as an operator at the platform's time and answers its body. Throws StartRefused with a sentence where
 * the operation refuses: `whenMissing` for NOT_FOUND.
 */
export async function runAs(
  on: OnPlatform,
  operation: AnyOperation,
  input: RawInput,
  by = 'command',
  whenMissing = 'There is no such thing.',
  baseUrl = '',
) {
  const context = contextOf(on, { platform: on.platform, actor: `operator:${by}`, now: nowOn(on), baseUrl });
  try {
    // biome-ignore lint/suspicious/noExplicitAny: the caller knows which operation it is, and so the type of its body.
    return (await runOperation(operation, { context, input })) as any;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new StartRefused(error.code === 'NOT_FOUND' ? whenMissing : sentenceOf(error));
  }
}

/** One line per issue; the fields of a command are its options. */
function sentenceOf({ message, issues, details }: Problem): string {
  if (issues)
    return issues.map((issue) => `${issue.path.replace(/^body\./, '')} ${issue.message}.`).join('\n');
  const allowed = Array.isArray(details?.allowed)
    ? `; it can: ${details.allowed.join(', ') || 'nothing'}`
    : '';
  return `${message}${allowed}.`;
}
