/** The back office of the marketplace: the actions of its operators, each change by two of them. */
import type { Db } from '#infra/database/database';
import { inTransaction } from '#infra/database/transaction';
import { bookTransactions, importBankFile, listQueue, matchByOperator } from '#modules/banking';
import { checkEquations } from '#modules/ledger';
import { approveChange, auditKeyOf, type ChangeKind, recordAudit, requestChange } from '#modules/operators';
import {
  confirmPayouts,
  findPayoutFile,
  listForRelease,
  openPayoutFile,
  payoutRelease,
  retryPayout,
  writePayoutFiles,
} from '#modules/payouts';
import { equationsOf } from '../../src/cli/equations.ts';
import { contextOf } from '../../src/cli/operation-context.ts';
import { actAs } from './operators.ts';
import type { FilesFolder } from './registry-files.ts';
import type { World } from './world.ts';

/** A change that one operator proposes and another approves, each with an audit entry, like the commands. */
export async function changeByTwo<Payload extends object>(
  world: World,
  kind: ChangeKind<Payload>,
  payload: Payload,
  now: number,
): Promise<void> {
  const as = { role: kind.role, now };
  const auditKey = auditKeyOf(world.installation.vault, world.platform);
  const { approvalId } = await actAs(
    world,
    `${kind.role.toLowerCase()}-1`,
    async (context) => {
      const made = await requestChange(context, kind, payload, 'As agreed.');
      await recordAudit(context, auditKey, made.audit);
      return made;
    },
    as,
  );
  const approval = { approvalId: approvalId as string, reason: 'Compared with the documents.' };
  await actAs(
    world,
    `${kind.role.toLowerCase()}-2`,
    async (context) => recordAudit(context, auditKey, (await approveChange(context, [kind], approval)).audit),
    as,
  );
}

/** A file that was written for the bank. */
export interface FileForBank {
  scheme: string;
  content: string;
}

/** Releases all payouts whose day has come, writes their files, and lets the banks outside the euro pay immediately. */
export async function payOut(world: World, day: string, now: number): Promise<FileForBank[]> {
  const due = await world.get(`/v1/payouts?status=SCHEDULED&scheduled_on=..${day}&limit=100`);
  const ids: string[] = due.body.items.map(({ external_id }: { external_id: string }) => external_id);
  if (ids.length === 0) return [];
  const { db } = world.installation;
  const { platform_id: platformId } = world.platform;
  const payouts = await listForRelease({ db, platformId }, ids);
  await changeByTwo(world, payoutRelease, { payouts }, now);
  return actAs(
    world,
    'ada',
    async (context) => {
      const files: FileForBank[] = [];
      for (const { external_id, scheme } of await writePayoutFiles(context)) {
        const stored = await findPayoutFile(context.db, platformId, external_id);
        if (!stored) throw new Error(`The file ${external_id} is not stored.`);
        files.push({ scheme, content: openPayoutFile(context.vault, stored).toString() });
      }
      const foreign = due.body.items.filter(({ currency }: { currency: string }) => currency !== 'EUR');
      await confirmPayouts(
        context,
        foreign.map(({ external_id }: { external_id: string }) => external_id),
      );
      return files;
    },
    { role: 'FINANCE', now },
  );
}

/** Schedules every failed payout again. */
export async function payAgain(world: World, now: number): Promise<void> {
  const failed = await world.get('/v1/payouts?status=FAILED');
  await actAs(
    world,
    'ada',
    async (context) => {
      for (const { external_id } of failed.body.items)
        await retryPayout(context, external_id, { reason: 'The account is open again.' });
    },
    { role: 'FINANCE', now },
  );
}

/** Imports a bank file and books its content. */
export async function importFile(
  world: World,
  folder: FilesFolder,
  text: string,
  now: number,
): Promise<void> {
  const { db } = world.installation;
  const contextIn = contextsOf(world, now);
  const path = folder.write('from-the-bank.xml', text);
  await inTransaction(db, (within) =>
    importBankFile(contextIn(within), { path, bytesMax: 1_000_000, onProgress: () => {} }),
  );
  await bookTransactions(db, contextIn);
}

/** An operator matches the only queued money of this amount with an invoice. */
export async function matchQueued(world: World, amount: number, invoice: string, now: number): Promise<void> {
  await inTransaction(world.installation.db, async (db) => {
    const context = contextsOf(world, now)(db);
    const [queued, ...others] = (await listQueue(context, { countMax: 10 })).filter(
      (each) => each.amount === amount,
    );
    if (!queued || others.length > 0) throw new Error(`${others.length + 1} in the queue are ${amount}.`);
    const invoices = [{ externalId: invoice, amountMinor: null }];
    await matchByOperator(
      context,
      queued.transaction_id,
      () => ({ kind: 'INVOICES', invoices }),
      'We asked.',
    );
  });
}

const contextsOf =
  ({ installation: { vault }, platform }: World, now: number) =>
  (db: Db) =>
    contextOf({ db, vault }, { platform, actor: 'operator:ada', now });

/** The findings of `tradeline ledger verify`. */
export async function verifyLedger(world: World): Promise<string[]> {
  const { installation, platform } = world;
  const equations = equationsOf({ ...installation, platform });
  const now = { at: null, knownAt: null };
  const results = await checkEquations(installation.db, platform.platform_id, equations, now);
  return results.flatMap(({ code, differences }) => differences.map((each) => `${code}: ${each}`));
}
