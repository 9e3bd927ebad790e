/** `tradeline migrate` */
import { readOptions } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { describeData, readCommandSettings } from './data-of-command.ts';

export const migrateCommand = commandWithoutVerbs(async (args) => {
  const { values } = readOptions({ args, options: { check: { type: 'boolean', default: false } } });
  const settings = readCommandSettings();
  const { listNext, openInstallation } = await import('../installation.ts');
  const options = { report: console.log, mayAttach: true };
  if (values.check) {
    const next = await listNext(settings, { ...options, mustExist: true });
    for (const { name, goesOn } of next)
      console.log(`${name}: the running version ${goesOn ? 'continues to work' : 'must be stopped'}`);
    if (next.some(({ goesOn }) => !goesOn)) process.exitCode = 1;
    if (next.length > 0) return;
  } else {
    const installation = await openInstallation(settings, options);
    await installation.close();
  }
  console.log(`Up to date: ${describeData(settings)}.`);
});
