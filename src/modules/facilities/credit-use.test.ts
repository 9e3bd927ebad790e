/** What invoices do to a facility, through the commands that outer modules call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#infra/database/transaction';
import { setFacilityStatus } from '#test/credit';
import { addBuyer, addFacility, facilityOf, ledgerOf } from '#test/facilities';
import { createWorld, type World } from '#test/world';
import { type ReleaseCause, releaseUse, reopenUse, useReservations, useWithoutOrder } from './credit-use.ts';
import { type NewEntry, postEntry } from './facility-ledger.queries.ts';

const NOW = 1_763_640_000;

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
});
afterAll(() => world.close());

const of = (buyer: string, invoice = 'i1') => ({
  platformId: world.platform.platform_id,
  buyerExternalId: buyer,
  invoiceExternalId: invoice,
  actor: 'service',
  at: NOW,
});
const granted = async (buyer: string, reserved = 0) => {
  await addFacility(world, buyer, { requested_amount: 1_000 });
  if (reserved > 0)
    await postEntry(world.installation.db, {
      ...of(buyer),
      cause: 'ORDER_RESERVED',
      pendingOrdersChange: reserved,
      tolerancePercent: 0,
      orderExternalId: 'o1',
    });
  return buyer;
};
const amountsOf = async (buyer: string) => {
  const facility = await facilityOf(world, buyer);
  return [facility.used_amount, facility.pending_orders_amount, facility.available_amount];
};

describe('an invoice of an order', () => {
  const invoiced = (buyer: string, amountMinor: number, reservedMinor: number, tolerancePercent = 0) =>
    inTransaction(world.installation.db, (transaction) =>
      useReservations(transaction, [
        { ...of(buyer), orderExternalId: 'o1', amountMinor, reservedMinor, tolerancePercent },
      ]),
    );

  it('uses what the order has reserved, for a part or the whole', async () => {
    const buyer = await granted('part', 900);
    expect((await invoiced(buyer, 400, 400))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([400, 500, 100]);
    expect((await invoiced(buyer, 500, 500))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([900, 0, 100]);
  });

  it('uses it if the limit has become lower since, and if the facility is frozen', async () => {
    const buyer = await granted('lowered', 900);
    await postEntry(world.installation.db, { ...of(buyer), cause: 'LIMIT_CHANGED', totalChange: -800 });
    await world.sql(
      "update facilities set status = 'FROZEN', frozen_at = 1 where buyer_external_id = 'lowered'",
    );
    expect((await invoiced(buyer, 900, 900))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([900, 0, 0]);
  });

  it('is authorized if only invoices count, within limit and tolerance', async () => {
    const buyer = await granted('counted');
    expect((await invoiced(buyer, 1_000, 0))[0]?.isPosted).toBe(true);
    expect((await invoiced(buyer, 1, 0))[0]).toMatchObject({
      isPosted: false,
      facility: { used_amount: 1_000 },
    });
    expect((await invoiced(buyer, 100, 0, 10))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([1_100, 0, 0]);
  });

  it('has no facility to use', async () => {
    await addBuyer(world, 'poor');
    expect(await invoiced('poor', 1, 0)).toEqual([undefined]);
  });

  it('is one of many at once, of one buyer and of several', async () => {
    for (const buyer of ['many-a', 'many-b']) await granted(buyer, 600);
    const invoice = (buyer: string, nth: number) => ({
      ...of(buyer, `i${nth}`),
      orderExternalId: 'o1',
      amountMinor: 200,
      reservedMinor: 200,
      tolerancePercent: 0,
    });
    await inTransaction(world.installation.db, (transaction) =>
      useReservations(transaction, [
        invoice('many-b', 1),
        invoice('many-a', 2),
        invoice('many-b', 3),
        invoice('many-b', 4),
      ]),
    );
    expect([await amountsOf('many-a'), await amountsOf('many-b')]).toEqual([
      [200, 400, 400],
      [600, 0, 400],
    ]);
    const { body } = await world.get('/v1/buyers/many-b/facility/ledger?limit=3');
    expect(body.items.map((item: { invoice_external_id: string }) => item.invoice_external_id)).toEqual([
      'i4',
      'i3',
      'i1',
    ]);
  });
});

describe('an invoice without an order', () => {
  const financed = (buyer: string, amountMinor: number, tolerancePercent = 0) =>
    inTransaction(world.installation.db, (transaction) =>
      useWithoutOrder(transaction, [{ ...of(buyer), amountMinor, tolerancePercent }]),
    );

  it('uses what is available, and no more', async () => {
    const buyer = await granted('financed', 300);
    expect((await financed(buyer, 701))[0]?.isPosted).toBe(false);
    expect((await financed(buyer, 700))[0]?.isPosted).toBe(true);
    expect(await amountsOf(buyer)).toEqual([700, 300, 0]);
    expect((await ledgerOf(world, buyer)).at(-1)).toBe('INVOICE_FINANCED used +700 available 0');
  });

  it('takes up nothing of a frozen facility', async () => {
    const buyer = await granted('cold');
    await world.sql(
      "update facilities set status = 'FROZEN', frozen_at = 1 where buyer_external_id = 'cold'",
    );
    expect((await financed(buyer, 1))[0]?.isPosted).toBe(false);
  });
});

/** A facility of 1,000 of which an invoice uses 800. */
const used = async (buyer: string) => {
  await granted(buyer);
  await inTransaction(world.installation.db, (transaction) =>
    useWithoutOrder(transaction, [{ ...of(buyer), amountMinor: 800, tolerancePercent: 0 }]),
  );
  return buyer;
};
const release = (buyer: string, released: (ReleaseCause & { amountMinor: number })[]) =>
  inTransaction(world.installation.db, (transaction) =>
    releaseUse(
      transaction,
      released.map((each) => ({ ...of(buyer), ...each })),
    ),
  );
const released = (buyer: string, ...amounts: number[]) =>
  release(
    buyer,
    amounts.map((amountMinor) => ({ cause: 'INVOICE_PAID', paymentId: 'p1', amountMinor })),
  );

describe('a payment, a credit note or a cancellation', () => {
  it('releases what was used, in parts too, and names its document', async () => {
    const buyer = await used('paying');
    await release(buyer, [
      { cause: 'INVOICE_PAID', paymentId: 'p1', amountMinor: 300 },
      { cause: 'INVOICE_CREDITED', creditNoteExternalId: 'cn1', amountMinor: 100 },
      { cause: 'INVOICE_CANCELLED', amountMinor: 50 },
    ]);
    expect(await amountsOf(buyer)).toEqual([350, 0, 650]);
    expect((await ledgerOf(world, buyer)).slice(-3)).toEqual([
      'INVOICE_PAID used -300 available 500',
      'INVOICE_CREDITED used -100 available 600',
      'INVOICE_CANCELLED used -50 available 650',
    ]);
    const { items } = (await world.get(`/v1/buyers/${buyer}/facility/ledger?limit=3`)).body;
    const documents = items.map((item: Record<string, unknown>) => [
      item.invoice_external_id,
      item.payment_id,
      item.credit_note_external_id,
    ]);
    expect(documents).toEqual([
      ['i1', null, null],
      ['i1', null, 'cn1'],
      ['i1', 'p1', null],
    ]);
  });

  it('makes nothing available if the limit is below what is still used', async () => {
    const buyer = await used('lowered-paying');
    await postEntry(world.installation.db, { ...of(buyer), cause: 'LIMIT_CHANGED', totalChange: -900 });
    await released(buyer, 650);
    expect(await amountsOf(buyer)).toEqual([150, 0, 0]);
    await released(buyer, 100);
    expect(await amountsOf(buyer)).toEqual([50, 0, 50]);
  });

  it('never releases more than is used', async () => {
    const buyer = await used('greedy');
    await expect(released(buyer, 801)).rejects.toThrow(/used_amount/);
    expect(await amountsOf(buyer)).toEqual([800, 0, 200]);
  });

  it('has somewhere to give it back to', async () => {
    await expect(released('nobody', 1)).rejects.toThrow(
      'The buyer nobody has no facility for the credit of its invoices.',
    );
  });
});

describe('a reversed payment', () => {
  const reopen = (buyer: string, ...amounts: number[]) =>
    inTransaction(world.installation.db, (transaction) =>
      reopenUse(
        transaction,
        amounts.map((amountMinor) => ({ ...of(buyer), paymentId: 'p1', amountMinor })),
      ),
    );

  it('uses again what the payment had released', async () => {
    const buyer = await used('bounced');
    await released(buyer, 300, 400);
    await reopen(buyer, 400, 300);
    expect(await amountsOf(buyer)).toEqual([800, 0, 200]);
    expect((await ledgerOf(world, buyer)).slice(-2)).toEqual([
      'INVOICE_REOPENED used +400 available 500',
      'INVOICE_REOPENED used +300 available 200',
    ]);
  });

  it('does so if other orders have taken the room since, and nothing is available', async () => {
    const buyer = await used('full-again');
    await released(buyer, 800);
    const order = { cause: 'ORDER_RESERVED', pendingOrdersChange: 1_000, orderExternalId: 'o2' } as const;
    await postEntry(world.installation.db, { ...of(buyer), ...order, tolerancePercent: 0 });
    await reopen(buyer, 800);
    expect(await amountsOf(buyer)).toEqual([800, 1_000, 0]);
    await released(buyer, 500);
    expect(await amountsOf(buyer)).toEqual([300, 1_000, 0]);
  });

  it.each(['FROZEN', 'EXPIRED'] as const)('does so in a facility that is %s', async (status) => {
    const buyer = await used(`bounced-${status.toLowerCase()}`);
    await released(buyer, 300);
    await setFacilityStatus(world, buyer, status);
    await reopen(buyer, 300);
    expect(await amountsOf(buyer)).toEqual([800, 0, 0]);
  });

  it('is the only cause that may raise the used amount without a ceiling', async () => {
    const buyer = await used('exempt');
    const post = (entry: Partial<NewEntry> & Pick<NewEntry, 'cause'>) =>
      postEntry(world.installation.db, { ...of(buyer), ...entry });
    for (const cause of ['ORDER_INVOICED', 'INVOICE_FINANCED', 'INVOICE_CANCELLED'] as const)
      await expect(post({ cause, usedChange: 1 })).rejects.toThrow(/facility_ledger_ceiling_check/);
    const reopened = { cause: 'INVOICE_REOPENED', paymentId: 'p1' } as const;
    await expect(post({ ...reopened, pendingOrdersChange: 1 })).rejects.toThrow(/ceiling_check/);
    expect(await amountsOf(buyer)).toEqual([800, 0, 200]);
  });

  it.each<Partial<NewEntry> & Pick<NewEntry, 'cause'>>([
    { cause: 'INVOICE_PAID' },
    { cause: 'INVOICE_REOPENED' },
    { cause: 'INVOICE_CANCELLED', paymentId: 'p1' },
    { cause: 'INVOICE_CREDITED' },
    { cause: 'INVOICE_PAID', paymentId: 'p1', creditNoteExternalId: 'cn1' },
  ])('is an entry that names the document of its cause, not $cause with other ones', async (entry) => {
    const buyer = 'documents';
    if ((await world.get(`/v1/buyers/${buyer}/facility`)).status === 404) await used(buyer);
    const usedChange = entry.cause === 'INVOICE_REOPENED' ? 1 : -1;
    await expect(postEntry(world.installation.db, { ...of(buyer), usedChange, ...entry })).rejects.toThrow(
      /facility_ledger_(payment|credit_note)_check/,
    );
  });
});
