/** `tradeline late-payment show|history|update`: the law of late payment, and its reference rates. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  findReferenceRates,
  LAW_COUNTRIES,
  type LatePaymentLaw,
  latePaymentLawOf,
  listReferenceRateVersions,
  type ReferenceRates,
  readReferenceRates,
  referenceRateUpdate,
} from '#modules/late-charges';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { reasonText } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printItems, printResult } from './result.ts';
import { instant, printTable } from './table.ts';

export const latePaymentCommand = commandOf('late-payment', { show, history, update });

const text = { type: 'string' } as const;

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
  if (!law) throw new WrongUsage(`There is a law of late payment for ${LAW_COUNTRIES.join(', ')}.`);
  printResult(isJson, law, () => {
    console.log(`${law.law}\n${law.notice}\n`);
    printTable(rowsOf(law), 'The law has no values.');
  });
}

function rowsOf({ notice: _notice, country: _country, law: _law, ...values }: LatePaymentLaw) {
  return Object.entries(values).flatMap(([name, dated]) =>
    dated.map(({ valid_from, source, value }) => ({
      value: name.replaceAll('_', ' '),
      from: valid_from,
      is: typeof value === 'string' ? value : JSON.stringify(value),
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

/** 362 → 0.0362, of an interest rate 3.62 %. */
function rateText(tenThousandths: number | undefined): string {
  if (tenThousandths === undefined) return '-';
  const digits = `${Math.abs(tenThousandths)}`.padStart(5, '0');
  return `${tenThousandths < 0 ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`;
}
