/** Writing off a default, by two operators: the receivable becomes a loss. Money that arrives later is a recovery. */

import { localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import { recordDefaultChanges } from '#modules/facilities';
import { recordWriteOff } from '#modules/invoices';
import { credit, debit, post } from '#modules/ledger';
import { type ChangeKind, mayAct } from '#modules/operators';
import { findTimeZone } from '#modules/platforms';
import { findService, type ServiceRow, writeExamined } from '#modules/services';
import { lockService } from './examine-services.ts';

export interface WriteOff {
  service: string;
}

export const defaultWriteOff: ChangeKind<WriteOff> = {
  name: 'DEFAULT_WRITE_OFF',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  /** Throws StartRefused unless the service is DEFAULTED, owes something, and was not written off. */
  async plan(context, { service: externalId }) {
    const { db, platformId, now } = context;
    if (!(await findService(db, { platformId, externalId })))
      throw new StartRefused(`There is no service ${externalId}.`);
    const { service, invoice } = await lockService(context, externalId);
    const owedMinor = owedOf(service, invoice);
    return {
      subject: `financing of invoice ${invoice.external_id}`,
      before: { receivable: owedMinor, currency: service.currency },
      after: { receivable: 0, written_off: owedMinor, currency: service.currency },
      takesTwo: true,
      async apply({ actor, approvedBy }) {
        await post(db, platformId, [
          {
            cause: 'DEFAULT_WRITTEN_OFF',
            currency: service.currency,
            effectiveAt: now,
            ...{ actor, approvedBy },
            documents: { invoiceExternalId: invoice.external_id, serviceExternalId: externalId },
            lines: [
              debit('loss', owedMinor),
              credit('buyer_receivable', owedMinor, service.buyer_external_id),
            ],
          },
        ]);
        await recordWriteOff({ db, platformId, actor, now }, invoice, owedMinor);
        await writeExamined(db, platformId, externalId, { written_off_at: now });
        if (invoice.defaulted_on === null) return;
        await recordDefaultChanges(db, platformId, [
          {
            buyerExternalId: invoice.buyer_external_id,
            invoiceExternalId: invoice.external_id,
            sourceId: externalId,
            kind: 'WRITTEN_OFF',
            changedOn: localDayOf(now, await findTimeZone(db, platformId)),
            amountMinor: owedMinor,
            at: now,
          },
        ]);
      },
    };
  },
};

type Locked = Awaited<ReturnType<typeof lockService>>;

/** The amount that the invoice still claims for goods. The fee of the payment term is a separate claim. */
function owedOf(service: ServiceRow, invoice: Locked['invoice']): number {
  if (service.status !== 'DEFAULTED')
    throw new StartRefused(
      `The service ${service.external_id} is ${service.status}: only a DEFAULTED financing can be written off.`,
    );
  if (service.written_off_at !== null)
    throw new StartRefused(`The service ${service.external_id} is already written off.`);
  const { amount_gross, credited_amount, paid_amount, term_fee_gross } = invoice;
  const owed = amount_gross - credited_amount - Math.max(0, paid_amount - term_fee_gross);
  if (owed === 0) throw new StartRefused(`The service ${service.external_id} has nothing to write off.`);
  return owed;
}
