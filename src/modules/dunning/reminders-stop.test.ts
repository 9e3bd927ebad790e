/** The stops of reminders, day by day. Each invoice is due on Wednesday, 10 December 2025. */
import { beforeEach, describe, expect, it } from 'vitest';
import { act, facilityOf } from '#test/credit';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import type { LookScope } from './dunning-rescan.queries.ts';
import { recordInsolvency } from './insolvency.ts';
import { type ReminderStop, resumeReminders, stopReminders } from './stop-reminders.ts';

const { debtor, eventsAbout, invoice, mailsAbout, pay, setPlan, show, until, world } = useDunning();
beforeEach(() => world().clock.set(INVOICING_NOW));

const ofInvoice = (externalId: string): LookScope => ({ scope: 'INVOICE', externalId });
const stop = (scope: LookScope, more: Partial<ReminderStop> = {}) =>
  act(world(), (context) =>
    stopReminders(context, {
      ...{ cause: 'STOP_LIST', scope, untilOn: null, promisedMinor: null, reason: 'As agreed.' },
      ...more,
    }),
  );
const promise = (id: string, untilOn: string) =>
  stop(ofInvoice(id), { cause: 'PROMISE', untilOn, promisedMinor: 100_000 });
const resume = (scope: LookScope) => act(world(), (context) => resumeReminders(context, scope));
const dispute = (of: string, amount: number) =>
  world().post(`/v1/invoices/${of}/disputes`, { external_id: `of-${of}`, reason: 'DAMAGED', amount });
const pausedBy = async (id: string) => (await show(id)).dunning?.paused_by ?? null;

describe('a promise', () => {
  it('that is broken stops until its day, and the reminders go on the day after it', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-12');
    await promise(late, '2025-12-17');
    await until('2025-12-17');
    expect((await show(late)).dunning).toMatchObject({ status: 'PAUSED', paused_by: 'PROMISE', step: 2 });
    await until('2025-12-18');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', paused_by: null, step: 3 });
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'PAUSED 2', 'RESUMED 2', 'STEP 3']);
  });

  it('withdraws the mail that waits', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-15');
    await promise(late, '2025-12-20');
    await until('2025-12-15');
    expect((await mailsAbout(late)).map(({ status }) => status)).toEqual(Array(3).fill('WITHDRAWN'));
  });

  it('that is kept ends with the reminders', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-12');
    await promise(late, '2025-12-17');
    await until('2025-12-16');
    await pay(late, 100_000);
    await until('2026-01-30');
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'PAUSED 2', 'ENDED 2']);
  });
});

describe('the stop list', () => {
  it('stops a buyer until its day', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await stop({ scope: 'BUYER', externalId: buyer }, { untilOn: '2025-12-19' });
    await until('2025-12-19');
    expect(await mailsAbout(late)).toEqual([]);
    expect(await pausedBy(late)).toBe('STOP_LIST');
    // Monday.
    await until('2025-12-22');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', kind: 'REMINDER' });
  });

  it('without an end stops until the reminders are resumed', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-10');
    await stop(ofInvoice(late));
    await until('2026-01-12');
    expect((await show(late)).dunning).toMatchObject({ paused_by: 'STOP_LIST', step: 2, next_at: null });
    await resume(ofInvoice(late));
    await until('2026-01-13');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
    await expect(resume(ofInvoice(late))).rejects.toThrow(
      `The reminders of invoice ${late} are not stopped.`,
    );
  });

  it('beside a dispute of all: the reminders go on once both are over', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-10');
    await stop(ofInvoice(late), { untilOn: '2025-12-16' });
    expect((await dispute(late, 100_000)).status).toBe(201);
    await until('2025-12-16');
    expect(await pausedBy(late)).toBe('STOP_LIST');
    await until('2025-12-18');
    expect(await pausedBy(late)).toBe('DISPUTE');
    expect((await world().post(`/v1/invoices/${late}/disputes/of-${late}/withdraw`)).status).toBe(200);
    await until('2025-12-19');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
  });
});

describe('a frozen plan', () => {
  it('stops everybody until it is resumed', async () => {
    const platform: LookScope = { scope: 'PLATFORM', externalId: '' };
    const [one, other] = [await invoice(await debtor()), await invoice(await debtor())];
    await until('2025-12-10');
    await stop(platform, { cause: 'FROZEN' });
    await until('2025-12-16');
    for (const id of [one, other]) expect(await pausedBy(id)).toBe('FROZEN');
    await resume(platform);
    await until('2025-12-17');
    for (const id of [one, other]) expect((await show(id)).dunning).toMatchObject({ step: 3 });
  });
});

describe('an insolvency', () => {
  it('stops the reminders of the buyer, and freezes its facility', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await until('2025-12-10');
    const answer = await act(world(), (context) =>
      recordInsolvency(context, { buyerExternalId: buyer, reason: 'Opened on 9 December.' }),
    );
    expect(answer.isFrozen).toBe(true);
    expect((await facilityOf(world(), buyer)).status).toBe('FROZEN');
    await until('2026-01-30');
    expect(await pausedBy(late)).toBe('INSOLVENCY');
    expect(await mailsAbout(late)).toHaveLength(2);
  });
});

describe('a dispute', () => {
  it('of a part leaves the reminders of the rest', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-10');
    await dispute(late, 30_000);
    await until('2025-12-15');
    const [mail] = (await mailsAbout(late)).slice(-1);
    expect(mail).toMatchObject({ kind: 'reminder_overdue', status: 'PENDING' });
    expect(mail?.text).toContain('700,00');
    expect(mail?.text).not.toContain('1.000,00');
  });

  it('of all stops them until it is rejected', async () => {
    const late = await invoice(await debtor());
    await until('2025-12-10');
    await dispute(late, 100_000);
    await until('2025-12-16');
    expect(await pausedBy(late)).toBe('DISPUTE');
    const path = `/v1/invoices/${late}/disputes/of-${late}/reject`;
    expect((await world().post(path, { comment: 'All was whole.' })).status).toBe(200);
    await until('2025-12-17');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 3 });
  });
});

describe('a step that waits for an operator', () => {
  const plan = {
    least_gap_days: 3,
    steps: [
      { days: 2, kind: 'REMINDER' },
      { days: 10, kind: 'LAST_REMINDER', needs_operator: true },
    ],
  } as const;

  it('is taken once it is resumed, and is asked for once', async () => {
    const buyer = await debtor();
    await setPlan({ ...plan, steps: [...plan.steps] }, { buyerExternalId: buyer });
    const late = await invoice(buyer);
    await until('2026-01-07');
    expect((await show(late)).dunning).toMatchObject({ paused_by: 'OPERATOR', step: 1 });
    await resume(ofInvoice(late));
    await until('2026-01-08');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', kind: 'LAST_REMINDER' });
    const stops = await world().sql('select 1 from dunning_stops where scope_external_id = $1', [late]);
    expect(stops).toHaveLength(1);
  });

  it('stops no later instalment, once its own is paid', async () => {
    const buyer = await debtor();
    await setPlan({ ...plan, steps: [...plan.steps] }, { buyerExternalId: buyer });
    const late = await invoice(buyer);
    // Two instalments: the second is due on 20 January.
    await world().sql(
      `with second as (
        insert into invoice_installments
        select (jsonb_populate_record(i, jsonb_build_object('number', 2, 'due_at', 1768910400, 'due_on', '2026-01-20',
          'amount', 50000))).* from invoice_installments i where i.invoice_external_id = $1
      )
      update invoice_installments set amount = 50000 where invoice_external_id = $1`,
      [late],
    );
    await until('2026-01-07');
    expect(await pausedBy(late)).toBe('OPERATOR');
    expect((await pay(late, 50_000)).status).toBe(201);
    await until('2026-01-23');
    expect((await show(late)).dunning).toMatchObject({
      status: 'RUNNING',
      kind: 'REMINDER',
      paused_by: null,
    });
  });
});
