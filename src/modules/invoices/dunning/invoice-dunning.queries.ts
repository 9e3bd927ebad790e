/** The progress of the reminders of invoices, with their history. The lock of the invoice is the lock of its reminders. */
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { type RowOf, table, text } from '#infra/database/table';
import { arrayOf, unnestRows } from '#infra/database/unnest-rows';
import type { DunningStatus, DunningTrigger } from './dunning.lifecycle.ts';
import type { DunningKind, DunningPause } from './dunning.schemas.ts';

const dunningsTable = table('invoice_dunnings', {
  platform_id: 'int',
  external_id: 'text',
  invoice_external_id: 'text',
  status: text<DunningStatus>(),
  version: 'int',
  updated_at: 'bigint',
  installment: 'int',
  step: 'int',
  kind: text<DunningKind | null>(),
  stepped_at: 'bigint',
  next_at: 'bigint',
  paused_by: text<DunningPause | null>(),
});

/** The reminders of an invoice. */
export type InvoiceDunningRow = RowOf<typeof dunningsTable>;

/** The plan's data of a step. */
export interface PlannedStep {
  /** Days after the due day. */
  days: number;
  isFirm: boolean;
}

/** A transition of the reminders of an invoice. */
export interface DunningTransition {
  /** The reminders after the transition. */
  dunning: InvoiceDunningRow;
  trigger: DunningTrigger;
  from: DunningStatus | null;
  actor: string;
  /** The day of a step in the buyer's time zone; null for other transitions. */
  stepOn: string | null;
  /** Null if no step is taken. */
  planned: PlannedStep | null;
}

const unnestDunnings = unnestRows<InvoiceDunningRow>('t', dunningsTable.list(...dunningsTable.columns));
const unnestTransitions = unnestRows<DunningTransition>('h', {
  ...dunningsTable.listOf<
    DunningTransition,
    | 'platform_id'
    | 'external_id'
    | 'invoice_external_id'
    | 'status'
    | 'version'
    | 'updated_at'
    | 'installment'
    | 'step'
    | 'kind'
    | 'paused_by'
  >(
    ({ dunning }) => dunning,
    'platform_id',
    'external_id',
    'invoice_external_id',
    'status',
    'version',
    'updated_at',
    'installment',
    'step',
    'kind',
    'paused_by',
  ),
  from_status: ['text', 'from'],
  trigger: ['text', 'trigger'],
  actor: ['text', 'actor'],
  step_on: ['text', 'stepOn'],
  days: ['int', ({ planned }) => planned?.days ?? null],
  is_firm: ['boolean', ({ planned }) => planned?.isFirm ?? null],
});

/**
 * Writes the reminders after transitions of locked invoices, each invoice at most once, and their history. `nth` counts the steps with
 * one number: steps of other plans, and the same step only if its mail was withdrawn. A unique index therefore refuses to take a step
 * twice.
 */
export async function writeDunnings(
  db: Db,
  platformId: number,
  dunnings: readonly InvoiceDunningRow[],
  transitions: readonly DunningTransition[],
): Promise<void> {
  await sql`
    insert into invoice_dunnings (platform_id, external_id, invoice_external_id, status, version, updated_at, installment,
      step, kind, stepped_at, next_at, paused_by)
    select t.platform_id, t.external_id, t.invoice_external_id, t.status, t.version, t.updated_at, t.installment,
      t.step, t.kind, t.stepped_at, t.next_at, t.paused_by
    from ${unnestDunnings(dunnings)} where t.platform_id = ${platformId}
    on conflict (platform_id, external_id) do update set status = excluded.status, version = excluded.version,
      updated_at = excluded.updated_at, installment = excluded.installment, step = excluded.step, kind = excluded.kind,
      stepped_at = excluded.stepped_at, next_at = excluded.next_at, paused_by = excluded.paused_by`.execute(
    db,
  );
  if (transitions.length === 0) return;
  await sql`
    insert into invoice_dunning_transitions (platform_id, dunning_external_id, version, from_status, to_status, trigger,
      transitioned_at, actor, invoice_external_id, installment, step, kind, step_on, paused_by, days, is_firm, nth)
    select h.platform_id, h.external_id, h.version, h.from_status, h.status, h.trigger, h.updated_at, h.actor,
      h.invoice_external_id, h.installment, h.step, h.kind, h.step_on, h.paused_by, h.days,
      h.is_firm, 1 + (
        select count(*) from invoice_dunning_transitions t
        where t.platform_id = ${platformId} and t.invoice_external_id = h.invoice_external_id
          and t.installment = h.installment and t.step = h.step and t.trigger = 'step'
          and ((t.kind, t.days, t.is_firm) is distinct from (h.kind, h.days, h.is_firm) or exists (
            select from withdrawn_dunning_steps w
            where w.platform_id = ${platformId} and w.invoice_external_id = t.invoice_external_id
              and w.installment = t.installment and w.step = t.step and w.nth = t.nth
          ))
      )
    from ${unnestTransitions(transitions)} where h.platform_id = ${platformId}`.execute(db);
}

/** A step that was taken for an instalment. */
export interface TakenStep {
  invoice_external_id: string;
  installment: number;
  step: number;
  kind: DunningKind;
  /** Days after the due day, by the plan at that time. Null if the step was taken by a version that did not store it. */
  days: number | null;
  is_firm: boolean | null;
  /** When the step was taken, in unix seconds. `step_on` is the day in the buyer's time zone. */
  transitioned_at: number;
  step_on: string;
}

/** All steps taken for these invoices, in the order in which they were taken. A step whose mail was withdrawn does not count. */
export async function listTakenSteps(
  db: Db,
  platformId: number,
  invoiceExternalIds: readonly string[],
): Promise<TakenStep[]> {
  const { rows } = await sql<TakenStep>`
    select invoice_external_id, installment, step, kind, days, is_firm, transitioned_at, step_on
    from invoice_dunning_transitions t
    where platform_id = ${platformId} and invoice_external_id = any(${arrayOf('text', invoiceExternalIds)})
      and trigger = 'step' and not exists (
        select from withdrawn_dunning_steps w
        where w.platform_id = ${platformId} and w.invoice_external_id = t.invoice_external_id
          and w.installment = t.installment and w.step = t.step and w.nth = t.nth
      )
    order by transitioned_at, installment, step`.execute(db);
  return rows;
}

/** When an invoice is examined next, in unix seconds; null for never. */
export interface NextLook {
  invoiceExternalId: string;
  at: number | null;
}

const unnestLooks = unnestRows<NextLook>('l', {
  external_id: ['text', 'invoiceExternalId'],
  at: ['bigint', 'at'],
});

/** Writes when locked invoices are examined next. */
export async function writeNextLooks(db: Db, platformId: number, looks: readonly NextLook[]): Promise<void> {
  if (looks.length === 0) return;
  await sql`
    update invoices i set dunning_at = l.at
    from ${unnestLooks(looks)}
    where i.platform_id = ${platformId} and i.external_id = l.external_id`.execute(db);
}
