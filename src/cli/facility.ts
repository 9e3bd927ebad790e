/** `tradeline facility show|list|freeze|unfreeze` */
import {
  type Facility,
  type FacilityWithEntity,
  facilityLifecycle,
  facilityUnfreezing,
  freezeFacility,
  getFacility,
  type LedgerEntry,
  listFacilities,
  listLedger,
} from '#modules/facilities';
import type { OperatorContext } from '#modules/operators';
import type { RawInput } from '#operation/input-reader';
import type { AnyOperation } from '#operation/operation';
import { exactAmount } from './amount-text.ts';
import { readArguments } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { commandOf } from './command.ts';
import { findEntityBuyers, printEntity } from './entity-table.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { dayEnd, isExternalId, oneOfStates, reasonText, required } from './options.ts';
import { requestAndPrint } from './request-change.ts';
import { printDone, printItems, printResult } from './result.ts';
import { runAs } from './run-as.ts';
import { instant, printTable } from './table.ts';

export const facilityCommand = commandOf('facility', { show, list, freeze, unfreeze });

const text = { type: 'string' } as const;
const BUYER_EXPECTED = "a buyer's external_id";
/** The number of ledger entries that fit on a screen. */
const ENTRIES_SHOWN = 20;

async function show(args: string[]): Promise<void> {
  const options = {
    ...{ platform: text, buyer: text, at: text, 'known-at': text },
    entity: { type: 'boolean' },
  } as const;
  const { values } = readArguments({ args, options });
  const buyer = required(values.buyer, '--buyer', isExternalId, BUYER_EXPECTED);
  const [at, knownAt] = [dayOption(values.at, '--at'), dayOption(values['known-at'], '--known-at')];
  await onPlatform(values.platform, async (on) => {
    const params = { external_id: buyer };
    const facility: FacilityWithEntity = await runFor(on, getFacility, { params });
    if (values.entity) {
      const buyers = await findEntityBuyers(on, facility);
      printResult(values.json, { ...facility.entity, facilities: buyers }, () => printEntity(buyers));
      return;
    }
    const query = {
      limit: ENTRIES_SHOWN,
      ...(at !== null && { at }),
      ...(knownAt !== null && { known_at: knownAt }),
    };
    const ledger: LedgerPage = await runFor(on, listLedger, { params, query });
    if (at !== null || knownAt !== null) {
      printResult(values.json, ledger, () => printLedger(ledger, facility.currency));
      return;
    }
    printResult(values.json, { ...facility, ledger: ledger.items }, () => printFacility(facility, ledger));
  });
}

interface LedgerPage {
  items: LedgerEntry[];
  total: number;
  balance: Omit<FacilityBalance, 'currency'>;
}

type FacilityBalance = Pick<
  Facility,
  'total_amount' | 'used_amount' | 'pending_orders_amount' | 'available_amount' | 'currency'
>;

/** The last second of a day in UTC. */
function dayOption(value: string | undefined, option: string): number | null {
  return value === undefined ? null : dayEnd(value, option, 'a day such as 2026-03-31') - 1;
}

/** Prints the ledger with the amounts at the time. */
function printLedger(ledger: LedgerPage, currency: Facility['currency']): void {
  for (const [name, amount] of Object.entries(ledger.balance))
    if (typeof amount === 'number') console.log(`${name.padEnd(22)}  ${exactAmount(amount, currency)}`);
  printEntries(ledger, currency);
}

function printFacility(facility: Facility, ledger: LedgerPage): void {
  for (const [name, value] of Object.entries(rowOf(facility))) console.log(`${name.padEnd(12)}  ${value}`);
  printEntries(ledger, facility.currency);
}

function printEntries(ledger: LedgerPage, currency: Facility['currency']): void {
  console.log(`\nThe last ${ledger.items.length} of ${ledger.total} entries of its ledger:\n`);
  printTable(
    ledger.items.map((entry) => ({
      entry: `${entry.entry}`,
      effective: instant(entry.effective_at),
      recorded: instant(entry.recorded_at),
      cause: entry.cause,
      by: entry.invoice_external_id ?? entry.order_external_id ?? '',
      change: exactAmount(entry.available_change, currency),
      available: exactAmount(entry.available_amount, currency),
      actor: entry.actor,
    })),
    'None yet.',
  );
}

async function list(args: string[]): Promise<void> {
  const { values } = readArguments({ args, options: { platform: text, status: text } });
  const status = values.status
    ?.split(',')
    .map((word) => oneOfStates(word, '--status', facilityLifecycle.states));
  await onPlatform(values.platform, async (on) => {
    const rows: Facility[] = [];
    let total = 1;
    while (rows.length < total) {
      const page = await runFor(on, listFacilities, {
        query: { ...(status && { status }), offset: rows.length, sort_by: 'buyer_external_id' },
      });
      rows.push(...page.items);
      total = page.total;
    }
    printItems(values.json, rows, rowOf, 'There is no such facility.');
  });
}

async function freeze(args: string[]): Promise<void> {
  const { platform, buyer, reason, isJson } = readFreezing(args);
  await onPlatform(platform, async (on) => {
    const facility: Facility = await asOperator(on, { role: 'CREDIT' }, async (operator) => {
      const input = { params: { external_id: buyer }, body: { reason } };
      const answer = await runFor(on, freezeFacility, input, operator);
      return { answer, audit: { action: 'FACILITY_FROZEN', subject: `facility of buyer ${buyer}`, reason } };
    });
    printDone(isJson, facility, `The facility of ${buyer} is ${facility.status}.`);
  });
}

async function unfreeze(args: string[]): Promise<void> {
  const { platform, buyer, reason, isJson } = readFreezing(args);
  await onPlatform(platform, async (on) => {
    const facility: Facility = await runFor(on, getFacility, { params: { external_id: buyer } });
    await requestAndPrint(on, {
      ...{ kind: facilityUnfreezing, payload: { buyerExternalId: buyer }, reason },
      isJson,
      made: `The facility of ${buyer} takes new orders again.`,
      ...(facility.status === 'EXPIRED' && {
        shown: { fields: {}, sentence: `The facility of ${buyer} stays EXPIRED until it is renewed.` },
      }),
    });
  });
}

function readFreezing(args: string[]) {
  const { values } = readArguments({ args, options: { platform: text, buyer: text, reason: text } });
  const buyer = required(values.buyer, '--buyer', isExternalId, BUYER_EXPECTED);
  const reason = reasonText(values.reason, '--reason');
  return { platform: values.platform, buyer, reason, isJson: values.json };
}

const runFor = (on: OnPlatform, operation: AnyOperation, input: RawInput, operator?: OperatorContext) =>
  runAs(on, operation, input, {
    ...(operator && { operator }),
    whenMissing: `${input.params?.external_id} has no facility on ${on.platform.code}.`,
  });

function rowOf(facility: Facility): Record<string, string> {
  return {
    buyer: facility.buyer_external_id,
    status: facility.status,
    currency: facility.currency,
    total: exactAmount(facility.total_amount, facility.currency),
    used: exactAmount(facility.used_amount, facility.currency),
    pending: exactAmount(facility.pending_orders_amount, facility.currency),
    available: exactAmount(facility.available_amount, facility.currency),
    band: facility.risk_band ?? '-',
    expires: facility.expires_at === null ? '-' : instant(facility.expires_at),
    frozen: facility.frozen_at === null ? '-' : instant(facility.frozen_at),
    waiting: facility.pending_actions.map(({ type }) => type).join(' ') || '-',
  };
}
