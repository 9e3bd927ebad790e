/** `tradeline platform relocated`: ends the move of a platform to another database. */
import type { RawBuilder } from 'kysely';
import { countRowsSince, listCopiedTables } from '#infra/database/copied-tables.queries';
import type { Db } from '#infra/database/database';
import { withOwnerConnection } from '#infra/database/owner-connection';
import { StartRefused } from '#kernel/start-refused';
import { endRelocation, findPlatform, setPlatformDisabled } from '#modules/platforms';
import { markCompaniesOf } from '#modules/registry';
import { isDeliveryWritten } from '#modules/webhooks';
import { readArguments, WrongUsage } from './arguments.ts';
import { asOperator } from './as-operator.ts';
import { type OnPlatform, onPlatform } from './installation.ts';
import { printDone } from './result.ts';
import { SHARED_TABLES } from './shared-tables.ts';

export const SUBJECT = 'move of the platform';
/** Tables that the move itself changes, or workers that fold the counts of lists. */
const CHANGED_BEHIND = ['platforms', 'list_counts'];
/** For tables that workers also write to: the condition for rows that a request has written. */
const WRITTEN: Record<string, RawBuilder<unknown>> = { webhook_deliveries: isDeliveryWritten };

/**
 * Completes the move, after which this database no longer serves the platform; or gives it up, after which the platform accepts writes
 * again.
 */
export async function relocatedPlatform(args: string[]): Promise<void> {
  const { values, positionals } = readArguments({
    args,
    allowPositionals: true,
    options: { 'given-up': { type: 'boolean', default: false } },
  });
  const [code, ...more] = positionals;
  if (code === undefined || more.length > 0)
    throw new WrongUsage('Name one platform: tradeline platform relocated CODE.');
  const isGivenUp = values['given-up'];
  await onPlatform(code, async (on) => {
    if (on.platform.relocating_since === null)
      throw new StartRefused(
        `${code} is not being moved: export it first with \`tradeline platform export\`.`,
      );
    if (isGivenUp) await giveUp(on);
    else {
      await assertUnwritten(on);
      await asOperator(on, { role: 'ADMIN', isOfRelocation: true }, async ({ db, platformId }) => ({
        answer: await setPlatformDisabled(db, platformId, on.clock.now()),
        audit: { action: 'PLATFORM_RELOCATED', subject: SUBJECT },
      }));
    }
    const isDisabled = (await findPlatform(on.db, on.platform.platform_id))?.disabled_at !== null;
    printDone(
      values.json,
      { code, is_given_up: isGivenUp, is_disabled: isDisabled },
      isGivenUp
        ? `The move of ${code} is cancelled: within 5 seconds the platform accepts writes again${isDisabled ? ' from operators; it stays disabled' : ''}.`
        : `${code} has moved: within 5 seconds its API keys are refused here. Its rows stay until you remove the database.`,
    );
  });
}

/**
 * Throws StartRefused if rows were written after the export, which the other database lacks. A request that began before the export, such
 * as a large upload, may have written them.
 */
async function assertUnwritten({ owner, platform }: OnPlatform): Promise<void> {
  const { code, platform_id: platformId, exported_snapshot: snapshot } = platform;
  const again = `Remove ${code} from the other database, and export it again.`;
  if (snapshot === null) throw new StartRefused(`The export of ${code} has not ended. ${again}`);
  const written = await withOwnerConnection(owner, async ({ db }) => {
    const tables = (await listCopiedTables(db, SHARED_TABLES)).filter(
      ({ name }) => !CHANGED_BEHIND.includes(name),
    );
    return listWritten(db, platformId, { tables: tables.map(({ name }) => ({ table: name })), snapshot });
  });
  if (written !== '')
    throw new StartRefused(`Rows of ${code} were written after its export (${written}). ${again}`);
}

/** The number of rows of each table that were written after the snapshot, as text; empty if there are none. */
export async function listWritten(
  db: Db,
  platformId: number,
  { tables, snapshot }: { tables: readonly { table: string }[]; snapshot: string },
): Promise<string> {
  const written: string[] = [];
  for (const { table: name } of tables) {
    const rows = await countRowsSince(db, { name, condition: WRITTEN[name] }, platformId, snapshot);
    if (rows > 0) written.push(`${rows} of ${name}`);
  }
  return written.join(', ');
}

export async function giveUp(on: OnPlatform): Promise<void> {
  await asOperator(on, { role: 'ADMIN', isOfRelocation: true }, async ({ db, platformId }) => {
    await endRelocation(db, platformId);
    await markCompaniesOf(db, platformId);
    return { answer: undefined, audit: { action: 'PLATFORM_RELOCATION_GIVEN_UP', subject: SUBJECT } };
  });
}
