/** Writes the files that instruct a bank: one for each scheme, currency and day. Each file is stored once and never rewritten. */
import { createHash, randomUUID } from 'node:crypto';
import { nextBusinessDay } from '#kernel/business-day';
import { localDayOf } from '#kernel/local-day';
import { StartRefused } from '#kernel/start-refused';
import { findMerchants } from '#modules/merchants';
import { lockInstructionsOfPayouts, openPayoutDetails } from '#modules/payees';
import { findTimeZone } from '#modules/platforms';
import type { ChangeContext, Context } from '#operation/operation';
import { findCalendars } from './business-calendars.ts';
import { findDebtor } from './debtor.ts';
import { lockPayoutsAndAccounts } from './lock-payouts.ts';
import type { PayoutRow } from './payout.queries.ts';
import {
  insertPayoutFile,
  listUnfiledPayouts,
  messageIdOf,
  type PayoutFileRow,
  sealFile,
} from './payout-file.queries.ts';
import { printTransferFile, SEPA_AMOUNT_MAX, type Transfer } from './transfer-file.rules.ts';

type FileContext = ChangeContext & Pick<Context, 'vault'>;

/** A file without its bytes. */
export type WrittenFile = Omit<PayoutFileRow, 'content_sealed'>;

/**
 * Writes files of all released payouts that are not in a file. Throws StartRefused, and writes nothing, if an account was replaced
 * after the release or an amount exceeds the scheme's maximum. Also throws what `findDebtor` throws.
 */
export async function writePayoutFiles(context: FileContext): Promise<WrittenFile[]> {
  const { db, platformId, now } = context;
  const found = await listUnfiledPayouts(db, platformId);
  const locked = await lockPayoutsAndAccounts(
    context,
    found.map(({ external_id }) => external_id),
  );
  const unfiled = locked.filter(
    ({ status, file_external_id }) => status === 'INSTRUCTED' && file_external_id === null,
  );
  if (unfiled.length === 0) return [];
  const debtor = await findDebtor(context, unfiled);
  const transfers = await transfersOf(context, unfiled);
  const calendarOf = await findCalendars(db, platformId);
  const today = localDayOf(now, await findTimeZone(db, platformId));
  // A file that is written late names a future day.
  const executionOf = ({ currency, scheduled_on }: PayoutRow) =>
    nextBusinessDay(calendarOf(currency), scheduled_on < today ? today : scheduled_on);
  const files = Map.groupBy(unfiled, (payout) =>
    [payout.scheme, payout.currency, executionOf(payout)].join(' '),
  );
  const written: WrittenFile[] = [];
  for (const payouts of files.values()) {
    const [first] = payouts as [PayoutRow];
    const externalId = randomUUID();
    const content = Buffer.from(
      printTransferFile({
        fileId: messageIdOf(externalId),
        scheme: first.scheme,
        currency: first.currency,
        executionOn: executionOf(first),
        createdAt: now,
        debtor,
        transfers: payouts.map(({ external_id }) => transfers.get(external_id) as Transfer),
      }),
    );
    written.push(await store(context, payouts, { externalId, content, executionOn: executionOf(first) }));
  }
  return written;
}

async function store(
  { db, platformId, vault, actor, now }: FileContext,
  payouts: readonly PayoutRow[],
  { externalId, content, executionOn }: { externalId: string; content: Buffer; executionOn: string },
): Promise<WrittenFile> {
  const [first] = payouts as [PayoutRow];
  const file: WrittenFile = {
    platform_id: platformId,
    external_id: externalId,
    scheme: first.scheme,
    currency: first.currency,
    execution_on: executionOn,
    payouts_count: payouts.length,
    amount: payouts.reduce((sum, { amount }) => sum + amount, 0),
    created_at: now,
    created_by: actor,
    sha256: createHash('sha256').update(content).digest(),
  };
  await insertPayoutFile(
    db,
    { ...file, content_sealed: sealFile(vault, externalId, content) },
    payouts.map(({ external_id }) => external_id),
  );
  return file;
}

async function transfersOf(
  { db, platformId, vault }: FileContext,
  payouts: readonly PayoutRow[],
): Promise<Map<string, Transfer>> {
  const instructions = await lockInstructionsOfPayouts(
    db,
    platformId,
    payouts.map(({ payout_instruction_external_id }) => payout_instruction_external_id),
  );
  const merchants = await findMerchants(
    db,
    payouts.map(({ merchant_external_id: externalId }) => ({ platformId, externalId })),
  );
  return new Map(
    payouts.map((payout, index) => {
      const { external_id: id, end_to_end_id: endToEndId, amount } = payout;
      const instruction = instructions.find(
        (each) => each.external_id === payout.payout_instruction_external_id,
      );
      if (instruction?.status !== 'VERIFIED' || instruction.version !== payout.instruction_version)
        throw new StartRefused(
          `The account of the payout ${id} was replaced after its release: let it fail with tradeline payout fail, and schedule it again.`,
        );
      if (payout.scheme === 'SEPA' && amount > SEPA_AMOUNT_MAX)
        throw new StartRefused(
          `The payout ${id} is above the maximum of a SEPA transfer, 999,999,999.99 EUR.`,
        );
      const address = merchants[index]?.business_address as Transfer['address'];
      const details = openPayoutDetails(vault, instruction);
      return [id, { endToEndId, amountMinor: amount, details, address, reference: id }];
    }),
  );
}
