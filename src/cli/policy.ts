/** `tradeline policy show|list|history|validate|activate|backtest` */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { dayOf } from '#kernel/day';
import { StartRefused } from '#kernel/start-refused';
import { readPastCredit } from '#modules/facilities';
import { type OperatorContext, requestChange } from '#modules/operators';
import {
  activePolicy,
  type ComparedPolicy,
  compareOnPast,
  describeFinding,
  findActivePolicy,
  findPolicyVersion,
  insertPolicy,
  listPolicies,
  listPolicyActivations,
  type PolicyActivationRow,
  PolicyFailed,
  type PolicyRow,
  policyActivation,
  printNodes,
  sha256Of,
  validatePolicy,
} from '#modules/underwriting';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { type ChartedLosses, type ChartTitles, lossChartSvg, printLossBars } from './loss-chart.ts';
import { askedDay, instantOfDay, reasonText, required } from './options.ts';
import { comparisonFields, distinctTitles, lossesOf, printComparison } from './policy-comparison.ts';
import { proposedSentence } from './request-change.ts';
import { printDone, printItems, printResult } from './result.ts';
import { instant } from './table.ts';
import { printHistory } from './version-history.ts';

const platform = { type: 'string' } as const;

export const policyCommand = commandOf('policy', {
  show,
  list,
  history,
  validate: (args) => withEngine(() => validate(args)),
  activate: (args) => withEngine(() => activate(args)),
  backtest: (args) => withEngine(() => backtest(args)),
});

/** Reports one sentence instead of a stack on a machine for which the rules engine has no build. */
async function withEngine(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof PolicyFailed ? new StartRefused(error.message, { cause: error }) : error;
  }
}

async function show(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform, version: { type: 'string' }, at: { type: 'string' } },
  });
  const { version, at } = values;
  if (version !== undefined && at !== undefined)
    throw new WrongUsage('Give --version or --at, not both: each names one policy.');
  const day = askedDay(at);
  await onPlatform(values.platform, async (on) => {
    const policy = version === undefined ? await policyOfDay(on, day) : await storedVersion(on, version);
    printResult(values.json, policy.graph, () => {
      console.log(`Version ${policy.version} (${policy.name}) of ${on.platform.code}\n`);
      console.log(printNodes(policy.graph).join('\n').trimEnd());
    });
  });
}

/** The policy in force at the end of the day; without a day, the one in force now. */
async function policyOfDay(on: OnPlatform, day: number | null): Promise<PolicyRow> {
  const { db, platform: of } = on;
  const at = instantOfDay(day, nowOn(on));
  if (day === null) return activePolicy(db, of.platform_id, at);
  const policy = await findActivePolicy(db, of.platform_id, at);
  if (policy) return policy;
  throw new StartRefused(`${of.code} had no policy at that time: see tradeline policy history.`);
}

/** Prints every activation with the previous policy. */
async function history(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform } });
  await onPlatform(values.platform, async (on) => {
    const activations = await listPolicyActivations(on.db, on.platform.platform_id);
    const named = (of: PolicyActivationRow | undefined) => (of ? `version ${of.version} (${of.name})` : '-');
    printHistory(
      values.json,
      activations.map((activation, index) => ({
        ...activation,
        version: activation.activation,
        valid_from: activation.activated_at,
        set_by: activation.activated_by,
        changes: [{ setting: 'policy', before: named(activations[index - 1]), after: named(activation) }],
      })),
      'The platform has no policy.',
    );
  });
}

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform } });
  const at = (seconds: number | null) => (seconds === null ? '-' : instant(seconds));
  await onPlatform(values.platform, async (on) => {
    const { db } = on;
    const { platform_id } = on.platform;
    await activePolicy(db, platform_id, nowOn(on));
    const policies = (await listPolicies(db, platform_id)).map((policy) => ({
      version: policy.version,
      name: policy.name,
      is_active: policy.is_active,
      sha256: policy.sha256.toString('hex'),
      created_at: policy.created_at,
      created_by: policy.created_by,
      activated_at: policy.activated_at,
      activated_by: policy.activated_by,
      approved_by: policy.approved_by,
    }));
    const rowOf = (policy: (typeof policies)[number]) => ({
      version: `${policy.version}`,
      name: policy.name,
      active: policy.is_active ? 'yes' : '',
      sha256: policy.sha256.slice(0, 12),
      created: instant(policy.created_at),
      by: policy.created_by,
      activated: at(policy.activated_at),
      activated_by: policy.activated_by ?? '-',
      approved_by: policy.approved_by ?? '-',
    });
    printItems(values.json, policies, rowOf, 'The platform has no policy.');
  });
}

/** Works without a database. */
async function validate(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({ args, allowPositionals: true });
  const path = oneOf(positionals, 'tradeline policy validate FILE');
  const { graph } = await readPolicy(path);
  const nodes = graph.nodes.length;
  printDone(values.json, { nodes }, `${basename(path)} is a valid policy of ${nodes} nodes.`);
}

async function activate(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform, reason: { type: 'string' } },
  });
  const source = oneOf(positionals, 'tradeline policy activate FILE|VERSION');
  const reason = reasonText(values.reason, '--reason');
  const read = isVersion(source) ? null : await readPolicy(source);
  await onPlatform(values.platform, async (on) => {
    // Stores the default policy first, so that it is always version 1.
    await activePolicy(on.db, on.platform.platform_id, nowOn(on));
    const policy = read ?? (await storedVersion(on, source));
    const { version, approvalId } = await asOperator(on, { role: policyActivation.role }, async (context) => {
      const stored = 'version' in policy ? policy.version : await store(context, policy);
      const requested = await requestChange(context, policyActivation, { version: stored }, reason);
      const { audit } = requested;
      return { answer: { version: stored, approvalId: requested.approvalId }, audit };
    });
    printDone(
      values.json,
      { version, approval_id: approvalId },
      approvalId === null
        ? `Version ${version} is in force on ${on.platform.code}.`
        : `Version ${version} is stored. ${proposedSentence(approvalId)}`,
    );
  });
}

/** Stores a policy file as the next version. Only its activation puts it in force. */
async function store({ db, platformId, actor, now }: OperatorContext, policy: ReadPolicy): Promise<number> {
  const { name, graph, sha256 } = policy;
  const made = { platformId, name, graph, sha256, createdAt: now, createdBy: actor };
  const version = await insertPolicy(db, made);
  if (version === undefined)
    throw new StartRefused('Another version was stored at the same time: run the command again.');
  return version;
}

async function backtest(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform, against: { type: 'string' }, chart: { type: 'string' } },
  });
  const chart = values.chart === undefined ? null : chartPath(values.chart);
  const source = oneOf(positionals, 'tradeline policy backtest FILE|VERSION');
  const read = isVersion(source) ? null : await readPolicy(source);
  await onPlatform(values.platform, async (on) => {
    const { db, platform: of } = on;
    const now = nowOn(on);
    const renewed: Named = read
      ? { ...read, title: basename(source) }
      : withTitle(await storedVersion(on, source));
    const old = withTitle(
      values.against === undefined
        ? await activePolicy(db, of.platform_id, now)
        : await storedVersion(on, values.against),
    );
    const comparison = await compareOnPast(db, of.platform_id, { old, new: renewed }, readPastCredit, now);
    const titles = distinctTitles({ old: old.title, new: renewed.title });
    const losses = lossesOf(comparison).filter((each) => each.old.length > 0);
    const charted = { ...titles, asOf: dayOf(now) };
    const hasPast = comparison.old.applications > 0;
    if (hasPast && chart !== null) await writeChart(chart, losses, charted);
    printResult(values.json, comparisonFields(comparison), () => {
      printComparison(comparison, titles);
      if (!hasPast) return;
      if (chart === null) printLossBars(losses, charted);
      else console.log(`\nThe chart is in ${chart}.`);
    });
  });
}

/** Writes the losses as a picture. */
async function writeChart(path: string, losses: ChartedLosses[], titles: ChartTitles): Promise<void> {
  try {
    writeFileSync(path, await lossChartSvg(losses, titles));
  } catch (error) {
    throw new StartRefused(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`);
  }
}

const chartPath = (text: string) =>
  required(text, '--chart', (path) => path.endsWith('.svg'), 'a file that ends in .svg');

type Named = ComparedPolicy & { title: string };
const withTitle = (policy: PolicyRow): Named => ({ ...policy, title: `version ${policy.version}` });

type ReadPolicy = ComparedPolicy & { name: string };

/** Reads a policy file. Throws StartRefused with one line per fault. */
async function readPolicy(path: string): Promise<ReadPolicy> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartRefused(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  const { graph, findings } = await validatePolicy(text);
  if (graph === null)
    throw new StartRefused(
      [`${basename(path)} is not a valid policy:`, ...findings.map(describeFinding)].join('\n'),
    );
  const name = basename(path)
    .replace(/\.json$/, '')
    .slice(0, 100);
  return { graph, sha256: sha256Of(graph), name };
}

async function storedVersion({ db, platform: of }: OnPlatform, text: string): Promise<PolicyRow> {
  const policy = /^\d{1,9}$/.test(text)
    ? await findPolicyVersion(db, of.platform_id, Number(text))
    : undefined;
  if (policy) return policy;
  throw new StartRefused(`${of.code} has no version ${text} of its policy: see tradeline policy list.`);
}

/** A number is a version unless a file has that name. */
const isVersion = (source: string) => /^\d+$/.test(source) && !existsSync(source);

function oneOf(positionals: string[], usage: string): string {
  const [first, ...others] = positionals;
  if (first === undefined || others.length > 0) throw new WrongUsage(`Name one policy: ${usage}.`);
  return first;
}
