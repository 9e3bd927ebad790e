/** A plan that comes into force after the first reminders of an invoice: no step is sent twice, and none is left out. */
import { beforeEach, describe, expect, it } from 'vitest';
import { act } from '#test/credit';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import type { DunningPlan } from './dunning-plan.rules.ts';
import { resumeReminders } from './stop-reminders.ts';

/** Each invoice is due on Wednesday, 10 December 2025. */
const { debtor, eventsAbout, invoice, mailsAbout, setPlan, show, until, world } = useDunning();
const planOf = (...steps: DunningPlan['steps']): DunningPlan => ({ least_gap_days: 3, steps });
const FRIENDLY = { days: 5, kind: 'REMINDER' } as const;
const FIRM = { days: 15, kind: 'REMINDER', tone: 'FIRM' } as const;
const LAST = { days: 30, kind: 'LAST_REMINDER' } as const;
const HAND_OVER = { days: 60, kind: 'HAND_OVER' } as const;
const WITHOUT_COURTESIES = planOf(FRIENDLY, FIRM, LAST, HAND_OVER);

beforeEach(() => world().clock.set(INVOICING_NOW));

/** The wording of each reminder after the due day. */
const remindersOf = (buyer: string) =>
  world().sql<{ on: string; kind: string; tone: string }>(
    `select mailed_on as on, kind, tone from dunning_mailings
    where buyer_external_id = $1 and kind in ('REMINDER', 'LAST_REMINDER') order by mailed_on`,
    [buyer],
  );

/** An invoice that got the friendly reminder of the default plan, its third step. */
async function remindedInvoice(): Promise<{ buyer: string; late: string }> {
  const buyer = await debtor();
  const late = await invoice(buyer);
  await until('2025-12-15');
  expect((await show(late)).dunning).toMatchObject({ step: 3, kind: 'REMINDER' });
  return { buyer, late };
}

const ALL_THREE = [
  { on: '2025-12-15', kind: 'REMINDER', tone: 'FRIENDLY' },
  { on: '2025-12-29', kind: 'REMINDER', tone: 'FIRM' },
  { on: '2026-01-09', kind: 'LAST_REMINDER', tone: 'FRIENDLY' },
];

describe('a plan with other numbers', () => {
  it('goes on after the step that was sent', async () => {
    const { buyer, late } = await remindedInvoice();
    await setPlan(WITHOUT_COURTESIES, { buyerExternalId: buyer });
    await until('2025-12-29');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 2, kind: 'REMINDER' });
    await until('2026-02-09');
    expect(await remindersOf(buyer)).toEqual(ALL_THREE);
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 2', 'STEP 3', 'STEP 2', 'STEP 3', 'STEP 4']);
    expect((await show(late)).dunning).toMatchObject({ step: 4, kind: 'HAND_OVER', next_at: null });
  });

  it('goes on after a step that a version before took, which stored only its number', async () => {
    const { buyer } = await remindedInvoice();
    await setPlan(WITHOUT_COURTESIES, { buyerExternalId: buyer });
    await world().sql('update invoice_dunning_transitions set days = null, is_firm = null');
    await until('2026-02-09');
    expect(await remindersOf(buyer)).toEqual(ALL_THREE);
  });

  it('does not send again what had another number', async () => {
    const buyer = await debtor();
    await setPlan(planOf(FRIENDLY), { buyerExternalId: buyer });
    const late = await invoice(buyer);
    await until('2025-12-15');
    expect((await show(late)).dunning).toMatchObject({ step: 1, next_at: null });
    // The plan of the platform applies again.
    await setPlan(null, { buyerExternalId: buyer });
    await until('2026-01-30');
    expect(await remindersOf(buyer)).toEqual(ALL_THREE);
    expect(await eventsAbout(late)).toEqual(['STEP 1', 'STEP 4', 'STEP 5']);
    expect(await mailsAbout(late)).toHaveLength(3);
  });
});

describe('a step that needs an operator', () => {
  it('waits for one also where another step of its number was let before', async () => {
    const buyer = await debtor();
    const resume = (id: string) =>
      act(world(), (context) => resumeReminders(context, { scope: 'INVOICE', externalId: id }));
    const before = planOf({ ...FRIENDLY, days: 1 }, { ...FIRM, days: 5, needs_operator: true });
    await setPlan(before, { buyerExternalId: buyer });
    const late = await invoice(buyer);
    await until('2025-12-15');
    await resume(late);
    await until('2025-12-16');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 2, kind: 'REMINDER' });
    const after = planOf({ ...FIRM, days: 5 }, { ...HAND_OVER, days: 10, needs_operator: true });
    await setPlan(after, { buyerExternalId: buyer });
    await until('2025-12-23');
    expect((await show(late)).dunning).toMatchObject({ paused_by: 'OPERATOR', step: 2, kind: 'REMINDER' });
    await resume(late);
    await until('2025-12-24');
    expect((await show(late)).dunning).toMatchObject({ status: 'RUNNING', step: 2, kind: 'HAND_OVER' });
  });
});
