/** `tradeline late-payment`: the law of late payment, its reference rates, and what buyers agreed to beyond the law. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { dayOf } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import { findBuyer } from '#modules/buyers';
import {
  findReferenceRates,
  insertLateInterestAgreement,
  LAW_COUNTRIES,
  type LateInterestAgreement,
  type LatePaymentLaw,
  latePaymentLawOf,
  listLateInterestAgreements,
  listReferenceRateVersions,
  type PublicHoliday,
  type ReferenceRates,
  readReferenceRates,
  referenceRateUpdate,
} from '#modules/late-charges';
import { percentage } from '#modules/platforms';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { nowOn, onPlatform } from './installation.ts';
import { dayEnd, ifGiven, isExternalId, lineText, reasonText, required, withOption } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

export const latePaymentCommand = commandOf('late-payment', { show, history, update, agree, agreements });

const text = { type: 'string' } as const;
const SHOWN_MAX = 200;
const SOURCE_LENGTH_MAX = 200;
const BUYER_EXPECTED = "a buyer's external_id";

async function show(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text },
  });
  const [country] = positionals;
  if (country !== undefined) return showLaw(country, values.json);
  await onPlatform(values.platform, async ({ db, platform }) => {
    const { series } = await findReferenceRates(db, platform.platform_id);
    printItems(
      values.json,
      series,
      ({ code, name, publisher, known_until, rates }) => ({
        ...{ code, name, publisher },
        'last change': rates.at(-1)?.valid_from ?? '-',
        rate: rateText(rates.at(-1)?.ten_thousandths),
        'known until': known_until ?? '-',
      }),
      'There are no reference rates.',
    );
  });
}

function showLaw(country: string, isJson: boolean): void {
  const law = latePaymentLawOf(country);
  if (!law)
    throw new WrongUsage(`Tradeline supports the law on late payment of ${LAW_COUNTRIES.join(', ')}.`);
  printResult(isJson, law, () => {
    console.log(`${law.law}\n${law.notice}\n`);
    printTable(rowsOf(law), 'The law has no values.');
    const { value: holidays = [] } = law.public_holidays.at(-1) ?? {};
    if (holidays.length === 0) return;
    console.log('');
    printTable(holidays.map(holidayRow), '');
  });
}

const holidayRow = ({ name, day, from_year, until_year, has_substitute }: PublicHoliday) => ({
  'public holiday': name,
  day,
  from: String(from_year ?? '-'),
  until: String(until_year ?? '-'),
  substitute: has_substitute ? 'yes' : '-',
});

function rowsOf({ notice: _notice, country: _country, law: _law, ...values }: LatePaymentLaw) {
  return Object.entries(values).flatMap(([name, dated]) =>
    dated.map(({ valid_from, source, value }) => ({
      value: name.replaceAll('_', ' '),
      from: valid_from,
      is: typeof value === 'string' ? value : name === 'public_holidays' ? 'below' : JSON.stringify(value),
      source,
    })),
  );
}

async function history(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const versions = await listReferenceRateVersions(db, platform.platform_id);
    printItems(
      values.json,
      versions.map(({ platform_id: _, ...version }) => version),
      ({ version, valid_from, set_by, approved_by, reason, rates }) => ({
        version: String(version),
        from: instant(valid_from),
        'set by': set_by,
        'approved by': approved_by ?? '-',
        reason: reason ?? '-',
        series: rates.series.map(({ code }) => code).join(' '),
      }),
      'No reference rates were updated: those of the program are in force.',
    );
  });
}

async function update(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const payload = ratesIn(positionals[0]);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: referenceRateUpdate, payload, reason, isJson: values.json },
      made: 'The reference rates are in force.',
    }),
  );
}

function ratesIn(file: string | undefined): ReferenceRates {
  if (file === undefined) throw new WrongUsage('late-payment update expects a FILE with reference rates.');
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`The file of reference rates cannot be read: ${(error as Error).message}.`);
  }
  const read = readReferenceRates(content);
  if ('rates' in read) return read.rates;
  throw new WrongUsage(`${basename(file)} has no reference rates: ${read.faults.join('; ')}.`);
}

async function agree(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: text, buyer: text, rate: text, on: text, source: text, reason: text },
  });
  const buyer = required(values.buyer, '--buyer', isExternalId, BUYER_EXPECTED);
  const rate = required(values.rate, '--rate', () => true, 'a percentage below 100, such as 12.5');
  const basisPoints = withOption('rate', () => percentage(rate));
  const agreedOn = dayOf(dayEnd(values.on, '--on', 'a day such as 2026-03-31') - 1);
  const source = lineText(values.source, '--source', 'the document and its clause', SOURCE_LENGTH_MAX);
  const reason = reasonText(values.reason, '--reason');
  const agreed = { basis_points: basisPoints, agreed_on: agreedOn, source };
  await onPlatform(values.platform, async (on) => {
    if (agreedOn > localDayOf(nowOn(on), on.platform.time_zone))
      throw new StartRefused('--on must not be after today.');
    await asOperator(on, { role: 'FINANCE' }, async ({ db, platformId, actor, now }) => {
      const isThere = await findBuyer(db, { platformId, externalId: buyer });
      if (!isThere) throw new StartRefused(`There is no buyer ${buyer}.`);
      await insertLateInterestAgreement(db, platformId, {
        ...agreed,
        buyer_external_id: buyer,
        recorded_at: now,
        recorded_by: actor,
      });
      const audit = { action: 'LATE_INTEREST_AGREED', subject: `buyer ${buyer}`, reason, details: agreed };
      return { answer: null, audit };
    });
    const sentence = `Buyer ${buyer} has agreed to at most ${rate} % a year on invoices from ${agreedOn} on.`;
    printDone(values.json, { buyer_external_id: buyer, ...agreed }, sentence);
  });
}

async function agreements(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, buyer: text } });
  const buyerExternalId = ifGiven(values.buyer, '--buyer', isExternalId, BUYER_EXPECTED);
  await onPlatform(values.platform, async ({ db, platform: { platform_id: platformId } }) => {
    const recorded = await listLateInterestAgreements(db, platformId, { buyerExternalId, limit: SHOWN_MAX });
    printItems(
      values.json,
      recorded.map(({ platform_id: _, ...agreement }) => agreement),
      agreementRow,
      'No buyer has agreed to a rate above the law.',
    );
  });
}

const agreementRow = (agreement: Omit<LateInterestAgreement, 'platform_id'>) => ({
  buyer: agreement.buyer_external_id,
  'agreed on': agreement.agreed_on,
  'at most': `${(agreement.basis_points / 100).toFixed(2)} %`,
  source: agreement.source,
  recorded: instant(agreement.recorded_at),
  by: agreement.recorded_by,
});

/** 362 → 0.0362, which is an interest rate of 3.62 %. */
function rateText(tenThousandths: number | undefined): string {
  if (tenThousandths === undefined) return '-';
  const digits = `${Math.abs(tenThousandths)}`.padStart(5, '0');
  return `${tenThousandths < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
