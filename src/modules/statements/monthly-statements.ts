/** Mails statements of account after the end of each month, on platforms that send them. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import type { Log } from '#infra/log';
import type { PlatformVault, Vault } from '#infra/secrets/vault';
import type { PlatformClocks } from '#infra/time/platform-clocks';
import type { DocumentBody } from '#infra/typesetting/document-body';
import { dayMonthsLater } from '#kernel/day';
import { localDayOf } from '#kernel/local-day';
import { Problem } from '#kernel/problem';
import { composeMail, findAddressees, insertMails, mailsTo, type NewMailRow } from '#modules/notifications';
import { findPlatform, type PlatformRow } from '#modules/platforms';
import type { BuyerStatement } from './statement.schemas.ts';
import { statementOf } from './statement.ts';
import { statementDocumentOf } from './statement-document.ts';
import { periodOfMonth } from './statement-periods.ts';
import {
  listInvoicedBuyers,
  listStatementPlatforms,
  lockLastRun,
  writeRun,
} from './statement-run.queries.ts';

export interface MonthlyStatementDeps {
  /** The database, not a transaction. */
  db: Db;
  vault: Vault;
  clocks: PlatformClocks;
  log: Log;
  /** The URL of the service, without a trailing slash; empty until it listens. */
  baseUrl(): string;
}

/** The number of buyers per transaction. */
const BATCH_SIZE = 20;

/**
 * Queues the statements of the last ended month on every platform that sends them. Returns the number of mails. The first statements of
 * a platform are for the month in which it begins to send them.
 */
export async function queueMonthlyStatements(deps: MonthlyStatementDeps): Promise<number> {
  let queued = 0;
  for (const platformId of await listStatementPlatforms(deps.db))
    for (let hasMore = true; hasMore; ) {
      const batch = await inTransaction(deps.db, (db) => queueBatch({ ...deps, db }, platformId));
      queued += batch.queued;
      hasMore = batch.hasMore;
    }
  return queued;
}

const NOTHING = { queued: 0, hasMore: false };

async function queueBatch(
  deps: MonthlyStatementDeps,
  platformId: number,
): Promise<{ queued: number; hasMore: boolean }> {
  const { db, clocks } = deps;
  const last = await lockLastRun(db, platformId);
  const platform = (await findPlatform(db, platformId)) as PlatformRow;
  clocks.learn(platformId, platform.clock_ahead_seconds);
  const now = clocks.now(platformId);
  const monthOn = dayMonthsLater(`${localDayOf(now, platform.time_zone).slice(0, 7)}-01`, -1);
  if (last === undefined) {
    await writeRun(db, platformId, { month_on: monthOn, last_buyer_external_id: null, finished_at: now });
    return NOTHING;
  }
  if (last.month_on > monthOn || (last.month_on === monthOn && last.finished_at !== null)) return NOTHING;
  const after = last.month_on === monthOn ? last.last_buyer_external_id : null;
  const buyers = await listInvoicedBuyers(db, platformId, { after, countMax: BATCH_SIZE });
  const mails: NewMailRow[] = [];
  for (const buyer of buyers) mails.push(...(await mailsOf(deps, platform, { buyer, monthOn, now })));
  const written = mails.length === 0 ? [] : await insertMails(db, mails);
  const hasMore = buyers.length === BATCH_SIZE;
  await writeRun(db, platformId, {
    ...{ month_on: monthOn, last_buyer_external_id: buyers.at(-1) ?? after },
    finished_at: hasMore ? null : now,
  });
  return { queued: written.filter(Boolean).length, hasMore };
}

interface Month {
  buyer: string;
  /** The first day of the month. */
  monthOn: string;
}

/** Returns no mail if nothing changed and nothing is owed, or if the buyer has no addressee. */
async function mailsOf(
  { db, vault, log, baseUrl }: MonthlyStatementDeps,
  platform: PlatformRow,
  { buyer, monthOn, now }: Month & { now: number },
): Promise<NewMailRow[]> {
  const { platform_id: platformId, code, data_key_wrapped } = platform;
  const ofPlatform = vault.forPlatform(code, data_key_wrapped);
  const statement = await statementOfMonth(db, platform, { buyer, monthOn }).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error;
    log.warn({ platform_id: platformId }, 'statement too long to be mailed');
    return null;
  });
  const isEmpty = ({ accounts }: BuyerStatement) =>
    accounts.every(({ entries, closing_balance: balance }) => entries.length === 0 && balance === 0);
  if (statement === null || isEmpty(statement)) return [];
  const context = { reads: db, platform, vault: ofPlatform };
  const addressees = await findAddressees(context, { buyerExternalId: buyer });
  if (!addressees) return [];
  const { from, at: until, accounts } = statement;
  const balances = accounts.map(({ currency, closing_balance }) => ({
    currency,
    amountMinor: closing_balance,
  }));
  const mails = mailsTo(addressees, ({ name: recipient }) => ({
    cause: `statement/${buyer}/${monthOn}`,
    kind: 'statement_issued',
    content: { from, until, balances, company: addressees.buyer.legal_name, recipient },
    files: [{ documentId: documentIdOf({ buyer, monthOn }), name: `statement-${monthOn.slice(0, 7)}.pdf` }],
  }));
  const composed = mails.map((mail) =>
    composeMail(vault, platform, { ...mail, now, baseUrl: baseUrl() || null }),
  );
  return (await Promise.all(composed)).flat();
}

function statementOfMonth(db: Db, platform: PlatformRow, { buyer, monthOn }: Month): Promise<BuyerStatement> {
  const { platform_id: platformId, time_zone: timeZone } = platform;
  const context = { db, platformId, timeZone, caller: { merchantExternalId: null } };
  return statementOf(context, buyer, periodOfMonth(monthOn, timeZone));
}

const DOCUMENT_ID = /^statement\/(\d{4}-\d\d-\d\d)\/(.+)$/;
const documentIdOf = ({ buyer, monthOn }: Month) => `statement/${monthOn}/${buyer}`;

/** The statement attached to a mail; null if the id is not that of a statement. Every read returns the same statement. */
export async function findStatementDocument(
  db: Db,
  vault: PlatformVault,
  { platformId, documentId, isSandbox }: { platformId: number; documentId: string; isSandbox: boolean },
): Promise<DocumentBody | null> {
  const [, monthOn, buyer] = DOCUMENT_ID.exec(documentId) ?? [];
  if (monthOn === undefined || buyer === undefined) return null;
  const platform = await findPlatform(db, platformId);
  if (!platform) return null;
  const statement = await statementOfMonth(db, platform, { buyer, monthOn });
  return statementDocumentOf({ db, platformId, vault, isSandbox }, statement);
}
