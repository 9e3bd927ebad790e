/** Lives through the months of an invented past and writes it: decisions, ledger entries, paid invoices and defaults. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#infra/database/database';
import { DAY_SECONDS, monthsLater } from '#kernel/day';
import {
  findPayingBehaviour,
  type NewEntry,
  postEntries,
  recordDefaultChanges,
  recordDefaults,
  recordPaidInvoices,
} from '#modules/facilities';
import { type ComparedPolicy, insertDecisions } from '#modules/underwriting';
import { behaviourInputs } from '../../src/modules/underwriting/paying-behaviour.rules.ts';
import { evaluatePolicy } from '../../src/modules/underwriting/policy/evaluate-policy.ts';
import { ORDINARY } from '../../src/modules/underwriting/policy/sample-inputs.ts';
import type { PolicyInputs } from '../../src/modules/underwriting/policy.schemas.ts';
import { type Debtor, entry, liveOn, nothing, type Writes } from './debtors.ts';
import { chanceFrom, inventLife } from './invented-lives.ts';

export interface PastRequest {
  db: Db;
  platformId: number;
  policy: ComparedPolicy;
  lives: number;
  seed: number;
  /** Unix seconds; the past ends here. */
  now: number;
  months: number;
}

/** The number of rows per statement. Each statement has a facility at most once. */
const BATCH_SIZE = 250;
const DECIDED_AT_ONCE = 8;
const MONTHS_BETWEEN_DECISIONS = 3;
/** As for facilities: a period of 90 days, and 14 days in which it is renewed. */
const LIMIT_DAYS = 104;
const LIMIT_POLICY = { overdueGraceDays: 7, defaultMaterialityAmountMinor: 10_000 };

/** Returns the number of written decisions and invoices. */
export async function inventLives(
  request: PastRequest,
  progress: (month: number) => void,
): Promise<{ decisions: number; invoices: number }> {
  const { db, platformId, lives, now, months } = request;
  const chance = chanceFrom(request.seed);
  const debtors = Array.from({ length: lives }, (_, nth): Debtor => {
    const life = inventLife(chance, nth + 1);
    return { ...life, limitMinor: 0, limitEndsAt: 0, usedMinor: 0, unpaid: new Set(), coming: [] };
  });
  await insertDebtors(db, platformId, debtors, monthsLater(now, -months));
  const written = { decisions: 0, invoices: 0 };
  for (let month = 0; month < months; month++) {
    progress(month + 1);
    const from = monthsLater(now, month - months);
    const writes = nothing();
    await decideAll(request, debtors, month, from, writes);
    for (const debtor of debtors) liveOn(chance, debtor, platformId, month, from, writes);
    await write(db, platformId, writes);
    written.decisions += writes.decisions.length;
    written.invoices += writes.entries.filter(({ cause }) => cause === 'INVOICE_FINANCED').length;
  }
  return written;
}

/** Buyers with an empty facility: the first decision gives it a limit. */
async function insertDebtors(
  db: Db,
  platformId: number,
  debtors: readonly Debtor[],
  at: number,
): Promise<void> {
  const ids = debtors.map(({ buyerExternalId }) => buyerExternalId);
  await sql`
    insert into buyers (platform_id, external_id, created_at, updated_at, legal_name, legal_form, business_identifiers,
      business_address)
    select ${platformId}::int, id, ${at}::bigint, ${at}::bigint, 'Life ' || id, 'LIMITED_COMPANY', '[]',
      '{"country":"DE"}' from unnest(${ids}::text[]) id`.execute(db);
  await sql`
    insert into facilities (platform_id, buyer_external_id, status, created_at, updated_at, currency, expires_at)
    select ${platformId}::int, id, 'ACTIVE', ${at}::bigint, ${at}::bigint, 'EUR', 4102444800 from unnest(${ids}::text[]) id`.execute(
    db,
  );
}

async function decideAll(
  request: PastRequest,
  debtors: readonly Debtor[],
  month: number,
  from: number,
  writes: Writes,
): Promise<void> {
  const due = debtors.filter(
    ({ begins }) => month >= begins && (month - begins) % MONTHS_BETWEEN_DECISIONS === 0,
  );
  const waiting = due[Symbol.iterator]();
  const lane = async () => {
    for (const debtor of waiting)
      await decide(request, debtor, month, from + debtor.day * DAY_SECONDS, writes);
  };
  await Promise.all(Array.from({ length: DECIDED_AT_ONCE }, lane));
}

async function decide(
  { db, platformId, policy }: PastRequest,
  debtor: Debtor,
  month: number,
  at: number,
  writes: Writes,
): Promise<void> {
  const isFirst = month === debtor.begins;
  // Without a limit a buyer has no renewal.
  if (!isFirst && debtor.limitMinor === 0) return;
  const { buyerExternalId } = debtor;
  const question = { at, currency: 'EUR', timeZone: 'UTC', limitPolicy: LIMIT_POLICY } as const;
  const behaviour = await findPayingBehaviour(db, { platformId, buyerExternalId }, question);
  const inputs = inputsOf(debtor, isFirst, month, at, behaviourInputs(behaviour, unitsOf));
  const { outcome, limit, risk_band, price_class, reasons, buyer_reasons } = await evaluatePolicy(
    policy,
    inputs,
    { isTraced: false },
  );
  const limitMinor = outcome === 'ACCEPT' ? (limit as number) * 100 : null;
  const decisionId = randomUUID();
  writes.decisions.push({
    platform_id: platformId,
    decision_id: decisionId,
    subject: inputs.subject,
    buyer_external_id: buyerExternalId,
    order_external_id: null,
    service_external_id: null,
    outcome,
    currency: 'EUR',
    limit_minor: limitMinor,
    requested_minor: null,
    risk_band,
    price_class,
    reasons,
    buyer_reasons,
    policy_version: 1,
    inputs,
    sources: [],
    rules_fired: [],
    script: null,
    assessed_ms: null,
    overrides: null,
    comment: null,
    actor: 'bench',
    approved_by: null,
    decided_at: at,
  });
  if (limitMinor === null) return;
  const totalChange = limitMinor - debtor.limitMinor;
  debtor.limitMinor = limitMinor;
  debtor.limitEndsAt = at + LIMIT_DAYS * DAY_SECONDS;
  if (totalChange !== 0)
    writes.entries.push(
      entry(platformId, debtor, {
        cause: isFirst ? 'LIMIT_GRANTED' : 'RENEWED',
        totalChange,
        decisionId,
        at,
      }),
    );
}

function inputsOf(
  { company, limitMinor, usedMinor, unpaid }: Debtor,
  isFirst: boolean,
  month: number,
  at: number,
  behaviour: Partial<PolicyInputs>,
): PolicyInputs {
  const overdue = [...unpaid].filter(({ dueAt }) => dueAt + DAY_SECONDS < at);
  return {
    ...ORDINARY,
    ...company,
    subject: isFirst ? 'FACILITY_CREATION' : 'FACILITY_RENEWAL',
    months_on_platform: month,
    existing_limit: limitMinor === 0 ? null : unitsOf(limitMinor),
    existing_exposure: unitsOf(usedMinor),
    days_past_due_max: Math.max(0, ...overdue.map(({ dueAt }) => Math.floor((at - dueAt) / DAY_SECONDS) - 1)),
    overdue_amount: unitsOf(overdue.reduce((sum, { amountMinor }) => sum + amountMinor, 0)),
    ...behaviour,
  };
}

const unitsOf = (minor: number | bigint) => Number((BigInt(minor) + 99n) / 100n);

async function write(db: Db, platformId: number, writes: Writes): Promise<void> {
  for (const part of chunks(writes.decisions)) await insertDecisions(db, part);
  for (const part of turns(writes.entries)) {
    const posted = await postEntries(db, part);
    const refused = part.find((_, index) => !posted[index]?.isPosted);
    if (refused) throw new Error(`The ledger refused ${JSON.stringify(refused)}.`);
  }
  for (const part of chunks(writes.paid)) await recordPaidInvoices(db, platformId, part);
  for (const part of chunks(writes.defaults)) await recordDefaults(db, platformId, part);
  for (const part of chunks(writes.changes)) await recordDefaultChanges(db, platformId, part);
}

function* chunks<T>(items: readonly T[]): Generator<T[]> {
  for (let at = 0; at < items.length; at += BATCH_SIZE) yield items.slice(at, at + BATCH_SIZE);
}

/** Batches in which each facility has one entry, in the order of its entries. */
function* turns(entries: readonly NewEntry[]): Generator<NewEntry[]> {
  const ofBuyers = Map.groupBy(
    entries.toSorted((a, b) => a.at - b.at),
    ({ buyerExternalId }) => buyerExternalId,
  );
  const most = Math.max(0, ...[...ofBuyers.values()].map(({ length }) => length));
  for (let nth = 0; nth < most; nth++)
    yield* chunks([...ofBuyers.values()].flatMap((each) => each[nth] ?? []));
}
