/** Commands on bank entries, and on what operators do with them. */
import fc from 'fast-check';
import { matchByOperator, type OperatorMatch, unmatchByOperator } from '#modules/banking';
import * as bank from './bank.ts';
import { importBatch, paymentIdOf } from './bank-batches.ts';
import { newTransactions, paymentOf, type StoredTransaction } from './bank-rows.ts';
import { always, Command, hasInvoices, pick } from './command.ts';
import type { BankEntry, Batch, Payout } from './merchant-state.ts';
import { outstandingOf } from './owed.ts';
import type { Reality, Reply } from './reality.ts';
import { done, type Invoice, type Model } from './state.ts';

const nth = fc.nat(63);
const idsOf = ({ bankEntries }: Model) => bankEntries.map(({ id }) => id);

/** Reports an entry, with the expected outcome. */
const report = (
  model: Model,
  reality: Reality,
  invoice: Invoice | null,
  entry: Pick<bank.ReportedEntry, 'amount' | 'takesBack' | 'endToEndId'>,
) => ({
  async send(): Promise<Reply> {
    const reference = invoice ? ` ${await reality.referenceOf(invoice.id)}` : '';
    const reply = await reality.post('/v1/sandbox/bank_entries', {
      ...{ amount: entry.amount, is_reversal: entry.takesBack, end_to_end_id: entry.endToEndId },
      text: `Entry ${model.bankEntries.length + 1}${reference}`,
    });
    const [recorded] = await newTransactions(reality, idsOf(model));
    return {
      ...reply,
      body: { ...reply.body, id: recorded?.id ?? '', paymentId: recorded?.paymentId ?? '' },
    };
  },
  foretell: ({ body }: Reply) => {
    const reason = bank.recordEntry(model, { ...entry, invoice, id: body.id, paymentId: body.paymentId });
    if (body.queue_reason !== reason)
      throw new Error(`The entry waits for ${body.queue_reason}, and not for ${reason}.`);
    return done();
  },
});

const nextEndToEndId = ({ bankEntries }: Model) => `E2E-${bankEntries.length + 1}`;

/** The outstanding amount with this much added. */
export const bankPayment = (which: number, more: number) =>
  new Command(`bankPayment ${more} #${which}`, hasInvoices, (model, reality) => {
    const invoice = pick(model.invoices, which, ({ status }) => status === 'OPEN' || status === 'DUE');
    const amount = Math.max(1, outstandingOf(invoice) + more);
    return report(model, reality, invoice, { amount, takesBack: false, endToEndId: nextEndToEndId(model) });
  });

/** Money without a reference. */
export const bankMoney = (amount: number) =>
  new Command(`bankMoney ${amount}`, always, (model, reality) =>
    report(model, reality, null, { amount, takesBack: false, endToEndId: nextEndToEndId(model) }),
  );

const hasTransfers = ({ merchant }: Readonly<Model>) => merchant.payouts.some(({ amount }) => amount > 0);

/** The money of a payout that was paid or returned. */
export const bankTransfer = (which: number, takesBack: boolean) =>
  new Command(`bankTransfer ${takesBack ? 'back' : 'out'} #${which}`, hasTransfers, (model, reality) => {
    const status = takesBack ? 'PAID' : 'INSTRUCTED';
    const transfers = model.merchant.payouts.filter(({ amount }) => amount > 0);
    const payout: Payout = pick(transfers, which, (each) => each.status === status);
    const amount = takesBack ? payout.amount : -payout.amount;
    return report(model, reality, null, { amount, takesBack, endToEndId: bank.endToEndIdOf(payout) });
  });

const hasPayouts = ({ merchant }: Readonly<Model>) => merchant.payouts.length > 0;
const hasEntries = ({ bankEntries }: Readonly<Model>) => bankEntries.length > 0;
const isIn =
  (status: BankEntry['status']) =>
  (entry: BankEntry): boolean =>
    entry.status === status;

/** The bank reverses an entry, by its reference. */
export const bankReversal = (which: number, status: BankEntry['status'] = 'MATCHED') =>
  new Command(`bankReversal ${status} #${which}`, hasEntries, (model, reality) => {
    const original = pick(model.bankEntries, which, (each) => isIn(status)(each) && !each.takesBack);
    const { amount, endToEndId } = original;
    return report(model, reality, null, { amount: -amount, takesBack: true, endToEndId });
  });

/** A batch with a payment of an invoice and one without a reference: its sum, and immediately or later its payments. */
export const bankBatch = (which: number, isDetailed: boolean) =>
  new Command(
    `bankBatch${isDetailed ? ' with its payments' : ''} #${which}`,
    hasInvoices,
    (model, reality) => {
      const invoice = pick(model.invoices, which, ({ status }) => status === 'OPEN' || status === 'DUE');
      const batch: Batch = { invoice, amounts: [Math.max(1, outstandingOf(invoice)), 5_000] };
      const endToEndId = nextEndToEndId(model);
      const file = { ...batch, endToEndId, bookedAt: model.now };
      return {
        send: () =>
          importBatch(reality, model.now, file, isDetailed ? ['SUM', 'PAYMENTS'] : ['SUM'], idsOf(model)),
        foretell: ({ body: [whole, ...payments] }) => {
          bank.recordBatch(model, { id: whole.id, endToEndId }, batch);
          if (isDetailed) detail(model, model.bankEntries.at(-1) as BankEntry, payments);
          else if (whole.queueReason !== 'BATCH_WITHOUT_DETAILS')
            throw new Error(`The batch waits for ${whole.queueReason}.`);
          return done();
        },
      };
    },
  );

const isBatch = (entry: BankEntry): entry is BankEntry & { batch: Batch } => entry.batch !== null;

/** Leaves a batch alone whose sum is no longer queued. */
export const bankDetails = (which: number) =>
  new Command(
    `bankDetails #${which}`,
    ({ bankEntries }) => bankEntries.some(isBatch),
    (model, reality) => {
      const whole = pick(model.bankEntries.filter(isBatch), which, isIn('QUEUED'));
      return {
        send: () => importBatch(reality, model.now, { ...whole, ...whole.batch }, ['PAYMENTS'], idsOf(model)),
        foretell: ({ body: payments }) => {
          if (whole.status === 'QUEUED') detail(model, whole, payments);
          else if (payments.length > 0)
            throw new Error('A batch that is not queued was replaced by its payments.');
          return done();
        },
      };
    },
  );

function detail(model: Model, whole: BankEntry, stored: readonly StoredTransaction[]): void {
  const { endToEndId, batch } = whole;
  const reported = (batch?.amounts ?? []).map((amount, index) => ({
    ...{ id: stored[index]?.id ?? '', amount, takesBack: false, endToEndId: paymentIdOf(endToEndId, index) },
    ...{ invoice: index === 0 && batch ? batch.invoice : null, paymentId: stored[index]?.paymentId ?? '' },
  }));
  const reasons = bank.detailBatch(model, whole, reported);
  const seen = stored.map(({ queueReason }) => queueReason);
  if (JSON.stringify(seen) !== JSON.stringify(reasons))
    throw new Error(`The payments wait for ${JSON.stringify(seen)}, and not for ${JSON.stringify(reasons)}.`);
}

const WHY = 'To see what happens.';

const operatorCommand = (
  text: string,
  which: number,
  status: BankEntry['status'],
  isPossible: (model: Readonly<Model>) => boolean,
  plan: (model: Model) => { match: OperatorMatch; said(paymentId: string): bank.Said } | null,
) =>
  new Command(
    `${text} #${which}`,
    (model) => hasEntries(model) && isPossible(model),
    (model, reality) => {
      const entry = pick(model.bankEntries, which, isIn(status));
      const planned = plan(model);
      const { now } = model;
      return {
        async send() {
          const reply = await reality.bank(now, (context) =>
            planned
              ? matchByOperator(context, entry.id, () => planned.match, WHY)
              : unmatchByOperator(context, entry.id, WHY),
          );
          const paymentId = await paymentOf(reality, entry.id);
          return { ...reply, body: { ...reply.body, paymentId } };
        },
        foretell: ({ body }) =>
          planned
            ? bank.matchEntry(model, entry, planned.said(body.paymentId))
            : bank.unmatchEntry(model, entry),
      };
    },
  );

export const matchCharge = (which: number) =>
  operatorCommand('matchCharge', which, 'QUEUED', always, () => ({
    match: { kind: 'CHARGE' },
    said: () => ({ charge: true }),
  }));

export const matchInvoice = (which: number, whichInvoice = 0) =>
  operatorCommand(`matchInvoice #${whichInvoice}`, which, 'QUEUED', hasInvoices, ({ invoices }) => {
    const invoice = pick(invoices, whichInvoice, ({ status }) => status !== 'CANCELLED');
    return {
      match: { kind: 'INVOICES', invoices: [{ externalId: invoice.id, amountMinor: null }] },
      said: (paymentId) => ({ invoice, paymentId }),
    };
  });

export const matchPayout = (which: number, whichPayout = 0) =>
  operatorCommand(`matchPayout #${whichPayout}`, which, 'QUEUED', hasPayouts, ({ merchant }) => {
    const payout: Payout = pick(merchant.payouts, whichPayout, ({ status }) => status === 'INSTRUCTED');
    return {
      match: { kind: 'PAYOUT', payoutExternalId: payout.id },
      said: () => ({ payout }),
    };
  });

export const unmatch = (which: number) => operatorCommand('unmatch', which, 'MATCHED', always, () => null);

const paying = fc
  .tuple(nth, fc.constantFrom(0, 0, 0, -1, -100, -101, 500))
  .map(([which, more]) => bankPayment(which, more));
const transferring = fc.tuple(nth, fc.boolean()).map(([which, takesBack]) => bankTransfer(which, takesBack));
const matching = fc
  .tuple(fc.constantFrom(matchInvoice, matchInvoice, matchPayout), nth, nth)
  .map(([match, which, whichOther]) => match(which, whichOther));

export const bankCommands = [
  ...[paying, paying, transferring, transferring, matching, matching],
  fc.constantFrom(1, 5_000, 30_000, -50, -5_000).map(bankMoney),
  fc
    .tuple(nth, fc.constantFrom('MATCHED', 'MATCHED', 'QUEUED', 'REVERSED'))
    .map(([which, status]) => bankReversal(which, status)),
  ...[nth.map(matchCharge), nth.map(unmatch)],
  fc.tuple(nth, fc.boolean()).map(([which, isDetailed]) => bankBatch(which, isDetailed)),
  nth.map(bankDetails),
];
