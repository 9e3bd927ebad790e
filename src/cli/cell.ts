/** `tradeline cell`: the number of this database among those that platforms move between. */
import { CELL_MAX, findCell, setCell } from '#infra/database/cell.queries';
import { withOwnerConnection } from '#infra/database/owner-connection';
import { StartRefused } from '#kernel/start-refused';
import { readArguments, WrongUsage } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { withInstallation } from './installation.ts';
import { printDone } from './result.ts';

export const cellCommand = commandWithoutVerbs(async (args) => {
  const { values, positionals } = readArguments({ args, allowPositionals: true });
  const [word, ...more] = positionals;
  const wanted = word === undefined ? null : Number(word);
  const isNumber = wanted === null || (/^\d{1,4}$/.test(word ?? '') && wanted <= CELL_MAX);
  if (!isNumber || more.length > 0)
    throw new WrongUsage(`Name one cell: a whole number from 0 to ${CELL_MAX}.`);
  await withInstallation(({ owner }) =>
    withOwnerConnection(owner, async ({ db }) => {
      const cell = await findCell(db);
      if (wanted !== null && cell !== null && cell !== wanted)
        throw new StartRefused(`This database is cell ${cell}, and its number cannot be changed.`);
      if (wanted !== null && cell === null)
        await db.transaction().execute((within) => setCell(within, wanted));
      const known = wanted ?? cell;
      printDone(
        values.json,
        { cell: known },
        known === null
          ? 'This database has no cell number: set one with `tradeline cell NUMBER`.'
          : `This database is cell ${known}.`,
      );
    }),
  );
});
