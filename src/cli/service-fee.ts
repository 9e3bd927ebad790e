/** `tradeline service-fee show|history|set`: what merchants pay for services on invoices, with the tax on it. */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  findServiceFees,
  listServiceFeeVersions,
  readServiceFees,
  type ServiceFees,
  serviceFeeChange,
} from '#modules/financing';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandOf } from './command.ts';
import { nowOn, onPlatform } from './installation.ts';
import { askedDay, instantOfDay, reasonText } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const serviceFeeCommand = commandOf('service-fee', { show, history, set });

const text = { type: 'string' } as const;

async function show(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, at: text } });
  const day = askedDay(values.at);
  await onPlatform(values.platform, async (on) => {
    const fees = await findServiceFees(on.db, on.platform, instantOfDay(day, nowOn(on)));
    printDone(values.json, fees, JSON.stringify(fees, null, 2));
  });
}

async function history(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text } });
  await onPlatform(values.platform, async ({ db, platform }) => {
    const versions = await listServiceFeeVersions(db, platform.platform_id);
    printItems(
      values.json,
      versions.map(({ platform_id: _, ...version }) => version),
      ({ version, valid_from, set_by, approved_by, reason, fees }) => ({
        version: String(version),
        from: instant(valid_from),
        'set by': set_by,
        'approved by': approved_by ?? '-',
        reason: reason ?? '-',
        prices: String(fees.prices.length),
        taxes: String(fees.taxes.length),
      }),
      `No fees were ever set for ${platform.code}: the default is in force.`,
    );
  });
}

async function set(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { platform: text, reason: text },
  });
  const payload = feesIn(positionals[0]);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: serviceFeeChange, payload, reason, isJson: values.json },
      made: 'The service fees are in force.',
    }),
  );
}

function feesIn(file: string | undefined): ServiceFees {
  if (file === undefined) throw new WrongUsage('service-fee set expects a FILE with the fees.');
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`The file of service fees cannot be read: ${(error as Error).message}.`);
  }
  const read = readServiceFees(content);
  if ('fees' in read) return read.fees;
  throw new WrongUsage(`${basename(file)} is not a table of service fees: ${read.faults.join('; ')}.`);
}
