/** `tradeline service list|decide|write-off`: services on invoices, and the decisions about them that are made outside the API. */
import { StartRefused } from '#kernel/start-refused';
import { changeService, DECIDED_OUTSIDE, defaultWriteOff, type OutsideTrigger } from '#modules/financing';
import {
  collectionLifecycle,
  financingLifecycle,
  insuranceLifecycle,
  listServiceRows,
} from '#modules/services';
import { LIMIT_MAX } from '#operation/list';
import { exactAmount } from './amount-text.ts';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { onPlatform } from './installation.ts';
import { isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems } from './result.ts';
import { instant } from './table.ts';

export const serviceCommand = commandOf('service', { list, decide, 'write-off': writeOff });

const text = { type: 'string' } as const;
const ID_EXPECTED = "a service's external_id";
const STATUSES = [
  ...new Set(
    [financingLifecycle, insuranceLifecycle, collectionLifecycle].flatMap(({ states }) => [...states]),
  ),
];

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text, invoice: text } });
  const status = values.status?.split(',').map((word) => oneOfStates(word, '--status', STATUSES));
  const filter = { status, invoice: values.invoice };
  await onPlatform(values.platform, async ({ db, platform }) => {
    const rows: Awaited<ReturnType<typeof listServiceRows>> = [];
    for (let isMore = true; isMore; ) {
      const page = { limit: LIMIT_MAX, offset: rows.length };
      const found = await listServiceRows(db, platform.platform_id, filter, page);
      rows.push(...found);
      isMore = found.length === LIMIT_MAX;
    }
    printItems(
      values.json,
      rows,
      (row) => ({
        service: row.external_id,
        invoice: row.invoice_external_id,
        merchant: row.merchant_external_id,
        type: row.service_type,
        status: row.status,
        advance: `${exactAmount(row.advance_amount, row.currency)} ${row.currency}`,
        missing: row.requirements.map(({ code }) => code).join(', ') || '-',
        updated: instant(row.updated_at),
      }),
      'There is no such service.',
    );
  });
}

async function decide(args: string[]): Promise<void> {
  const options = { platform: text, service: text, trigger: text, reason: text };
  const { values } = readArguments({ args, options });
  const service = required(values.service, '--service', isExternalId, ID_EXPECTED);
  const trigger = values.trigger as OutsideTrigger;
  if (!DECIDED_OUTSIDE.includes(trigger))
    throw new WrongUsage(`--trigger must be one of ${DECIDED_OUTSIDE.join(', ')}.`);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, async (on) => {
    const status = await asOperator(on, { role: 'FINANCE' }, async (context) => {
      const changed = await changeService(context, service, trigger, reason).catch((error) => {
        throw error?.code === 'NOT_FOUND'
          ? new StartRefused(`There is no service ${service} on ${on.platform.code}.`)
          : error;
      });
      const subject = `service ${service}`;
      return { answer: changed.status, audit: { action: 'SERVICE_DECIDED', subject, reason } };
    });
    printDone(values.json, { service, status }, `The service ${service} is ${status}.`);
  });
}

async function writeOff(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, service: text, reason: text } });
  const service = required(values.service, '--service', isExternalId, ID_EXPECTED);
  const reason = reasonText(values.reason, '--reason');
  await onPlatform(values.platform, (on) =>
    requestAndPrint(on, {
      ...{ kind: defaultWriteOff, payload: { service }, reason, isJson: values.json },
      made: `The default of service ${service} is written off.`,
    }),
  );
}
