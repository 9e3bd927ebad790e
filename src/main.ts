/** The command line: `tradeline <command>`. */
import { StartRefused } from '#kernel/start-refused';

const USAGE = `Usage: tradeline <command>

  serve [--empty]                 start the service; --empty starts without the demo story
  migrate                         bring the database to this version's schema, and end
  platform create --code … --name … --country … --currency …
                                  create a platform and print its first API key, once
  platform list                   list the platforms
  key create --platform … [--name …] [--scopes read,orders:write] [--merchant …] [--expires-in-days …]
                                  issue another API key and print it, once
  key list --platform …           list the keys of a platform
  key rotate --platform … --key … [--overlap-hours 24]
                                  issue a successor; the old key works until the overlap is over
  key revoke --platform … --key … end a key; in effect within 5 seconds
  registry import FILE [--format gleif|companies-house|csv] [--refused report.csv] [--again]
                                  read a public register's file; the same command goes on where it stopped
  registry status                 count the companies, and list the imports
  openapi                         print the API description

Settings are environment variables: see config.default.env.
`;

// Loaded when asked for: a second start on a folder in use must be refused before anything heavy is read.
const COMMANDS: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  serve: () => import('./cli/serve.ts'),
  migrate: () => import('./cli/migrate.ts'),
  platform: () => import('./cli/platform.ts'),
  key: () => import('./cli/key.ts'),
  registry: () => import('./cli/registry.ts'),
  openapi: () => import('./cli/openapi.ts'),
};

async function main([name = '', ...args]: string[]): Promise<void> {
  const command = COMMANDS[name];
  if (!command) {
    process.stdout.write(USAGE);
    process.exitCode = name === '' || name === 'help' || name === '--help' ? 0 : 2;
    return;
  }
  try {
    await (await command()).run(args);
  } catch (error) {
    if (error instanceof StartRefused) process.stderr.write(`${error.message}\n`);
    // parseArgs says in one sentence what is wrong with an option.
    else if ((error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS'))
      process.stderr.write(`${(error as Error).message}\n`);
    else console.error(error);
    process.exitCode = 1;
  }
}

await main(process.argv.slice(2));
