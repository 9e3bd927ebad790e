/** `tradeline dunning promise|stop|freeze|insolvency|resume`: reasons not to remind buyers. */
import { dayOf } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import {
  type LookScope,
  promiseFault,
  type ReminderStop,
  recordInsolvency,
  resumeReminders,
  scopeName,
  stopReminders,
} from '#modules/dunning';
import { findInvoice } from '#modules/invoices';
import { exactAmount, readAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { nowOn, type OnPlatform, onPlatform } from './installation.ts';
import { dayEnd, isExternalId, reasonText, required } from './options.ts';
import { printDone } from './result.ts';

const text = { type: 'string' } as const;
const SCOPED = { platform: text, invoice: text, buyer: text, merchant: text, reason: text } as const;

interface ScopeOptions {
  invoice?: string;
  buyer?: string;
  merchant?: string;
}

/** The invoice, buyer or merchant that an option names; the platform without options. */
function scopeOf({ invoice, buyer, merchant }: ScopeOptions): LookScope {
  const given = [
    { scope: 'INVOICE', option: '--invoice', value: invoice },
    { scope: 'BUYER', option: '--buyer', value: buyer },
    { scope: 'MERCHANT', option: '--merchant', value: merchant },
  ] as const;
  const [first, ...others] = given.filter(({ value }) => value !== undefined);
  if (others.length > 0) throw new WrongUsage('Give one of --invoice, --buyer and --merchant.');
  if (first === undefined) return { scope: 'PLATFORM', externalId: '' };
  return {
    scope: first.scope,
    externalId: required(first.value, first.option, (id) => id !== '' && isExternalId(id), 'an external_id'),
  };
}

/** Today or a future day of the platform's calendar. */
function dayToCome(on: OnPlatform, day: string): string {
  if (day < localDayOf(nowOn(on), on.platform.time_zone))
    throw new StartRefused('--until must not be before today.');
  return day;
}

const dayIn = (value: string | undefined) => dayOf(dayEnd(value, '--until', 'a day such as 2026-03-31') - 1);

export async function promise(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, invoice: text, amount: text, until: text, reason: text },
  });
  const externalId = required(values.invoice, '--invoice', isExternalId, "an invoice's external_id");
  const until = dayIn(values.until);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { db, platform } = on;
    const invoice = await findInvoice(db, { platformId: platform.platform_id, externalId });
    if (!invoice) throw new StartRefused(`There is no invoice ${externalId}.`);
    const { currency, outstanding_amount: owed } = invoice;
    const promisedMinor =
      values.amount === undefined ? owed : readAmount(values.amount, '--amount', currency);
    if (owed === 0) throw new StartRefused(`Nothing is owed on the invoice ${externalId}.`);
    const promised = { amountMinor: promisedMinor, untilOn: dayToCome(on, until) };
    if (promiseFault(invoice, promised, localDayOf(nowOn(on), platform.time_zone)) !== null)
      throw new StartRefused(
        `--amount must be above 0 and at most ${exactAmount(owed, currency)} ${currency}.`,
      );
    await stopAndPrint(on, values.json, {
      ...{ cause: 'PROMISE', scope: { scope: 'INVOICE', externalId }, promisedMinor, reason },
      untilOn: until,
    });
  });
}

export async function stop(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { ...SCOPED, until: text } });
  const scope = scopeOf(values);
  if (scope.scope === 'PLATFORM')
    throw new WrongUsage(
      'Give --invoice, --buyer or --merchant: tradeline dunning freeze stops the reminders of the whole platform.',
    );
  const until = values.until === undefined ? null : dayIn(values.until);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    stopAndPrint(on, values.json, {
      ...{ cause: 'STOP_LIST', scope, promisedMinor: null, reason },
      untilOn: until === null ? null : dayToCome(on, until),
    }),
  );
}

export async function freeze(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: SCOPED });
  const scope = scopeOf(values);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    stopAndPrint(on, values.json, { cause: 'FROZEN', scope, untilOn: null, promisedMinor: null, reason }),
  );
}

async function stopAndPrint(on: OnPlatform, isJson: boolean, request: ReminderStop): Promise<void> {
  const { cause, scope, untilOn, reason } = request;
  await asOperator(on, { role: 'FINANCE' }, async (operator) => {
    await stopReminders(operator, request);
    const details = { cause, until_on: untilOn };
    const audit = { action: 'DUNNING_STOPPED', subject: scopeName(scope), reason, details };
    return { answer: null, audit };
  });
  const until = untilOn === null ? 'until they are resumed' : `until ${untilOn}`;
  printDone(
    isJson,
    { cause, until_on: untilOn },
    `The reminders of ${scopeName(scope)} are stopped ${until}.`,
  );
}

export async function insolvency(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text, reason: text } });
  const buyer = required(values.buyer, '--buyer', isExternalId, "a buyer's external_id");
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const { isFrozen, reviewId } = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const answer = await recordInsolvency(operator, { buyerExternalId: buyer, reason });
      const details = {
        ...{ cause: 'INSOLVENCY', is_facility_frozen: answer.isFrozen, review_id: answer.reviewId },
      };
      const audit = { action: 'DUNNING_STOPPED', subject: `buyer ${buyer}`, reason, details };
      return { answer, audit };
    });
    const facility = isFrozen ? ', and its facility is frozen' : '';
    const sentence = `The reminders of buyer ${buyer} are stopped${facility}. A person must decide the review ${reviewId}.`;
    const done = { cause: 'INSOLVENCY', is_facility_frozen: isFrozen, review_id: reviewId };
    printDone(values.json, done, sentence);
  });
}

export async function resume(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: SCOPED });
  const scope = scopeOf(values);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const ended = await asOperator(on, { role: 'FINANCE' }, async (operator) => {
      const answer = await resumeReminders(operator, scope);
      const details = { causes: answer.map(({ cause }) => cause) };
      const audit = { action: 'DUNNING_RESUMED', subject: scopeName(scope), reason, details };
      return { answer, audit };
    });
    printDone(values.json, { ended: ended.length }, `The reminders of ${scopeName(scope)} continue.`);
  });
}
