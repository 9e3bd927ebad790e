/** The command line: `tradeline <command>`. */
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { VERSION } from '#infra/version';
import { COMMANDS, exitCodeOf, sentenceOfRefusal } from './cli/commands.ts';
import { commandHelp, generalHelp } from './cli/help.ts';

const isHelp = (argument: string) => argument === '--help' || argument === '-h';

async function main([name = 'help', ...args]: string[]): Promise<void> {
  endWithReader(name);
  if (name === '--version') return console.log(VERSION);
  if (name === 'help' || isHelp(name)) return printHelp(args[0]);
  if (args.some(isHelp)) return printHelp(name);
  const known = commandNamed(name);
  if (known === undefined) return refuseCommand(name);
  endWithLauncher();
  try {
    const run = await COMMANDS[known]();
    await run(args);
  } catch (error) {
    const sentence = sentenceOfRefusal(error);
    const code = exitCodeOf(error);
    if (sentence === undefined) console.error(error);
    else process.stderr.write(`${sentence}\n${code === 2 ? `See \`tradeline help ${known}\`.\n` : ''}`);
    process.exitCode = code;
  }
}

function printHelp(of: string | undefined): void {
  const known = of === undefined ? undefined : commandNamed(of);
  if (known !== undefined) process.stdout.write(commandHelp(known));
  else if (of === undefined || /^(help|--help|-h)$/.test(of)) process.stdout.write(generalHelp());
  else refuseCommand(of);
}

function refuseCommand(name: string): void {
  process.stderr.write(`There is no command ${JSON.stringify(name)}: see \`tradeline help\`.\n`);
  process.exitCode = 2;
}

const commandNamed = (name: string) =>
  Object.hasOwn(COMMANDS, name) ? (name as keyof typeof COMMANDS) : undefined;

/** If bin/tradeline.js started this process through another Node, a kill -9 of that process ends this one too. */
function endWithLauncher(): void {
  if (!process.channel) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
  process.channel.unref();
}

/** 128 and the number of SIGPIPE: what a shell reports for a program whose output has no reader any more. */
const READER_ENDED = 141;

/** Ends a command with the reader of its output, as in `tradeline events tail | head`. The service continues without a reader. */
function endWithReader(name: string): void {
  process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') {
      process.stderr.write(`Standard output cannot be written: ${message}.\n`);
      process.exit(1);
    }
    if (name !== 'serve') process.exit(READER_ENDED);
  });
  process.stderr.on('error', () => name !== 'serve' && process.exit(1));
}

// Saves a third of the work of the next start. Caches nothing without write access.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/tradeline', import.meta.url)));
await main(process.argv.slice(2));
