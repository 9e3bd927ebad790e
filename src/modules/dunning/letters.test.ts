/** Reminders on paper: the step waits until an operator prints it. Each invoice is due on Wednesday, 10 December 2025. */
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { typesetDocument } from '#infra/typesetting/typesetter';
import { translatorOf } from '#messages';
import { findFiledDocument } from '#modules/statements';
import { act } from '#test/credit';
import { useDunning } from '#test/dunning';
import { INVOICING_NOW } from '#test/invoice-setup';
import { plainOf, readPdf } from '#test/pdf';
import type { DunningPlan } from './dunning-plan.rules.ts';
import { listPrintedLetters, listWaitingLetters } from './letter.queries.ts';
import { type LetterOutcome, printLetter } from './print-letter.ts';
import { resumeReminders, stopReminders } from './stop-reminders.ts';

const { debtor, eventsAbout, invoice, mailsAbout, pay, setPlan, show, until, world } = useDunning();
const MERCHANT = 'merchant';
const { text, money } = translatorOf('DE', 'FORMAL');
const noonOf = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1_000;

const PLAN: DunningPlan = {
  least_gap_days: 5,
  steps: [
    { days: 3, kind: 'REMINDER' },
    { days: 10, kind: 'REMINDER', tone: 'FIRM', claims_charges: true, channel: 'LETTER' },
    { days: 20, kind: 'LAST_REMINDER', channel: 'LETTER' },
    { days: 40, kind: 'HAND_OVER' },
  ],
};
/** Monday: the day of the second step is a Saturday. */
const WAITS_ON = '2025-12-22';

beforeAll(() => setPlan(PLAN));
beforeEach(() => world().clock.set(INVOICING_NOW));

function ofPlatform() {
  const { db, vault } = world().installation;
  const { platform_id: platformId, code, data_key_wrapped } = world().platform;
  return { db, platformId, vault: vault.forPlatform(code, data_key_wrapped) };
}
const waiting = async (buyerExternalId: string) => {
  const { db, platformId } = ofPlatform();
  return listWaitingLetters(db, platformId, { buyerExternalId, limit: 10 });
};
const print = (buyerExternalId: string, creditor = MERCHANT): Promise<LetterOutcome> =>
  act(world(), ({ db, actor, now }) => {
    const { installation, platform } = world();
    const deps = { vault: installation.vault, baseUrl: () => '', isSandbox: true };
    const context = { db, platform, deps, vault: ofPlatform().vault, actor, now };
    return printLetter(context, { buyerExternalId, creditor });
  });
async function printed(buyer: string) {
  const letter = await print(buyer);
  if (letter.fault !== null) throw new Error(letter.fault);
  return letter;
}
const takenOn = (id: string) =>
  world().sql<{ step: number; on: string; actor: string }>(
    `select step, step_on as on, actor from invoice_dunning_transitions
     where invoice_external_id = $1 and trigger = 'step' order by version`,
    [id],
  );

describe('a step on paper', () => {
  it('waits until it is printed: nothing is claimed, mailed or taken before', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await until('2025-12-16');
    const mails = await mailsAbout(late);
    await until('2026-01-20');
    expect(await show(late)).toMatchObject({
      dunning: { status: 'PAUSED', paused_by: 'LETTER', step: 1, next_at: null },
      late_charges: { amount: 0 },
    });
    expect(await mailsAbout(late)).toEqual(mails);
    expect(await waiting(buyer)).toEqual([
      {
        ...{ buyerExternalId: buyer, creditor: MERCHANT, invoices: 1, dueOn: '2025-12-10' },
        waitsSince: expect.any(Number),
      },
    ]);
  });

  it('is taken on the day of its print, whose text says what is owed then, and the plan goes on from that day', async () => {
    const buyer = await debtor(null);
    await world().sql("update buyers set language = 'DE', formality = 'FORMAL' where external_id = $1", [
      buyer,
    ]);
    const late = await invoice(buyer);
    // A buyer without an address for mails still gets a letter.
    await setPlan({ ...PLAN, steps: PLAN.steps.slice(1) }, { buyerExternalId: buyer });
    await until(WAITS_ON);
    await pay(late, 40_000);
    await until('2026-01-05');
    const { pdf, letterId, mailedOn } = await printed(buyer);
    expect(mailedOn).toBe('2026-01-05');
    const shown = await show(late);
    expect(shown.dunning).toMatchObject({ status: 'RUNNING', step: 1, kind: 'REMINDER', paused_by: null });
    // At least five days after the print, although its own day has passed.
    expect(shown.dunning.next_at).toBe(noonOf('2026-01-12') - 5 * 3_600);
    expect(await takenOn(late)).toEqual([{ step: 1, on: '2026-01-05', actor: 'operator:ada' }]);
    expect(await eventsAbout(late)).toEqual(['PAUSED -', 'RESUMED -', 'STEP 1']);
    expect(shown.late_charges.amount).toBeGreaterThan(4_000);
    const { text: said, isTagged } = await readPdf(new Uint8Array(pdf));
    expect(isTagged).toBe(true);
    for (const expected of [
      'Café Morgenrot eG',
      text('reminder.firm_title'),
      money(60_000 + shown.late_charges.outstanding_amount, 'EUR'),
      text('document.calculation'),
      text('reminder.paid'),
    ])
      expect(plainOf(said)).toContain(plainOf(expected));
    expect(plainOf(said)).not.toContain(plainOf(text('reminder.reply')));
    expect(await mailsAbout(late)).toEqual([]);

    const { db, platformId } = ofPlatform();
    expect(await listPrintedLetters(db, platformId, { buyerExternalId: buyer, limit: 10 })).toEqual([
      {
        ...{ letterId, buyerExternalId: buyer, creditor: MERCHANT, kind: 'REMINDER' },
        ...{ printedOn: '2026-01-05', printedBy: 'operator:ada' },
      },
    ]);
    const [notice] = await world().sql<Record<string, unknown>>(
      `select kind, recipient_masked, language, text_sha256, handed_over_at from notices
       join notice_handovers using (platform_id, notice_id) where buyer_external_id = $1`,
      [buyer],
    );
    expect(notice).toEqual({
      ...{ kind: 'letter', recipient_masked: expect.stringMatching(/, DE$/), language: 'DE' },
      ...{
        text_sha256: createHash('sha256').update(pdf).digest(),
        handed_over_at: `${noonOf('2026-01-05')}`,
      },
    });
  });

  it('is one letter of all that waits, and lists what else the buyer is late with', async () => {
    const buyer = await debtor();
    const first = await invoice(buyer);
    const second = await invoice(buyer);
    const mailed = await invoice(buyer, { due_at: noonOf('2025-12-16') });
    await until(WAITS_ON);
    expect(await waiting(buyer)).toMatchObject([{ invoices: 2 }]);
    const { pdf } = await printed(buyer);
    const { text: said } = await readPdf(new Uint8Array(pdf));
    for (const id of [first, second, mailed]) expect(plainOf(said)).toContain(plainOf(id));
    // The third one waits for its own letter.
    await until('2025-12-29');
    expect(await waiting(buyer)).toMatchObject([{ invoices: 1, dueOn: '2025-12-16' }]);
    expect((await show(mailed)).dunning).toMatchObject({ paused_by: 'LETTER', step: 1 });
  });

  it('is in the mail about another invoice: the buyer is still late with it', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    const other = await invoice(buyer, { due_at: noonOf('2025-12-23') });
    await until('2025-12-29');
    expect((await mailsAbout(other)).at(-1)?.text).toContain(late);
  });
});

describe('nothing is printed', () => {
  it('of what was paid, credited or stopped before', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await until(WAITS_ON);
    const scope = { scope: 'INVOICE', externalId: late } as const;
    const stop = { cause: 'STOP_LIST', scope, untilOn: null, promisedMinor: null, reason: 'Why' } as const;
    await act(world(), (context) => stopReminders(context, stop));
    expect(await print(buyer)).toEqual({ fault: 'NOTHING_WAITS' });
    await until(WAITS_ON);
    expect((await show(late)).dunning.paused_by).toBe('STOP_LIST');
    await act(world(), (context) => resumeReminders(context, scope));
    await until('2025-12-23');
    expect((await show(late)).dunning.paused_by).toBe('LETTER');
    await pay(late, 100_000);
    expect(await print(buyer)).toEqual({ fault: 'NOTHING_WAITS' });
    expect(await waiting(buyer)).toEqual([]);
  });

  it('for another creditor', async () => {
    const buyer = await debtor();
    await invoice(buyer);
    await until(WAITS_ON);
    expect(await print(buyer, '')).toEqual({ fault: 'NOTHING_WAITS' });
    expect(await waiting(buyer)).toHaveLength(1);
  });

  it('on a day on which the buyer was reminded', async () => {
    const buyer = await debtor();
    await invoice(buyer);
    await invoice(buyer, { due_at: noonOf('2025-12-19') });
    await until(WAITS_ON);
    expect(await print(buyer)).toEqual({ fault: 'REMINDED_TODAY' });
    await until('2025-12-23');
    expect((await print(buyer)).fault).toBeNull();
  });

  it('twice, where two operators print at once, and it is the same PDF when it is printed again', async () => {
    const buyer = await debtor();
    const late = await invoice(buyer);
    await until(WAITS_ON);
    const both = await Promise.all([print(buyer), print(buyer)]);
    const [letter, ...others] = both.filter((each) => each.fault === null);
    expect(others).toEqual([]);
    expect(both).toContainEqual({ fault: 'NOTHING_WAITS' });
    expect((await takenOn(late)).map(({ step }) => step)).toEqual([1, 2]);
    const { db, platformId, vault } = ofPlatform();
    const body = await findFiledDocument(db, vault, { platformId, documentId: letter?.letterId ?? '' });
    expect(body && (await typesetDocument(body))).toEqual(letter?.pdf);
  });
});

describe('a letter that needs an operator', () => {
  it('waits for the operator first, and to be printed then', async () => {
    const buyer = await debtor();
    const [step] = PLAN.steps.slice(1);
    const steps = [{ ...(step as DunningPlan['steps'][number]), needs_operator: true }];
    await setPlan({ ...PLAN, steps }, { buyerExternalId: buyer });
    const late = await invoice(buyer);
    await until(WAITS_ON);
    expect((await show(late)).dunning.paused_by).toBe('OPERATOR');
    expect(await print(buyer)).toEqual({ fault: 'NOTHING_WAITS' });
    await act(world(), (context) => resumeReminders(context, { scope: 'INVOICE', externalId: late }));
    await until(WAITS_ON);
    expect((await show(late)).dunning.paused_by).toBe('LETTER');
    expect((await print(buyer)).fault).toBeNull();
  });
});
