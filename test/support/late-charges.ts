/** Late charges by law, and of any amount regardless of the law. */
import {
  type ClaimedCharge,
  claimLateCharges,
  type LateCharge,
  type LateChargeRow,
  lockToSettle,
  toLateCharge,
} from '#modules/invoices';
import { type ChargeRequest, chargeInvoice } from '#modules/late-charges';
import { listReminderHandovers } from '#modules/statements';
import { invoiceBody } from './bodies.ts';
import { grossOf, INVOICING_NOW } from './invoice-setup.ts';
import { actAs } from './operators.ts';
import type { World } from './world.ts';

const DAY = 86_400;

/** An invoice of EUR 10,000.00 of 1 October 2025 that was due on the 31st, twenty days ago. */
export const lateInvoiceBody = (external_id: string) =>
  invoiceBody({
    ...{ external_id, buyer_external_id: 'buyer', ...grossOf(1_000_000) },
    ...{ invoiced_at: INVOICING_NOW - 50 * DAY, due_at: INVOICING_NOW - 20 * DAY },
  });

/** Claims the legal late charges, as an operator at the time of the world. */
export async function chargeLateInvoice(
  world: World,
  invoiceExternalId: string,
  more: Partial<ChargeRequest> = {},
): Promise<{ charges: LateCharge[]; missing: string[] }> {
  const kinds = ['INTEREST', 'COMPENSATION'] as const;
  const request = { invoiceExternalId, kinds, remindedOn: null, reason: 'It is late.', ...more };
  const answer = await actAs(world, 'fin', (context) =>
    chargeInvoice({ ...context, timeZone: 'UTC', listReminderHandovers }, request),
  );
  if (answer.fault !== null) throw new Error(answer.fault);
  const { charges, missing } = answer;
  return { charges: charges.map(toLateCharge), missing: missing.map(({ message }) => message) };
}

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
