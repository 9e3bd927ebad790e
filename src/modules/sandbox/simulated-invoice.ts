import { type Issue, invalidRequest, notFound } from '#kernel/problem';
import {
  findInvoice,
  findLastPayment,
  invoiceGuardRefusal,
  invoiceTransitionOf,
  lockInvoiceToSettle,
  type PaymentRow,
  recordPayment,
  reversePayment,
} from '#modules/invoices';
import type { Context } from '#operation/operation';
import { setClockAhead } from './advance-clock.ts';
import type { ClockAdvance } from './clock.schemas.ts';
import { type InvoiceSimulation, SIMULATED } from './simulator.schemas.ts';

/** What a simulation did in addition to the change of the invoice. */
interface SimulatedInvoice {
  payment: PaymentRow | null;
  /** The advance of the clock. What falls due by then is still to be made. */
  clock: ClockAdvance | null;
}

/** Simulates what happens to an invoice, in the caller's transaction. Throws NOT_FOUND and INVALID_STATUS_TRANSITION. */
export async function simulateInvoiceTransition(
  context: Context,
  request: InvoiceSimulation,
): Promise<SimulatedInvoice> {
  assertFieldsOfTrigger(request);
  const { external_id: externalId } = request;
  switch (request.trigger) {
    case 'pay':
      return { payment: await pay(context, externalId, request.amount ?? null), clock: null };
    case 'reverse':
      return {
        payment: await reverse(context, externalId, request.payment_external_id ?? null),
        clock: null,
      };
    case 'advance_to_due':
      return { payment: null, clock: await advanceToDue(context, externalId) };
  }
}

/** Throws a 400 for a field of another trigger. */
function assertFieldsOfTrigger({ trigger, amount, payment_external_id }: InvoiceSimulation): void {
  const issue = (path: string, of: string): Issue => ({
    code: 'INVALID_VALUE',
    path: `body.${path}`,
    message: `is allowed only with ${of}`,
  });
  const issues = [
    ...((amount ?? null) !== null && trigger !== 'pay' ? [issue('amount', 'pay')] : []),
    ...((payment_external_id ?? null) !== null && trigger !== 'reverse'
      ? [issue('payment_external_id', 'reverse')]
      : []),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
}

/** The buyer transfers an amount to the platform's account, by default what is still owed. */
async function pay(context: Context, externalId: string, amountMinor: number | null): Promise<PaymentRow> {
  const invoice = await lockInvoiceToSettle(context, externalId);
  if (invoice.payment_script === 'never-pays')
    throw invoiceGuardRefusal(invoice, 'pay', 'The buyer never pays: its outcome script is never-pays');
  if (amountMinor === null) invoiceTransitionOf(invoice, 'pay');
  const request = { received_by: 'PLATFORM', reference: invoice.payment_reference } as const;
  const recorded = await recordPayment(context, invoice, amountMinor ?? invoice.outstanding_amount, request);
  return recorded.payment;
}

/** The bank takes a payment back, by default the last one. */
async function reverse(context: Context, externalId: string, named: string | null): Promise<PaymentRow> {
  const { db, platformId } = context;
  const invoice = await findInvoice(db, { platformId, externalId });
  if (!invoice) throw notFound();
  const payment = named ?? (await findLastPayment(db, { platformId, externalId }))?.external_id;
  if (payment === undefined)
    throw invoiceGuardRefusal(invoice, 'reopen', 'The invoice has no payment that can be reversed');
  return reversePayment(context, { invoiceExternalId: externalId, externalId: payment }, SIMULATED);
}

async function advanceToDue(context: Context, externalId: string): Promise<ClockAdvance> {
  const { db, platformId } = context;
  const invoice = await findInvoice(db, { platformId, externalId });
  if (!invoice) throw notFound();
  invoiceTransitionOf(invoice, 'become_due');
  const nowAfter = (previous: number) => Math.max(previous, invoice.falls_due_at ?? previous);
  return setClockAhead(context, { nowAfter, path: 'body.trigger' });
}
