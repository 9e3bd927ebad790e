/** P13: what do the counts cost that make the total of a list cheap? */
import pg from 'pg';
import { compare, type Side } from './support/compare.ts';
import { HTTP_CONNECTIONS, ORDER_ON_CREDIT, postOrders, registerDebtors } from './support/orders.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const TRIGGERS = ['count_new_orders', 'count_changed_orders'];

export const countOrders: Question = { name: 'count-orders', run };

async function run(bench: Bench): Promise<Finding> {
  const { program, progress } = bench;
  progress('registering buyers and merchants, and granting facilities');
  await registerDebtors(program);
  const owner = new pg.Client(program.postgresOwner);
  await owner.connect();
  bench.started.defer(() => owner.end());

  const sidesOf = (name: string, post: Side['run']) => {
    const side = (suffix: string, action: 'enable' | 'disable'): Side => ({
      name: `${name}${suffix}`,
      async run(durationMs) {
        for (const trigger of TRIGGERS) await owner.query(`alter table orders ${action} trigger ${trigger}`);
        return post(durationMs);
      },
    });
    return { subject: side('', 'enable'), baseline: side(' without counts', 'disable') };
  };
  const drafts = await compare(
    bench,
    sidesOf('POST /v1/orders/draft', postOrders(bench, { path: '/v1/orders/draft', prefix: 'draft-' })),
  );
  const onCredit = await compare(
    bench,
    sidesOf(
      'POST /v1/orders',
      postOrders(bench, { path: '/v1/orders', prefix: 'order-', more: ORDER_ON_CREDIT }),
    ),
  );
  return {
    ...drafts,
    id: 'P13',
    bar: '≥ 0.95, of both',
    notes: [
      `Both sides are the service itself, with ${HTTP_CONNECTIONS} connections; the baseline has the triggers ${TRIGGERS.join(' and ')} disabled.`,
      `POST /v1/orders: ${onCredit.ratio.toFixed(2)} (${onCredit.ratioMin.toFixed(2)}–${onCredit.ratioMax.toFixed(2)}), ${onCredit.rate.toFixed(0)} and ${onCredit.baselineRate.toFixed(0)} a second.`,
      ...drafts.notes,
    ],
  };
}
