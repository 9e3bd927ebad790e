/** `tradeline distribute` */
import {
  describeCluster,
  distribute,
  listPlacedTables,
  onCluster,
  type PlacedTable,
} from '#infra/database/citus';
import { listStatementKinds, type StatementKind } from '#infra/database/cluster-statements.queries';
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
      'The data is in the embedded PostgreSQL, which runs on one machine: set DATABASE_URL to the coordinator of a cluster.',
    );
  const urls = { databaseUrl, databaseOwnerUrl, databaseDirectUrl };
  const report = values.json ? () => {} : console.log;
  const { owner } = await openLogins(urls, { mayCreateRole: false, report });
  await assertMigrated(owner);
  await onCluster(owner, async (client, cluster) => {
    if (values.check)
      return printPlaces(values.json, await listPlacedTables(client), await listStatementKinds(client));
    const placed = await distribute(client, report);
    const sentence =
      placed.length === 0 ? 'Each table was already in place' : `Moved ${placed.length} tables`;
    printDone(
      values.json,
      { placed },
      `${sentence}: ${describeCluster(cluster)}, ${describeData(settings)}.`,
    );
  });
});

/** Exit code 1 if a table is not at its place, so that a script can check. */
function printPlaces(isJson: boolean, tables: PlacedTable[], statements: StatementKind[] | null): void {
  const shown = {
    tables: tables.map(({ name, goesTo, isAt }) => ({ table: name, goes_to: goesTo, is_at: isAt })),
    statements: statements?.map(({ goesTo, calls, text }) => ({ goes_to: goesTo, calls, text })) ?? null,
  };
  printResult(isJson, shown, () => {
    printTable(shown.tables, '');
    console.log();
    if (statements === null) console.log(NOT_COUNTED);
    else printStatements(statements);
  });
  if (!tables.every(({ goesTo, isAt }) => goesTo === isAt)) process.exitCode = 1;
}

const NOT_COUNTED =
  'It is unknown which statements go to one node: Citus does not count them, or this login may not read its statistics. See docs/citus.md.';

/** The classes of statements, then the most frequent of those without a platform: more nodes do not make them faster. */
function printStatements(statements: StatementKind[]): void {
  const classes = [...Map.groupBy(statements, ({ goesTo }) => goesTo)].map(([goesTo, kinds]) => ({
    statements_go_to: goesTo,
    kinds: `${kinds.length}`,
    calls: `${kinds.reduce((total, { calls }) => total + calls, 0)}`,
  }));
  printTable(classes, 'No statement has been counted yet.', { isRightAligned: true });
  const frequent = statements.filter(({ goesTo }) => goesTo === 'no platform of its own').slice(0, SHOWN_MAX);
  if (frequent.length > 0) console.log('\nNo platform of its own:');
  for (const { calls, text } of frequent)
    console.log(`${`${calls}`.padStart(9)}  ${text.slice(0, TEXT_MAX)}`);
}

const SHOWN_MAX = 40;
const TEXT_MAX = 180;
