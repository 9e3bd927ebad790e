/** A merchant that sells on credit, invoices its sales, is paid, and gets payouts day by day. */
import { buyerBody, draftOrderBody, merchantBody } from './bodies.ts';
import { sepaBody } from './payees.ts';

export interface Trading {
  /** Posts until it is answered, and rejects if it is refused. */
  act(path: string, body: object): Promise<Record<string, unknown>>;
  /** Posts like `act`, and records the created resource. */
  create(path: string, body: { external_id: string }): Promise<unknown>;
  list(path: string): Promise<{ external_id: string }[]>;
  isOver(): boolean;
}

const DAY_SECONDS = 86_400;
const LIMIT = 100_000_000;
const SALES_OF_A_DAY = 4;
const MERCHANT = 'selling';
const BUYER = 'buying';

export async function trade(trading: Trading): Promise<void> {
  await addParties(trading);
  // On a slow machine, the run would end before the first payout is paid.
  for (let sale = 0, paidOut = 0; paidOut === 0 || !trading.isOver(); sale++) {
    await sell(trading, `sale-${sale}`);
    if (sale % SALES_OF_A_DAY === 0) paidOut += await endDay(trading);
  }
}

async function addParties({ act, create }: Trading): Promise<void> {
  await create('/v1/merchants', merchantBody({ external_id: MERCHANT }));
  await create('/v1/buyers', buyerBody({ external_id: BUYER }));
  await act('/v1/sandbox/facilities', { buyer_external_id: BUYER, trigger: 'grant', total_amount: LIMIT });
  await act('/v1/payout_instructions', sepaBody({ external_id: 'account', merchant_external_id: MERCHANT }));
  await act('/v1/sandbox/payout_instructions', { external_id: 'account', trigger: 'verify' });
}

async function sell({ act, create }: Trading, id: string): Promise<void> {
  const parties = { merchant_external_id: MERCHANT, buyer_external_id: BUYER };
  const order = draftOrderBody({ external_id: `order-of-${id}`, ...parties });
  await create('/v1/orders', { ...order, payment_method: 'TRANSFER', payment_term: 'DEFER_30D' } as never);
  const invoice = {
    external_id: `invoice-of-${id}`,
    order_external_ids: [order.external_id],
    amount: order.amount,
  };
  await create('/v1/invoices', invoice);
  await act(`/v1/invoices/${invoice.external_id}/paid`, {
    external_id: `payment-of-${id}`,
    received_by: 'PLATFORM',
  });
}

/** Moves to the next day, on which due lines become payouts, which the bank pays. Returns their number. */
async function endDay({ act, list }: Trading): Promise<number> {
  await act('/v1/sandbox/clock', { advance_seconds: DAY_SECONDS });
  const payouts = await list('/v1/payouts?status=SCHEDULED');
  for (const { external_id } of payouts)
    for (const trigger of ['instruct', 'confirm']) await act('/v1/sandbox/payouts', { external_id, trigger });
  return payouts.length;
}
