/** Late charges of any amount, whatever the law says. */
import { type ClaimedCharge, claimLateCharges, type LateChargeRow, lockToSettle } from '#modules/invoices';
import { actAs } from './operators.ts';
import type { World } from './world.ts';

/** Claims a charge on an invoice, as an operator does. */
export async function addLateCharge(
  world: World,
  invoice: string,
  { kind = 'INTEREST', amountMinor = 258 }: Partial<Pick<ClaimedCharge, 'kind' | 'amountMinor'>> = {},
): Promise<LateChargeRow> {
  return actAs(
    world,
    'fin',
    async (context) => {
      const locked = (await lockToSettle(context, [invoice])).get(invoice);
      if (!locked) throw new Error(`There is no invoice ${invoice}.`);
      const line = {
        ...{ installment: 1, from: '2025-11-01', to: '2025-11-19', days: 19, amount: 48_259 },
        ...{ rate_basis_points: 1_027, year_days: 365, interest: amountMinor },
      };
      const claimed: ClaimedCharge = {
        ...{ kind, amountMinor, accruedUntil: kind === 'INTEREST' ? '2025-11-19' : null },
        computation: { country: 'DE', source: 'BGB, section 288', lines: kind === 'INTEREST' ? [line] : [] },
      };
      const [charge] = await claimLateCharges(
        { ...context, timeZone: 'UTC' },
        locked,
        [claimed],
        'It is late.',
      );
      return charge as LateChargeRow;
    },
    { role: 'FINANCE' },
  );
}
