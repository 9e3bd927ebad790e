/** B2: how long do the payouts of 100,000 services of 1,000 merchants take to be formed, and how does it affect requests? */
import pg from 'pg';
import { nextBusinessDay } from '#kernel/business-day';
import { dayLater } from '#kernel/day';
import {
  type Beside,
  measureBeside,
  type Query,
  runTask,
  secondsText,
  taskFinding,
} from './support/beside.ts';
import { allIds } from './support/ids.ts';
import { LINES, PARTIES, registerDebtors } from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const SERVICES = 100_000;
const MERCHANTS = 1_000;
const BAR_SECONDS = 60;
const DAY_SECONDS = 86_400;
const PAID = { prefix: 'paid-', first: 0, count: MERCHANTS };

export const formPayouts: Question = { name: 'form-payouts', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, started, progress } = bench;
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  started.defer(() => owner.end());
  const query: Query = async (sql) => (await owner.query(sql)).rows;
  progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  await registerPayees(bench, query);
  await program.send('POST', '/v1/invoices', {
    external_id: 'read',
    buyer_external_id: allIds(PARTIES.buyer)[0],
    merchant_external_id: allIds(PARTIES.merchant)[0],
    amount: { net: 10_000, tax: 1_900, gross: 11_900 },
    line_items: LINES,
    payment_method: 'TRANSFER',
    due_at: Math.floor(Date.now() / 1_000) + 100 * DAY_SECONDS,
  });
  const now = new Date().toISOString().slice(0, 10);
  const day = nextBusinessDay({ currency: 'EUR' }, dayLater(now, 2));
  progress(`writing what ${SERVICES.toLocaleString('en')} services pay`);
  await writeLines(query, day);
  const noon = Date.parse(`${day}T12:00:00Z`) / 1_000;
  const beside = await measureBeside(bench, 'read', () =>
    runTask(query, {
      begin: `update platforms set clock_ahead_seconds = ${noon} - extract(epoch from now())::bigint`,
      findLeft: 'select from payout_lines where payout_external_id is null limit 1',
      barSeconds: BAR_SECONDS,
    }),
  );
  const [formed] = await query(
    `select count(*)::int as payouts, (select count(*)::int from payout_lines where payout_external_id is not null) as lines from payouts`,
  );
  if (formed?.payouts !== MERCHANTS || formed.lines !== SERVICES)
    throw new Error(`Formed: ${JSON.stringify(formed)}.`);
  return findingOf(beside);
}

/** Merchants with an account that can be paid. */
async function registerPayees({ program }: Bench, query: Query): Promise<void> {
  const ids = allIds(PAID);
  const company = {
    legal_name: 'Nordlicht Kaffeerösterei GmbH',
    legal_form: 'LIMITED_COMPANY',
    business_identifiers: [{ type: 'VAT_ID', value: 'DE136695976', country: 'DE' }],
    business_address: { postcode: '22767', city: 'Hamburg', country: 'DE' },
  };
  await program.createAll(
    '/v1/merchants',
    ids.map((external_id) => ({ external_id, ...company })),
  );
  await program.createAll(
    '/v1/payout_instructions',
    ids.map((id) => ({
      ...{ external_id: `account-of-${id}`, merchant_external_id: id, type: 'SEPA' },
      ...{ beneficiary_name: company.legal_name, iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' },
    })),
  );
  await query(`update payout_instructions set status = 'VERIFIED', payable_from = 0`);
}

/** The lines of advances, without their services, which forming does not read. */
async function writeLines(query: Query, day: string): Promise<void> {
  await query(
    `insert into payout_lines (platform_id, line_id, merchant_external_id, currency, kind, invoice_external_id,
      service_external_id, amount, earliest_on, created_at)
    select platform_id, gen_random_uuid(), ('{${allIds(PAID).join(',')}}'::text[])[1 + n % ${MERCHANTS}], 'EUR', 'ADVANCE', 'invoice-' || n,
      'service-' || n, 10000, '${day}', extract(epoch from now())::bigint
    from platforms cross join generate_series(1, ${SERVICES}) n`,
  );
  await query('analyze');
}

function findingOf(beside: Beside): Finding {
  const took = secondsText(
    beside.tookMs / 1_000,
    BAR_SECONDS,
    'one for each merchant, with history and event',
  );
  return taskFinding(beside, {
    id: 'B2',
    what: `the payouts of ${SERVICES.toLocaleString('en')} services of ${MERCHANTS.toLocaleString('en')} merchants, formed on one day`,
    count: SERVICES,
    barSeconds: BAR_SECONDS,
    note: `All were SCHEDULED after ${took}. The merchants owe nothing and have no collected money.`,
  });
}
