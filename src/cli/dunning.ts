/** `tradeline dunning plan|history|propose|list|show`: plans of reminders, and the reminders of invoices. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { StartRefused } from '#kernel/start-refused';
import {
  DEFAULT_DUNNING_PLAN,
  type DunningPlan,
  dunningPlanChange,
  findDunningPlans,
  type ListedDunning,
  listDunningPlans,
  listDunnings,
  listStopsOfScope,
  type PlanScope,
  readDunningPlan,
} from '#modules/dunning';
import { DUNNING_KINDS, DUNNING_PAUSES, findInvoice, listTakenSteps } from '#modules/invoices';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { letters, print } from './dunning-letters.ts';
import { freeze, insolvency, promise, resume, stop } from './dunning-stops.ts';
import { onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printItems, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

export const dunningCommand = commandOf('dunning', {
  plan,
  history,
  propose,
  list,
  show,
  promise,
  stop,
  freeze,
  insolvency,
  resume,
  letters,
  print,
});

const text = { type: 'string' } as const;
const OF = { platform: text, merchant: text, buyer: text } as const;
const SHOWN_MAX = 200;

/** The owner of the plan: the platform without both options. */
function scopeOf({ merchant, buyer }: { merchant?: string; buyer?: string }): PlanScope {
  if (merchant !== undefined && buyer !== undefined)
    throw new WrongUsage('Give --merchant or --buyer, not both.');
  const idOf = (value: string | undefined, option: string) =>
    value === undefined ? '' : required(value, option, isExternalId, 'an external_id');
  return {
    merchantExternalId: idOf(merchant, '--merchant'),
    buyerExternalId: idOf(buyer, '--buyer'),
  };
}

async function plan(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: OF });
  const scope = scopeOf(values);
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const [inForce = null] = await findDunningPlans(db, platformId, [scope]);
    printResult(values.json, { plan: inForce }, () => {
      if (inForce === null) console.log('No plan is in force: no reminders are sent.');
      else printPlan(inForce);
    });
  });
}

function printPlan({ steps, least_gap_days: gap }: DunningPlan): void {
  printTable(
    steps.map((step, index) => ({
      step: String(index + 1),
      days: step.days > 0 ? `+${step.days}` : String(step.days),
      kind: step.kind,
      tone: step.tone ?? '-',
      channel: step.channel ?? 'MAIL',
      charges: step.claims_charges ? 'claimed' : '-',
      operator: step.needs_operator ? 'needed' : '-',
    })),
    '',
  );
  console.log(`\nTwo steps of an invoice are at least ${gap} days apart.`);
}

async function history(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const versions = await listDunningPlans(db, platform.platform_id);
    printItems(
      values.json,
      versions.map(({ platform_id: _, ...version }) => version),
      (version) => ({
        of: version.buyer_external_id || version.merchant_external_id || 'the platform',
        version: String(version.version),
        from: instant(version.valid_from),
        'set by': version.set_by,
        'approved by': version.approved_by ?? '-',
        reason: version.reason ?? '-',
        days: version.plan?.steps.map(({ days }) => days).join(' ') ?? 'ended',
      }),
      'There has never been a plan: no reminders are sent.',
    );
  });
}

async function propose(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { ...OF, reason: text, end: { type: 'boolean' } },
  });
  const scope = scopeOf(values);
  const [file] = positionals;
  if (values.end === true && file !== undefined) throw new WrongUsage('Give a FILE or --end, not both.');
  const proposed = values.end === true ? null : file === undefined ? DEFAULT_DUNNING_PLAN : planIn(file);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: dunningPlanChange, payload: { ...scope, plan: proposed }, reason, isJson: values.json },
      made: 'The plan is in force.',
    }),
  );
}

function planIn(file: string): DunningPlan {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`The plan cannot be read: ${(error as Error).message}.`);
  }
  const read = readDunningPlan(content);
  if ('plan' in read) return read.plan;
  throw new WrongUsage(`${basename(file)} is not a plan: ${read.faults.join('; ')}.`);
}

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, 'paused-by': text, kind: text },
  });
  const pausedBy = values['paused-by'];
  const filter = {
    pausedBy: pausedBy === undefined ? null : oneOfStates(pausedBy, '--paused-by', DUNNING_PAUSES),
    kind: values.kind === undefined ? null : oneOfStates(values.kind, '--kind', DUNNING_KINDS),
  };
  await onPlatform(values.platform, async ({ db, platform }) => {
    const rows = await listDunnings(db, platform.platform_id, { ...filter, limit: SHOWN_MAX });
    printItems(values.json, rows, rowOf, 'No reminders are under way.');
  });
}

const at = (seconds: number | null) => (seconds === null ? '-' : instant(seconds));

const rowOf = (row: ListedDunning) => ({
  invoice: row.invoice_external_id,
  buyer: row.buyer_external_id,
  status: row.status,
  step: row.step === null ? '-' : `${row.step} ${row.kind}`,
  last: at(row.stepped_at),
  next: at(row.next_at),
  'paused by': row.paused_by ?? '-',
  owed: exactAmount(row.outstanding_amount, row.currency),
  currency: row.currency,
});

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const [externalId = '', ...more] = positionals;
  if (!isExternalId(externalId) || externalId === '' || more.length > 0)
    throw new WrongUsage('Name one invoice: tradeline dunning show INVOICE.');
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const invoice = await findInvoice(db, { platformId, externalId });
    if (!invoice) throw new StartRefused(`There is no invoice ${externalId}.`);
    const steps = await listTakenSteps(db, platformId, [externalId]);
    const stops = await listStopsOfScope(db, platformId, { scope: 'INVOICE', externalId });
    const shownStops = stops.map(({ platform_id: _, ...row }) => row);
    printResult(values.json, { dunning: invoice.dunning, steps, stops: shownStops }, () => {
      const { dunning } = invoice;
      console.log(
        dunning === null
          ? 'Nothing has been sent yet.'
          : `${dunning.status}, next ${at(dunning.next_at)}${dunning.paused_by === null ? '' : `, paused by ${dunning.paused_by}`}`,
      );
      printTable(
        steps.map((step) => ({
          installment: String(step.installment),
          step: `${step.step} ${step.kind}`,
          taken: instant(step.transitioned_at),
        })),
        'No step was taken.',
      );
      printTable(
        shownStops.map((row) => ({
          ...{
            stop: row.cause,
            from: instant(row.created_at),
            until: row.until_on ?? '-',
            ended: at(row.ended_at),
          },
          ...{ by: row.actor, reason: row.reason ?? '-' },
        })),
        'Nothing has stopped them.',
      );
    });
  });
}
