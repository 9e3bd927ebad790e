import { rethrowNaming } from '#kernel/missing-entity';
import { getInvoice, type Invoice, showPayments } from '#modules/invoices';
import { assertPlatformWide } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { makeDueUntil } from '../advance-clock.ts';
import { simulateInvoiceTransition } from '../simulated-invoice.ts';
import { InvoiceSimulation, SimulatedInvoice } from '../simulator.schemas.ts';

export const simulateInvoice = operation({
  id: 'simulateInvoice',
  summary: 'Simulate what happens to an invoice',
  description:
    'pay: the buyer transfers to the platform what is still owed, or another amount. reverse: a payment of the ' +
    'invoice bounces, by default the last one. advance_to_due: the clock is set to the first instant at which the ' +
    'invoice is DUE, and everything that falls due until then happens. The response has the payment for pay and reverse, and ' +
    'for advance_to_due the clock, as POST /v1/sandbox/clock returns it.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: InvoiceSimulation,
  status: 200,
  response: SimulatedInvoice,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION', 'PAYMENT_ALREADY_REVERSED'],
  example: { body: { external_id: 'example-invoice', trigger: 'reverse' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const named = body.payment_external_id ?? null;
    const simulated = await simulateInvoiceTransition({ ...context, actor: 'sandbox' }, body).catch(
      rethrowNaming(
        named === null
          ? {
              field: 'body.external_id',
              value: body.external_id,
              remedy: 'No invoice has this external_id: create it first with POST /v1/invoices.',
            }
          : {
              field: 'body.payment_external_id',
              value: named,
              remedy:
                'GET /v1/invoices/{external_id}/payments lists the payments of the invoice, if it exists.',
            },
      ),
    );
    const { db, platformId } = context;
    const [payment = null] =
      simulated.payment === null ? [] : await showPayments(db, platformId, [simulated.payment]);
    return { body: { invoice: await shown(context, body.external_id), payment, clock: simulated.clock } };
  },
  async finish(context, { body }, answered) {
    if (answered.clock === null) return { body: answered };
    const clock = await makeDueUntil(context, answered.clock);
    const invoice = await shown({ ...context, now: clock.now }, body.external_id);
    return { body: { ...answered, invoice, clock } };
  },
});

async function shown(context: Context, externalId: string): Promise<Invoice> {
  const input = { params: { external_id: externalId }, query: {}, body: undefined };
  return (await getInvoice.run(context, input, undefined)).body;
}
