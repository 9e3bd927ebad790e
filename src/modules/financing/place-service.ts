/**
 * Services that are requested through the API. Locks, requests, acceptances, ledger and events are one transaction. Requests of one
 * caller that arrive in the same second share a transaction; each has its own outcome.
 */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import { gathered } from '#infra/database/gather';
import { inTransaction } from '#infra/database/transaction';
import { notFound, orProblem, Problem, refusal } from '#kernel/problem';
import { type InvoiceRow, lockToSettle } from '#modules/invoices';
import { findPayoutDateCheck, type PayoutDateCheck } from '#modules/payouts';
import {
  draftService,
  isActiveService,
  type ServiceDraft,
  type ServiceRow,
  type ServiceStatus,
  type ServiceType,
} from '#modules/services';
import { assertVisible } from '#operation/caller';
import type { ChangeContext, Context } from '#operation/operation';
import { examineRequests, type LockedService } from './examine-services.ts';

export interface RequestedService {
  context: Pick<Context, 'platformId' | 'caller' | 'actor' | 'now'>;
  invoiceExternalId: string;
  type: ServiceType;
  /** Unix seconds. */
  termsAcceptedAt: number;
  /** When the merchant wants the money, in unix seconds; null for as soon as possible. */
  payoutAt: number | null;
}

async function placeServices(db: Db, requests: RequestedService[]): Promise<(ServiceRow | Problem)[]> {
  if (db.isTransaction) return requestAll(db, requests);
  return inTransaction(db, (transaction) => requestAll(transaction, requests));
}

/**
 * Requests a service and examines it. Returns it, or the problem that refused the request. Two requests for one invoice never share a
 * transaction: the second would not see the changes of the first.
 */
export const placeService = gathered(placeServices, {
  groupOf: ({ context: { platformId, actor, now } }) => `${platformId}/${now}/${actor}`,
  keysOf: ({ invoiceExternalId }) => [invoiceExternalId],
});

async function requestAll(db: Db, requests: readonly RequestedService[]): Promise<(ServiceRow | Problem)[]> {
  const { platformId, actor, now } = (requests[0] as RequestedService).context;
  const context = { db, platformId, actor, now };
  const invoices = await lockToSettle(
    context,
    requests.map(({ invoiceExternalId }) => invoiceExternalId),
  );
  const isDated = requests.some(({ payoutAt }) => payoutAt !== null);
  const refusalOfDate = isDated ? await findPayoutDateCheck(context) : () => null;
  const drafted = requests.map((request) =>
    orProblem(() => draftOf(context, request, invoices.get(request.invoiceExternalId), refusalOfDate)),
  );
  const drafts = drafted.filter((draft): draft is DraftedService => !(draft instanceof Problem));
  const examined = await examineRequests(context, drafts);
  return drafted.map((draft) =>
    draft instanceof Problem ? draft : (examined[drafts.indexOf(draft)] as ServiceRow),
  );
}

interface DraftedService extends LockedService {
  service: ServiceDraft;
}

function draftOf(
  context: ChangeContext,
  { context: { caller }, type, termsAcceptedAt, payoutAt }: RequestedService,
  invoice: InvoiceRow | undefined,
  refusalOfDate: PayoutDateCheck,
): DraftedService {
  if (!invoice) throw notFound();
  assertVisible(invoice, caller);
  const problem = payoutAt === null ? null : refusalOfDate(invoice.currency, payoutAt);
  if (problem) throw problem;
  assertNoneActive(invoice, type);
  const service = draftService(context, {
    external_id: randomUUID(),
    invoice_external_id: invoice.external_id,
    buyer_external_id: invoice.buyer_external_id,
    merchant_external_id: invoice.merchant_external_id,
    service_type: type,
    currency: invoice.currency,
    created_at: context.now,
    terms_accepted_at: termsAcceptedAt,
    requested_payout_at: payoutAt,
    examine_at: context.now,
  });
  return { service, invoice };
}

function assertNoneActive(invoice: InvoiceRow, type: ServiceType): void {
  const status = {
    FINANCING: invoice.financing_status,
    INSURANCE: invoice.insurance_status,
    COLLECTION: invoice.collection_status,
  }[type] as ServiceStatus | null;
  if (status === null || !isActiveService(status)) return;
  throw refusal('INVOICE_HAS_ACTIVE_SERVICE', 'The invoice has an active service of this type', {
    service_type: type,
  });
}
