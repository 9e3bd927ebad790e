/** Services on invoices, and the columns of the invoice that reflect them. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { inlineOnCluster } from '#infra/database/one-node';
import { assignmentsOf, jsonb, namesOf, type RowOf, table, text } from '#infra/database/table';
import { unnestRows } from '#infra/database/unnest-rows';
import type { Currency } from '#kernel/currency';
import type { ServiceRequirement, TaxCategory } from './service.schemas.ts';
import type { ServiceStatus, ServiceTrigger, ServiceType } from './service-status.rules.ts';

export const servicesTable = table('invoice_services', {
  platform_id: 'int',
  external_id: 'text',
  invoice_external_id: 'text',
  buyer_external_id: 'text',
  merchant_external_id: 'text',
  service_type: text<ServiceType>(),
  status: text<ServiceStatus>(),
  version: 'int',
  currency: text<Currency>(),
  created_at: 'bigint',
  updated_at: 'bigint',
  terms_accepted_at: 'bigint',
  requested_payout_at: 'bigint',
  requirements: jsonb<ServiceRequirement[]>(),
  base_amount: 'bigint',
  fee_net: 'bigint',
  fee_tax: 'bigint',
  fee_gross: 'bigint',
  fee_tax_category: text<TaxCategory | null>(),
  fee_tax_basis_points: 'int',
  set_off_amount: 'bigint',
  advance_amount: 'bigint',
  credit_amount: 'bigint',
  accepted_at: 'bigint',
  paid_out_at: 'bigint',
  written_off_at: 'bigint',
  examine_at: 'bigint',
  review_file_id: 'uuid',
  approved_file_id: 'uuid',
});

export type ServiceRow = RowOf<typeof servicesTable>;

/** The columns that a request sets once. */
const REQUESTED = [
  'external_id',
  'invoice_external_id',
  'buyer_external_id',
  'merchant_external_id',
  'service_type',
  'currency',
  'created_at',
  'terms_accepted_at',
  'requested_payout_at',
] as const;

/** The columns that a change can set besides status and version. */
const CHANGEABLE = [
  'requirements',
  'base_amount',
  'fee_net',
  'fee_tax',
  'fee_tax_category',
  'fee_tax_basis_points',
  'set_off_amount',
  'advance_amount',
  'credit_amount',
  'accepted_at',
  'paid_out_at',
  'written_off_at',
  'examine_at',
  'review_file_id',
  'approved_file_id',
] as const;

export type ServiceChanges = Partial<Pick<ServiceRow, (typeof CHANGEABLE)[number]>>;
export type NewService = Pick<ServiceRow, (typeof REQUESTED)[number]> & ServiceChanges;

export interface ServiceKey {
  platformId: number;
  externalId: string;
}

/** One transition, with the service after it. */
export interface ServiceStep {
  service: ServiceRow;
  from: ServiceStatus | null;
  trigger: ServiceTrigger;
}

/** A service after its transitions. The database computes `fee_gross`. */
export interface TransitionedService {
  service: ServiceRow;
  /** In order: a new service can be requested and decided in one statement. */
  steps: readonly ServiceStep[];
  isNew: boolean;
  /** The change in the number of active services of the invoice. */
  activeChange: number;
  /** Whether the platform owns the claim of the invoice after the transition; null if the transition does not change that. */
  isFinanced: boolean | null;
}

const WRITTEN = [...REQUESTED, 'status', 'version', 'updated_at', ...CHANGEABLE] as const;

const unnestWritten = unnestRows<TransitionedService>('t', {
  ...servicesTable.listOf(({ service }: TransitionedService) => service, ...WRITTEN),
  is_new: ['boolean', 'isNew'],
  active_change: ['int', 'activeChange'],
  is_financed: ['boolean', 'isFinanced'],
});

const unnestSteps = unnestRows<ServiceStep>('h', {
  ...servicesTable.listOf(
    ({ service }: ServiceStep) => service,
    'external_id',
    'version',
    'status',
    'updated_at',
  ),
  from_status: ['text', 'from'],
  trigger: ['text', 'trigger'],
});

interface Authorship {
  actor: string;
  approvedBy?: string | null;
  reason: string | null;
}

const FINANCING: ServiceType = 'FINANCING';
const INSURANCE: ServiceType = 'INSURANCE';
const COLLECTION: ServiceType = 'COLLECTION';

/** Inserts new services and updates locked ones, with their history and the columns of their invoices, in one statement. */
export async function writeServices(
  db: Db,
  platformId: number,
  services: readonly TransitionedService[],
  { actor, approvedBy = null, reason }: Authorship,
): Promise<ServiceRow[]> {
  const { rows } = await sql<ServiceRow>`
    with input as ${inlineOnCluster(db)} (
      select * from ${unnestWritten(services)}
    ), inserted as (
      insert into invoice_services (platform_id, ${namesOf(WRITTEN)})
      select ${platformId}::int, ${namesOf(WRITTEN)} from input where is_new order by external_id
      returning *
    ), changed as (
      update invoice_services s set ${assignmentsOf(['status', 'version', 'updated_at', ...CHANGEABLE], 'i')}
      from input i
      where s.platform_id = ${platformId} and s.external_id = i.external_id and not i.is_new
      returning s.*
    ), written as (
      select * from inserted union all select * from changed
    ), history as (
      insert into invoice_service_transitions (platform_id, external_id, version, from_status, to_status, trigger,
        transitioned_at, actor, approved_by, reason)
      select ${platformId}::int, external_id, version, from_status, status, trigger, updated_at, ${actor}, ${approvedBy},
        ${reason}
      from ${unnestSteps(services.flatMap(({ steps }) => steps))}
    ), shown as (
      select w.invoice_external_id, sum(i.active_change)::int as active_change,
        max(w.status) filter (where w.service_type = ${FINANCING}) as financing_status,
        max(w.status) filter (where w.service_type = ${INSURANCE}) as insurance_status,
        max(w.status) filter (where w.service_type = ${COLLECTION}) as collection_status,
        bool_or(i.is_financed) filter (where w.service_type = ${FINANCING}) as is_financed
      from written w join input i on i.external_id = w.external_id
      group by w.invoice_external_id
    ), invoices as (
      update invoices v set active_services = v.active_services + s.active_change,
        financing_status = coalesce(s.financing_status, v.financing_status),
        insurance_status = coalesce(s.insurance_status, v.insurance_status),
        collection_status = coalesce(s.collection_status, v.collection_status),
        is_financed = coalesce(s.is_financed, v.is_financed)
      from shown s where v.platform_id = ${platformId} and v.external_id = s.invoice_external_id
    )
    select ${servicesTable.of('w')} from written w order by external_id`.execute(db);
  return rows;
}

/** Writes the result of an examination, which keeps the status and the version. */
export async function writeExamined(
  db: Db,
  platformId: number,
  externalId: string,
  changes: ServiceChanges,
): Promise<ServiceRow> {
  return db
    .updateTable('invoice_services')
    .set(servicesTable.updateable(changes))
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .returning(servicesTable.columns)
    .$castTo<ServiceRow>()
    .executeTakeFirstOrThrow();
}

/** Returns undefined for an unknown service. */
export async function findService(
  db: Db,
  { platformId, externalId }: ServiceKey,
): Promise<ServiceRow | undefined> {
  return db
    .selectFrom('invoice_services')
    .select(servicesTable.columns)
    .where('platform_id', '=', platformId)
    .where('external_id', '=', externalId)
    .$castTo<ServiceRow>()
    .executeTakeFirst();
}

/** Locks services in the order of their keys. Unknown ones are missing. Lock facilities, orders and invoices first. */
export async function lockServices(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<ServiceRow[]> {
  return servicesWith(db, platformId, 'external_id', externalIds)
    .orderBy('external_id')
    .forNoKeyUpdate()
    .execute();
}

/** Returns services in the order of their keys. Unknown ones are missing. */
export async function listServices(
  db: Db,
  platformId: number,
  externalIds: readonly string[],
): Promise<ServiceRow[]> {
  return servicesWith(db, platformId, 'external_id', externalIds).orderBy('external_id').execute();
}

/** The services of invoices, oldest first. */
export async function listServicesOfInvoices(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
  { type }: { type?: ServiceType | undefined } = {},
): Promise<ServiceRow[]> {
  return servicesWith(db, platformId, 'invoice_external_id', invoiceExternalIds)
    .$if(type !== undefined, (query) => query.where('service_type', '=', type as ServiceType))
    .orderBy('ordinal')
    .execute();
}

/** Locks the services of these invoices that have one of the statuses, in the order of their keys. */
export async function lockServicesOfInvoices(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
  statuses: readonly ServiceStatus[],
): Promise<ServiceRow[]> {
  return servicesWith(db, platformId, 'invoice_external_id', invoiceExternalIds)
    .where(sql<boolean>`status = any(${statuses}::text[])`)
    .orderBy('external_id')
    .forNoKeyUpdate()
    .execute();
}

function servicesWith(
  db: Db,
  platformId: number,
  column: 'external_id' | 'invoice_external_id',
  values: readonly string[],
) {
  return db
    .selectFrom('invoice_services')
    .select(servicesTable.columns)
    .where('platform_id', '=', platformId)
    .where(sql<boolean>`${sql.ref(column)} = any(${values}::text[])`)
    .$castTo<ServiceRow>();
}
