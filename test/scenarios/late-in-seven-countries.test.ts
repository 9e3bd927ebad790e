/**
 * Seven merchants, each in a different country, are paid late: from the order through reminders, a disputed line and a broken promise
 * to the last late charge. Interest and compensation follow the law, computed by hand below. The service is repeatedly killed with
 * SIGKILL while its clock moves, and each buyer gets each mail once. `LATE_KILLS` sets the number of kills.
 */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { COUNTRIES, type Country, LateStory } from '#test/late-story';
import { patience } from '#test/patience';
import { eventually } from '#test/until';

const KILLS = Number(process.env.LATE_KILLS ?? 3);
vi.setConfig({ testTimeout: patience(30) });

/**
 * Interest in minor units, each claim rounded half up, and the compensation. The first instalment of 1,076.50, with the fee of its
 * payment terms, was due on 2 June 2025 and paid on 11 July, the second one of 1,000.00 was due on 2 July and paid on 22 July. From 19
 * to 26 June 2,300.00 were disputed: the two later instalments, and 300.00 of the first.
 *
 * - 17 June: 3 to 16 June, 14 days.
 * - 10 July: of the first instalment 2 days, 8 days of 776.50 and 4 days in June, and 9 days in July; of the second 7 days.
 * - 17 July: 2 days of the first, and 7 days of the second.
 * - 23 July, by command: 6 days of the second.
 *
 * In Switzerland interest begins on the day after the first reminder that demands the instalment: for the first on 10 June, after that
 * of 9 June, and for the second on 11 July, after that of 10 July.
 * - 17 June: 10 to 16 June, 7 days: 107,650 × 5 % × 7 / 365 = 103.23.
 * - 10 July: of the first 15 days of 1,076.50 and 8 days of 776.50: (1,614,750 + 621,200) × 5 % / 365 = 306.29; of the second none.
 * - 17 July: 2 days of the first, and 11 to 16 July, 6 days of the second: (215,300 + 600,000) × 5 % / 365 = 111.68.
 * - 23 July: 17 to 22 July, 6 days of the second: 600,000 × 5 % / 365 = 82.19.
 *
 * | | June | July |
 * |---|---|---|
 * | DE | base rate 2.27 + 9 = 11.27 % | 1.27 + 9 = 10.27 % |
 * | FR | ECB 3.15 + 10 = 13.15 % | 2.15 + 10 = 12.15 % |
 * | PL | NBP 5.75 + 10 = 15.75 % | 5.25 + 10 = 15.25 % |
 * | GB | for all of the first instalment Bank Rate of 31 December 4.75 + 8 = 12.75 % | of the second that of 30 June 4.25 + 8 = 12.25 % |
 * | CH | 5 % | 5 % |
 * | SE | reference rate 3.00 + 8 = 11.00 % | 2.00 + 8 = 10.00 % |
 *
 * In Germany on 17 June 107,650 × 11.27 % × 14 / 365 = 465.34. Poland converts EUR 40 at 4.2551, the rate of 30 May. In Britain the
 * compensation is GBP 70 from GBP 1,000 on. In the United States there is neither without a contract.
 */
const CHARGES: Record<Country, { interest: number[]; compensation: number | null }> = {
  DE: { interest: [465, 861, 258, 169], compensation: 4_000 },
  FR: { interest: [543, 1_012, 305, 200], compensation: 4_000 },
  PL: { interest: [650, 1_244, 382, 251], compensation: 17_020 },
  GB: { interest: [526, 1_016, 310, 201], compensation: 7_000 },
  CH: { interest: [103, 306, 112, 82], compensation: null },
  SE: { interest: [454, 839, 251, 164], compensation: 45_000 },
  US: { interest: [], compensation: null },
};
const CLAIMED_ON = ['2025-06-17', '2025-07-10', '2025-07-17', '2025-07-23'];
const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

const STEPS = [
  '2025-05-30',
  '2025-06-02',
  '2025-06-09',
  '2025-06-17',
  '2025-07-10',
  '2025-07-14',
  '2025-07-17',
];
/** Days on which the clock is killed while it moves: those of the steps first, then all others in turn. */
const KILLED_ON = [
  ...STEPS,
  ...Array.from({ length: 60 }, (_, nth) =>
    new Date(Date.UTC(2025, 4, 5 + ((nth * 7) % 79))).toISOString().slice(0, 10),
  ).filter((day) => !STEPS.includes(day)),
].slice(0, KILLS);

describe(`a late payment in each of seven countries, through ${KILLS} kills`, () => {
  let story: LateStory;
  beforeAll(
    async () => {
      story = await LateStory.begin(KILLED_ON);
      await play();
    },
    patience(180 + 15 * KILLS),
  );
  afterAll(() => story?.end());

  async function play(): Promise<void> {
    await story.each((country) => story.orderAndInvoice(country));
    // The reminder of that day is sent before the next day: in Switzerland interest depends on it, as on that of 10 July.
    await story.until('2025-06-09');
    await story.until('2025-06-19');
    await story.each((country) => story.dispute(country, 230_000));
    await story.until('2025-06-27');
    await story.each((country) => story.reject(country));
    await story.until('2025-06-30');
    for (const country of COUNTRIES) await story.promise(country, '2025-07-09');
    await story.until('2025-07-10');
    await story.until('2025-07-11');
    await story.each((country) => story.pay(country, 107_650));
    await story.until('2025-07-22');
    await story.each((country) => story.pay(country, 200_000));
    await story.until('2025-07-23');
    for (const country of COUNTRIES) await story.claim(country);
  }

  it.each(COUNTRIES)('%s claims what its law gives, to the minor unit and day', async (country) => {
    const { interest, compensation } = CHARGES[country];
    const charges = await story.charges(country);
    const seen = charges.map(({ kind, charged_on, accrued_until, amount }) => [
      kind,
      charged_on,
      accrued_until,
      amount,
    ]);
    const wanted = [
      ...interest.map((amount, nth) => ['INTEREST', CLAIMED_ON[nth], dayBefore(CLAIMED_ON[nth]), amount]),
      ...(compensation === null ? [] : [['COMPENSATION', CLAIMED_ON[0], null, compensation]]),
    ];
    expect(seen.toSorted(byText)).toEqual(wanted.toSorted(byText));
  });

  it('is paid but for the charges, which no payment of the invoice has touched', async () => {
    for (const country of COUNTRIES) {
      const { interest, compensation } = CHARGES[country];
      const claimed = sumOf(interest) + (compensation ?? 0);
      expect(await story.invoice(country)).toMatchObject({
        ...{ status: 'CLOSED', outstanding_amount: 0, dunning: null },
        late_charges: { amount: claimed, paid_amount: 0, outstanding_amount: claimed },
      });
    }
  });

  it('was reminded of step by step, and of the second instalment anew', async () => {
    for (const country of COUNTRIES)
      expect(await story.events(country)).toEqual([
        ...['STEP 1', 'STEP 2', 'STEP 3', 'STEP 4', 'PAUSED 4', 'RESUMED 4', 'STEP 5', 'ENDED 5'],
        ...['STEP 3', 'STEP 4', 'ENDED 4'],
      ]);
  });

  it('is settled once the compensation is waived and the interest paid', async () => {
    await story.until('2025-07-24');
    for (const country of COUNTRIES) {
      for (const { kind, external_id } of await story.charges(country))
        if (kind === 'COMPENSATION') await story.waive(external_id);
      const interest = sumOf(CHARGES[country].interest);
      if (interest > 0) await story.pay(country, interest);
      expect((await story.invoice(country)).late_charges).toMatchObject({
        ...{
          outstanding_amount: 0,
          paid_amount: interest,
          waived_amount: CHARGES[country].compensation ?? 0,
        },
      });
    }
  });

  it('has mailed each buyer everything once, on its day', async () => {
    await story.until('2025-07-25');
    const reminders = STEPS.map((day, nth) => `${day} ${nth < 2 ? 'reminder_due_soon' : 'reminder_overdue'}`);
    for (const country of COUNTRIES) {
      const hasCharges = CHARGES[country].interest.length > 0;
      const mailed = [
        ...['2025-05-02 facility_granted', '2025-05-02 invoice_issued', ...reminders],
        ...['2025-06-19 dispute_opened', '2025-06-27 dispute_decided', '2025-07-11 payment_received'],
        // The renewal waits for a person, because the buyer is late.
        '2025-07-17 facility_expiring',
        ...(hasCharges
          ? ['2025-07-22 payment_received', '2025-07-24 account_settled']
          : ['2025-07-22 account_settled']),
      ].map((kind) => `${kind} SENT`);
      // The mails come after the events.
      await eventually(async () =>
        expect((await story.messages(country)).toSorted()).toEqual(mailed.toSorted()),
      );
      const mails = story.mailsTo(country);
      expect(mails).toHaveLength(mailed.length);
      // After a kill a mail may be sent again, with the same content.
      for (const copies of mails) expect(new Set(copies.map(({ parsed }) => parsed.text)).size).toBe(1);
    }
  });

  it('left books that balance at every midnight, and was killed as often as it says', () => {
    expect(story.faults).toEqual([]);
    expect(story.kills).toBe(KILLS);
  });
});

function dayBefore(day = ''): string {
  return new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
}

function byText(one: unknown[], other: unknown[]): number {
  return String(one).localeCompare(String(other));
}
