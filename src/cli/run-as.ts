import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import type { AnyOperation } from '#operation/operation';
import { nowOn, type OnPlatform } from './on-platform.ts';
import { contextOf, type Input, runOperation } from './operation-context.ts';

/**
 * The operation's answer to an operator, at the platform's time. What it refuses is told as a sentence: `whenMissing` for
 * what is not there.
 */
export async function runAs(
  on: OnPlatform,
  operation: AnyOperation,
  input: Input,
  by = 'command',
  whenMissing = 'There is no such thing.',
  baseUrl = '',
) {
  const context = contextOf(on, { platform: on.platform, actor: `operator:${by}`, now: nowOn(on), baseUrl });
  try {
    // biome-ignore lint/suspicious/noExplicitAny: which operation it is, and so what it answers, the caller knows.
    return (await runOperation(operation, context, input)) as any;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    throw new StartRefused(error.code === 'NOT_FOUND' ? whenMissing : sentenceOf(error));
  }
}

/** What is wrong with the request is told field by field; the fields of a command are its options. */
function sentenceOf({ message, issues, details }: Problem): string {
  if (issues)
    return issues.map((issue) => `${issue.path.replace(/^body\./, '')} ${issue.message}.`).join('\n');
  const allowed = Array.isArray(details?.allowed)
    ? `; it can: ${details.allowed.join(', ') || 'nothing'}`
    : '';
  return `${message}${allowed}.`;
}
