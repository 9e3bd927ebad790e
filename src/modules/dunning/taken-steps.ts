/** The steps taken for invoices, each with the content that it had in the plan of that time. */
import type { Db } from '#infra/database/database';
import { type InvoiceRow, listTakenSteps, type TakenStep } from '#modules/invoices';
import { findPastDunningPlans } from './dunning-plan.queries.ts';
import { type PastStep, pastStepOf } from './dunning-plan.rules.ts';

/**
 * All steps taken for these invoices, in the order in which they were taken. If an earlier version stored only the number of a step,
 * the plan in force at that time defines it.
 */
export async function readTakenSteps(
  db: Db,
  platformId: number,
  invoices: readonly InvoiceRow[],
): Promise<TakenStep[]> {
  const taken = await listTakenSteps(
    db,
    platformId,
    invoices.map(({ external_id }) => external_id),
  );
  const numbered = taken.filter(({ days }) => days === null);
  if (numbered.length === 0) return taken;
  const invoiceOf = new Map(invoices.map((invoice) => [invoice.external_id, invoice]));
  const plans = await findPastDunningPlans(
    db,
    platformId,
    numbered.map(({ invoice_external_id, transitioned_at: at }) => {
      const invoice = invoiceOf.get(invoice_external_id) as InvoiceRow;
      const { merchant_external_id: merchantExternalId, buyer_external_id: buyerExternalId } = invoice;
      return { merchantExternalId, buyerExternalId, at };
    }),
  );
  const planOf = new Map(numbered.map((step, nth) => [step, plans[nth]]));
  return taken.map((step) => {
    const planned = planOf.get(step)?.steps[step.step - 1];
    if (planned?.kind !== step.kind) return step;
    const { days, isFirm: is_firm } = pastStepOf(planned);
    return { ...step, days, is_firm };
  });
}

/** Null if only the number of the step is known. */
export function pastStepOfTaken({ kind, days, is_firm: isFirm }: TakenStep): PastStep | null {
  return days === null || isFirm === null ? null : { kind, days, isFirm };
}
