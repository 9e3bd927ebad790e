/**
 * The program, loaded once. It runs one command after the other as if each were a separate process, but much faster. It listens on a socket
 * for requests of the `npx` of `guide-shell.ts`: the folder, the number of arguments, the arguments and the environment, each ended by a
 * NUL. It writes the output of the command to the files `out` and `err` in the folder `$RESIDENT_ANSWER`, and answers with the exit code.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const [main, socket] = process.argv.slice(2) as [string, string];

let count = 0;
async function run(request: string): Promise<number> {
  const [cwd = '', argumentCount, ...others] = request.split('\0').slice(0, -1);
  const environment = others.splice(Number(argumentCount));
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const pair of environment) {
    const at = pair.indexOf('=');
    process.env[pair.slice(0, at)] = pair.slice(at + 1);
  }
  process.chdir(cwd);
  process.argv = [process.execPath, main, ...others];
  process.exitCode = undefined;
  const printed = { out: '', err: '' };
  const streams = { out: process.stdout, err: process.stderr };
  const writes = { out: process.stdout.write, err: process.stderr.write };
  for (const name of ['out', 'err'] as const)
    streams[name].write = ((chunk: string | Uint8Array) => {
      printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
      return true;
    }) as typeof process.stdout.write;
  try {
    // The query makes it another module, so that it runs again while its imports stay loaded.
    await import(`${pathToFileURL(main).href}?${++count}`);
  } finally {
    for (const name of ['out', 'err'] as const) streams[name].write = writes[name];
  }
  const folder = process.env.RESIDENT_ANSWER as string;
  for (const name of ['out', 'err'] as const) writeFileSync(join(folder, name), printed[name]);
  return Number(process.exitCode ?? 0);
}

let last: Promise<unknown> = Promise.resolve();
createServer((request, response) => {
  const turn = last.then(async () => run(await text(request)));
  last = turn.catch(() => {});
  turn.then(
    (code) => response.end(`${code}`),
    (error: Error) => response.writeHead(500).end(`${error.stack}`),
  );
}).listen(socket);
