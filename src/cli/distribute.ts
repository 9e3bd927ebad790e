/** `tradeline distribute` */
import {
  describeCluster,
  distribute,
  listPlacedTables,
  onCluster,
  type PlacedTable,
} from '#infra/database/citus';
import { openLogins } from '#infra/database/logins';
import { assertMigrated } from '#infra/database/migrate';
import { StartRefused } from '#kernel/start-refused';
import { readArguments } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { describeData, readCommandSettings } from './data-of-command.ts';
import { printDone, printResult } from './result.ts';
import { printTable } from './table.ts';

export const distributeCommand = commandWithoutVerbs(async (args) => {
  const { values } = readArguments({ args, options: { check: { type: 'boolean', default: false } } });
  const settings = readCommandSettings();
  const { databaseUrl, databaseOwnerUrl, databaseDirectUrl } = settings;
  if (databaseUrl === null)
    throw new StartRefused(
      'The data is in the embedded PostgreSQL, which is one machine: set DATABASE_URL to the coordinator of a cluster.',
    );
  const urls = { databaseUrl, databaseOwnerUrl, databaseDirectUrl };
  const report = values.json ? () => {} : console.log;
  const { owner } = await openLogins(urls, { mayCreateRole: false, report });
  await assertMigrated(owner);
  await onCluster(owner, async (client, cluster) => {
    if (values.check) return printPlaces(values.json, await listPlacedTables(client));
    const placed = await distribute(client, report);
    const sentence = placed.length === 0 ? 'Each table was at its place' : `Moved ${placed.length} tables`;
    printDone(
      values.json,
      { placed },
      `${sentence}: ${describeCluster(cluster)}, ${describeData(settings)}.`,
    );
  });
});

/** Exit code 1 if a table is not where it goes, so that a script can ask. */
function printPlaces(isJson: boolean, tables: PlacedTable[]): void {
  const isPlaced = ({ goesTo, isAt }: PlacedTable) => goesTo === isAt;
  const shown = tables.map(({ name, goesTo, isAt }) => ({ table: name, goes_to: goesTo, is_at: isAt }));
  printResult(isJson, shown, () => printTable(shown, ''));
  if (!tables.every(isPlaced)) process.exitCode = 1;
}
