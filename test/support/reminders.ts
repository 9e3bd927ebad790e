/** Transitions of the reminders of an invoice, regardless of its plan. */
import { changeDunnings, type DunningChange, lockToSettle } from '#modules/invoices';
import { act } from './credit.ts';
import type { World } from './world.ts';

/** The same at every run, because it is printed. */
const STEPPED_AT = 1_767_682_800;
const NEXT_AT = 1_767_942_000;

/** Makes these transitions of the reminders of an invoice now. */
export async function changeReminders(
  world: World,
  externalId: string,
  triggers: DunningChange['triggers'],
): Promise<void> {
  await act(world, async ({ db, platformId, now }) => {
    const invoice = (await lockToSettle({ db, platformId }, [externalId])).get(externalId);
    if (!invoice) throw new Error(`There is no invoice ${externalId}.`);
    const pausedBy = triggers.at(-1) === 'pause' ? ('PROMISE' as const) : null;
    await changeDunnings(db, platformId, [
      {
        ...{ invoice, triggers, installment: 1, stepOn: '2026-01-06', nextAt: NEXT_AT, pausedBy },
        planned: { days: -3, isFirm: false },
        last: { step: 1, kind: 'BEFORE_DUE', at: STEPPED_AT },
        ...{ actor: 'service', now },
      },
    ]);
  });
}
