/** Decisions and what-if comparisons as text for a person. */
import type { Currency } from '#kernel/currency';
import type { Decision, WhatIfComparison, WhatIfVerdict } from '#modules/underwriting';
import { amountOrNone } from './amount-text.ts';
import { instant, printTable } from './table.ts';

/** One decision with all its details. */
export function printDecision(decision: Decision): void {
  printFields({
    decision: decision.decision_id,
    decided: instant(decision.decided_at),
    subject: decision.subject,
    buyer: decision.buyer_external_id,
    order: decision.order_external_id ?? '-',
    service: decision.service_external_id ?? '-',
    outcome: decision.outcome,
    currency: decision.currency,
    requested: amountOrNone(decision.requested_amount, decision.currency),
    limit: amountOrNone(decision.limit_amount, decision.currency),
    policy: decision.policy_version === null ? '-' : `version ${decision.policy_version}`,
  });
  printSection(`What the buyer may know (${decision.language})`, decision.reasons.map(codeAndText));
  if (decision.internal) printInternals(decision.internal, decision.currency);
}

function printInternals(internal: NonNullable<Decision['internal']>, currency: Currency): void {
  printSection('Internal reasons', internal.reasons.map(codeAndText));
  printSection(
    'Verdict and persons',
    namesAndValues({
      band: internal.risk_band,
      price_class: internal.price_class,
      proposed: amountOrNone(internal.proposed_amount, currency),
      script: internal.script,
      assessed_ms: internal.assessed_ms,
      decided_by: internal.decided_by,
      approved_by: internal.approved_by,
      comment: internal.comment,
      replaces: internal.replaces && describeReplaced(internal.replaces, currency),
      replaced_by: internal.replaced_by.join(' ') || null,
    }),
  );
  printSection('Inputs', internal.inputs === null ? [] : namesAndValues(internal.inputs));
  printSection(
    'Sources',
    internal.sources.map(({ name, at, data }) => `${name} of ${instant(at)} ${JSON.stringify(data)}`),
  );
  printSection('Rules that fired', internal.rules_fired.map(describeRule));
}

/** Two verdicts side by side, and the rules that differ. */
export function printWhatIf(comparison: WhatIfComparison, currency: Currency): void {
  const { before, after, inputs, policy_version, decision_id } = comparison;
  console.log(`Decision ${decision_id}, version ${policy_version} of the policy\n`);
  const sides = [verdictFields(before, currency), verdictFields(after, currency)] as const;
  printTable(
    Object.keys(sides[0]).map((name) => ({
      '': name,
      'as decided': sides[0][name] ?? '',
      'what if': sides[1][name] ?? '',
    })),
    '',
  );
  printSection(
    'Replaced inputs',
    inputs.map(({ name, before, after }) => `${name}: ${shown(before)} → ${shown(after)}`),
  );
  printSection('Rules that fire as decided only', comparison.rules_only_before.map(describeRule));
  printSection(
    'Rules that fire with the replaced inputs only',
    comparison.rules_only_after.map(describeRule),
  );
}

function verdictFields(verdict: WhatIfVerdict, currency: Currency): Record<string, string> {
  return {
    outcome: verdict.outcome,
    limit: amountOrNone(verdict.limit_amount, currency),
    band: shown(verdict.risk_band),
    price_class: shown(verdict.price_class),
    reasons: verdict.reasons.map(({ code }) => code).join(' '),
    buyer_reasons: verdict.buyer_reasons.join(' '),
    failure: shown(verdict.failure),
  };
}

function printFields(fields: Record<string, string>): void {
  for (const line of namesAndValues(fields)) console.log(line);
}

function printSection(title: string, lines: string[]): void {
  if (lines.length > 0) console.log(`\n${title}:\n\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

function namesAndValues(values: Record<string, unknown>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length));
  return Object.entries(values).map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`);
}

const shown = (value: unknown) => (value === null ? '-' : String(value));
const codeAndText = ({ code, text }: { code: string; text: string }) => `${code}: ${text}`;
const describeRule = ({ node, rule, description }: WhatIfComparison['rules_only_before'][number]) =>
  `${node}: ${description || rule}`;
const describeReplaced = (
  { decision_id, outcome, limit_amount }: NonNullable<NonNullable<Decision['internal']>['replaces']>,
  currency: Currency,
) => `${decision_id} (${outcome}, ${amountOrNone(limit_amount, currency)})`;
