/** Examines waiting services: requests again when something changes, and financed invoices for default or settlement. */
import { inTransaction } from '#infra/database/transaction';
import { dueColumn } from '#infra/time/due-column.queries';
import type { Due, DueSource } from '#infra/time/due-transitions';
import { DAY_SECONDS, dayLater } from '#kernel/day';
import { endOfLocalDay } from '#kernel/local-day';
import { type FacilityRow, lockFacility, setFreeze } from '#modules/facilities';
import { type InvoiceRow, lockToSettle, unpausedOf } from '#modules/invoices';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import {
  listServices,
  lockServices,
  requestServices,
  type ServiceChanges,
  type ServiceDraft,
  type ServiceRow,
  transitionServices,
  writeExamined,
} from '#modules/services';
import { lockReviewsOfServices } from '#modules/underwriting';
import type { ChangeContext } from '#operation/operation';
import { type AcceptableFinancing, acceptFinancings } from './accept-financing.ts';
import { type Examination, examine, type ServiceFacts } from './requirements.rules.ts';
import { changeReviews, type ReviewNeed } from './review-financing.ts';
import { readServiceFacts } from './service-facts.ts';

const REVIEW_DAYS_MAX = 30;
const EXAMINED_EVERY_DAYS = 1;
/** All services that wait for an account are due when it is verified. The batch is as large as that of invoices that fall due. */
const TOGETHER_MAX = 20;

/** Services that are to be examined. */
export const serviceExaminations: DueSource<unknown, 'service'> = {
  ...dueColumn({
    table: 'invoice_services',
    column: 'examine_at',
    key: 'external_id',
    resource: 'service',
    trigger: 'examine',
  }),
  togetherMax: TOGETHER_MAX,
  async make(db, platformId, due) {
    const [{ dueAt: now }] = due as [Due];
    const examined = await inTransaction(db, (transaction) =>
      examineDue(
        { db: transaction, platformId, actor: 'service', now },
        due.map(({ externalId }) => externalId),
      ),
    );
    return examined.map((externalId) => ({
      dueAt: now,
      resource: 'service',
      externalId,
      trigger: 'examine',
    }));
  },
};

/**
 * Examines those of the services that are still due. Returns the examinations in order: paid-out services first, because a default
 * freezes a facility that requests wait for. Each round examines one service per invoice, so that the next service sees the changes of
 * the one before. A later round can make an already examined service due again.
 */
async function examineDue(context: ChangeContext, externalIds: readonly string[]): Promise<string[]> {
  const locked = await lockServicesWithInvoices(context, externalIds);
  const due = locked.filter(
    ({ service: { examine_at } }) => examine_at !== null && examine_at <= context.now,
  );
  if (due.length === 0) return [];
  const round = due.filter(({ invoice }, at) => due.findIndex((each) => each.invoice === invoice) === at);
  const requests = round.filter(({ service }) => service.status === 'IN_REVIEW');
  const others = round.filter(({ service }) => service.status !== 'IN_REVIEW');
  for (const { service, invoice } of others)
    if (service.status === 'PAID_OUT') await examinePaidOut(context, service, invoice);
    else await writeExamined(context.db, context.platformId, service.external_id, { examine_at: null });
  if (requests.length > 0) await examineRequests(context, requests);
  const examined = [...others, ...requests].map(({ service }) => service.external_id);
  if (round.length === locked.length) return examined;
  return [...examined, ...(await examineDue(context, externalIds))];
}

/** A service, or a draft of one, and its invoice, both locked. */
export interface LockedService {
  service: ServiceRow;
  invoice: InvoiceRow;
}

/** Locks existing services, and before them their reviews, the facilities, the orders and the invoices. */
async function lockServicesWithInvoices(
  context: ChangeContext,
  externalIds: readonly string[],
): Promise<LockedService[]> {
  const { db, platformId } = context;
  const found = await listServices(db, platformId, externalIds);
  const reviewed = found.filter(({ review_file_id }) => review_file_id !== null);
  if (reviewed.length > 0)
    await lockReviewsOfServices(
      context,
      reviewed.map(({ external_id }) => external_id),
    );
  const invoiceIds = [...new Set(found.map(({ invoice_external_id }) => invoice_external_id))];
  const invoices = await lockToSettle(context, invoiceIds);
  const services = await lockServices(db, platformId, externalIds);
  return services.map((service) => ({
    service,
    invoice: invoices.get(service.invoice_external_id) as InvoiceRow,
  }));
}

/** Locks one existing service like `lockServicesWithInvoices`. */
export async function lockService(context: ChangeContext, externalId: string): Promise<LockedService> {
  const [locked] = await lockServicesWithInvoices(context, [externalId]);
  return locked as LockedService;
}

/** Examines one locked service in review. */
export async function examineRequest(context: ChangeContext, locked: LockedService): Promise<ServiceRow> {
  const [examined] = await examineRequests(context, [locked]);
  return examined as ServiceRow;
}

/**
 * Examines locked services in review and drafts, each of a different invoice. Accepts services whose requirements are met, refuses
 * those that are hopeless or have waited for 30 days, and otherwise stores what is missing. Only financing is accepted automatically.
 * Returns the services in the same order.
 */
export async function examineRequests(
  context: ChangeContext,
  locked: readonly LockedService[],
): Promise<ServiceRow[]> {
  const questions = locked.map(({ service, invoice }) => ({
    type: service.service_type,
    invoice,
    approvedFileId: service.approved_file_id,
  }));
  const examinations = examineInTurn(await readServiceFacts(context, questions));
  const acceptable: AcceptableFinancing[] = [];
  const ending: (ServiceRow & { changes: ServiceChanges })[] = [];
  const waiting: (ServiceRow & { changes: ServiceChanges })[] = [];
  const reviews: ReviewNeed[] = [];
  for (const [index, { service }] of locked.entries()) {
    const { facts, examination } = examinations[index] as Examined;
    const { requirements, isHopeless, baseMinor, fee } = examination;
    const endsAt = service.created_at + REVIEW_DAYS_MAX * DAY_SECONDS;
    const isEnding = isHopeless || context.now >= endsAt;
    const review = isEnding ? null : examination.review;
    reviews.push({ service, baseMinor, review });
    const reviewed = { review_file_id: review?.fileId ?? null, approved_file_id: service.approved_file_id };
    const found = { requirements, base_amount: baseMinor, ...estimateOf(examination), ...reviewed };
    if (isAcceptable(examination) && fee !== null)
      acceptable.push({ service: { ...service, ...reviewed }, facts, examination: { ...examination, fee } });
    else if (isEnding) ending.push({ ...service, changes: found });
    else {
      const examine_at = Math.min(context.now + EXAMINED_EVERY_DAYS * DAY_SECONDS, endsAt);
      waiting.push({ ...service, changes: { ...found, examine_at } });
    }
  }
  const examined = [
    ...(await acceptFinancings(context, acceptable)),
    ...(await transitionServices(context, ending, 'reject')),
    ...(await requestServices(context, waiting.filter(isDraft))),
  ];
  for (const { external_id, changes } of waiting.filter((service) => !isDraft(service)))
    examined.push(await writeExamined(context.db, context.platformId, external_id, changes));
  await changeReviews(context, reviews);
  const byId = new Map(examined.map((service) => [service.external_id, service]));
  return locked.map(({ service }) => byId.get(service.external_id) as ServiceRow);
}

const isDraft = <Service extends ServiceRow>(service: Service): service is Service & ServiceDraft =>
  'isDraft' in service;

interface Examined {
  facts: ServiceFacts;
  examination: Examination;
}

/** Each examination sees the amount that those before it leave in the facility of its buyer. */
function examineInTurn(all: readonly ServiceFacts[]): Examined[] {
  const takenMinor = new Map<string, number>();
  return all.map((each) => {
    const buyer = each.invoice.buyer_external_id;
    const facts = { ...each, facility: withUse(each.facility, takenMinor.get(buyer) ?? 0) };
    const examination = examine(facts);
    if (isAcceptable(examination))
      takenMinor.set(buyer, (takenMinor.get(buyer) ?? 0) + examination.creditMinor);
    return { facts, examination };
  });
}

function withUse(facility: FacilityRow | null, usedMinor: number): FacilityRow | null {
  if (facility === null) return null;
  const { used_amount, available_amount } = facility;
  return {
    ...facility,
    used_amount: used_amount + usedMinor,
    available_amount: Math.max(0, available_amount - usedMinor),
  };
}

/** Only a financing has a fee. */
const isAcceptable = ({ requirements, fee }: Examination) => requirements.length === 0 && fee !== null;

/** The expected fee and advance, before set-off. */
function estimateOf({ baseMinor, fee }: Examination): Partial<ServiceRow> {
  if (fee === null) return {};
  return { ...fee, advance_amount: Math.max(0, baseMinor - fee.fee_net - fee.fee_tax) };
}

/** Settles a paid-out financing whose invoice was already paid, or marks it as defaulted if the invoice is too long past due. */
async function examinePaidOut(
  context: ChangeContext,
  service: ServiceRow,
  invoice: InvoiceRow,
): Promise<void> {
  const { db, platformId, now } = context;
  if (invoice.outstanding_amount === 0) {
    await transitionServices(context, [service], 'settle');
    return;
  }
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  const lastDay = dayLater(invoice.due_on, platform.financing_default_days);
  const defaultsAt = endOfLocalDay(lastDay, platform.time_zone);
  // What is disputed as a whole does not count as overdue.
  if (invoice.status === 'DUE' && defaultsAt <= now && unpausedOf(invoice) > 0) {
    await defaultFinancing(context, service);
    return;
  }
  await writeExamined(db, platformId, service.external_id, {
    examine_at: Math.max(defaultsAt, now + EXAMINED_EVERY_DAYS * DAY_SECONDS),
  });
}

/** The buyer of a defaulted financing gets no further credit until two operators unfreeze its facility. */
export async function defaultFinancing(context: ChangeContext, service: ServiceRow): Promise<ServiceRow> {
  const { db, platformId } = context;
  const facility = await lockFacility(db, { platformId, buyerExternalId: service.buyer_external_id });
  const [defaulted] = await transitionServices(context, [service], 'default');
  const reason = `The financing of invoice ${service.invoice_external_id} defaulted.`;
  if (facility?.status === 'ACTIVE') await setFreeze(context, facility, 'freeze', reason);
  return defaulted as ServiceRow;
}
