/** P3: what do a credit reservation, an event and a history row cost, compared to an order without them? */
import pg from 'pg';
import { compare } from './support/compare.ts';
import {
  counting,
  HTTP_CONNECTIONS,
  ORDER_ON_CREDIT,
  PARTIES,
  postOrders,
  registerDebtors,
} from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const DRAFT_PREFIX = 'draft-';
const ORDER_PREFIX = 'order-';

export const createOrder: Question = { name: 'create-order', run };

async function run(bench: Bench): Promise<Finding> {
  const { program } = bench;
  bench.progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  const database = new pg.Client(program.postgres);
  await database.connect();
  bench.started.defer(() => database.end());

  const subject = counting({
    name: `POST /v1/orders over ${PARTIES.buyer.count.toLocaleString('en')} buyers`,
    run: postOrders(bench, {
      path: '/v1/orders',
      prefix: ORDER_PREFIX,
      more: ORDER_ON_CREDIT,
    }),
  });
  const baseline = counting({
    name: 'POST /v1/orders/draft, the subject of P2',
    run: postOrders(bench, { path: '/v1/orders/draft', prefix: DRAFT_PREFIX }),
  });
  const finding = await compare(bench, { subject, baseline });
  await assertReserved(database, subject.done());
  return {
    ...finding,
    id: 'P3',
    bar: '≥ 0.6',
    notes: [
      `Both sides are the service itself: ${HTTP_CONNECTIONS} keep-alive connections, one request at a time on each, two lines per order; every response was a 201.`,
      `The database holds exactly the ${subject.done()} orders that were acknowledged, CONFIRMED, each with its transition, its event and its ledger entry, and the facilities reserve exactly their sum.`,
      ...finding.notes,
    ],
  };
}

async function assertReserved(database: pg.Client, acknowledged: number): Promise<void> {
  const { rows } = await database.query(
    `select
      (select count(*)::int from orders where starts_with(external_id, $1) and status = 'CONFIRMED') as orders,
      (select count(*)::int from order_transitions where starts_with(order_external_id, $1)) as transitions,
      (select count(*)::int from events where starts_with(resource_external_id, $1)) as events,
      (select count(*)::int from facility_ledger where starts_with(order_external_id, $1)) as entries,
      (select sum(pending_orders_amount)::bigint from facilities) as reserved`,
    [ORDER_PREFIX],
  );
  const { orders, transitions, events, entries, reserved } = rows[0];
  const isEach = [orders, transitions, events, entries].every((count) => count === acknowledged);
  if (isEach && Number(reserved) === acknowledged * ORDER_ON_CREDIT.amount.gross) return;
  throw new Error(
    `${acknowledged} orders were acknowledged, but the database has ${JSON.stringify(rows[0])}.`,
  );
}
