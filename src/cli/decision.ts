/** `tradeline decision list|show|export|explain` */
import { Problem } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import { isUuid } from '#kernel/uuid';
import {
  type Decision,
  evaluateWhatIf,
  exportDecision,
  getDecision,
  listDecisions,
  PolicyInputs,
  type WhatIfComparison,
} from '#modules/underwriting';
import { compileInputReader } from '#operation/input-reader';
import { amountOrNone } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { printDecision, printWhatIf } from './decision-detail.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { contextOf } from './operation-context.ts';
import { isExternalId, required } from './options.ts';
import { printItems, printResult } from './result.ts';
import { runAs } from './run-as.ts';
import { instant } from './table.ts';

export const decisionCommand = commandOf('decision', { list, show, export: exportAsJson, explain });

const text = { type: 'string' } as const;

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text } });
  const buyer = required(values.buyer, '--buyer', isExternalId, "a buyer's external_id");
  await onPlatform(values.platform, async (on) => {
    const rows: Decision[] = [];
    for (let total = 1; rows.length < total; ) {
      const input = { params: { external_id: buyer }, query: { offset: rows.length } };
      const whenMissing = `There is no buyer ${buyer} on ${on.platform.code}.`;
      const page = await runAs(on, listDecisions, input, { whenMissing });
      rows.push(...page.items);
      total = page.items.length === 0 ? 0 : page.total;
    }
    printItems(values.json, rows, rowOf, `There is no decision about ${buyer}.`);
  });
}

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const decisionId = decisionIdOf(positionals);
  await onPlatform(values.platform, async (on) => {
    const params = { decision_id: decisionId };
    const whenMissing = missing(on, decisionId);
    const decision: Decision = await runAs(on, getDecision, { params }, { whenMissing });
    printResult(values.json, decision, () => printDecision(decision));
  });
}

async function exportAsJson(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const decisionId = decisionIdOf(positionals);
  await onPlatform(values.platform, async (on) => {
    const context = contextOf(on, { platform: on.platform, actor: 'service', now: nowOn(on) });
    const exported = await exportDecision(context, decisionId);
    if (!exported) throw new StartRefused(missing(on, decisionId));
    console.log(JSON.stringify(exported, null, 2));
  });
}

async function explain(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, 'what-if': { type: 'string', multiple: true } },
  });
  const decisionId = decisionIdOf(positionals);
  const input = { params: { decision_id: decisionId }, body: { inputs: inputsOf(values['what-if'] ?? []) } };
  assertValid(input);
  await onPlatform(values.platform, async (on) => {
    const whenMissing = missing(on, decisionId);
    const { currency }: Decision = await runAs(on, getDecision, { params: input.params }, { whenMissing });
    const comparison: WhatIfComparison = await runAs(on, evaluateWhatIf, input, { whenMissing });
    printResult(values.json, comparison, () => printWhatIf(comparison, currency));
  });
}

/** `orders_closed=5` as an input with its value. */
function inputsOf(replacements: string[]): Record<string, unknown> {
  if (replacements.length === 0)
    throw new WrongUsage('--what-if is required: an input and its value, such as orders_closed=5.');
  return Object.fromEntries(
    replacements.map((replacement) => {
      const [, name, value] = /^(\w+)=(.*)$/.exec(replacement) ?? [];
      if (name === undefined || value === undefined)
        throw new WrongUsage(
          `--what-if must be an input and its value, such as orders_closed=5, not ${replacement}.`,
        );
      return [name, inputOf(name, value)];
    }),
  );
}

/** The value in the type of the input's schema. A text that does not fit is refused later, with the other issues. */
function inputOf(name: string, value: string): unknown {
  const { type } = ((PolicyInputs.properties as Record<string, object>)[name] ?? {}) as {
    type?: string | string[];
  };
  const types = [type].flat();
  if (value === 'null') return null;
  if (types.includes('boolean') && /^(true|false)$/.test(value)) return value === 'true';
  return (types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : value;
}

/** Validates like the API. */
function assertValid(input: { params: Record<string, unknown>; body: unknown }): void {
  try {
    compileInputReader(evaluateWhatIf)(input);
  } catch (error) {
    if (!(error instanceof Problem) || !error.issues) throw error;
    const sentences = error.issues.map(
      ({ path, message }) => `${path.replace('body.inputs.', '')} ${message}.`,
    );
    throw new WrongUsage(sentences.join('\n'));
  }
}

function decisionIdOf(positionals: string[]): string {
  const [decisionId, ...more] = positionals;
  const isOne = (word: string) => more.length === 0 && isUuid(word);
  return required(decisionId, 'DECISION', isOne, 'the id of one decision: see tradeline decision list');
}

const missing = (on: OnPlatform, decisionId: string) =>
  `There is no decision ${decisionId} on ${on.platform.code}: see tradeline decision list.`;

function rowOf(decision: Decision): Record<string, string> {
  return {
    decision: decision.decision_id,
    decided: instant(decision.decided_at),
    subject: decision.subject,
    order: decision.order_external_id ?? '-',
    outcome: decision.outcome,
    currency: decision.currency,
    requested: amountOrNone(decision.requested_amount, decision.currency),
    limit: amountOrNone(decision.limit_amount, decision.currency),
    policy: `${decision.policy_version ?? '-'}`,
    reasons: decision.reasons.map(({ code }) => code).join(' '),
  };
}
