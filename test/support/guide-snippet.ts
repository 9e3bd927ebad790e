/** Runs programs from a guide as printed, on a free port. */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endWithWorker } from './children.ts';
import { freePort } from './free-port.ts';

/** The port in the guides. */
const PRINTED_PORT = '4000';

export interface Snippet {
  /** The language of the guide's code fence; each occurs once. */
  language: string;
  file: string;
  /** The program with its arguments before the file. */
  command: [string, ...string[]];
  /** Compiles the file first, in its folder. */
  build?: [string, ...string[]];
  /** The option that prints the version. Default: `--version` */
  versionOption?: string;
}

export interface RunningSnippet {
  port: number;
  /** Resolves to null until the program listens. */
  send(path: string, request?: RequestInit): Promise<Response | null>;
  stop(): void;
}

/** Whether the machine has the language of the snippet. Tests skip it otherwise, because the project requires only Node. */
export function isHere({ command, build, versionOption = '--version' }: Snippet): boolean {
  try {
    execFileSync((build ?? command)[0], [versionOption], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Starts the snippet of that language with the settings as environment variables. */
export async function runSnippet(
  guide: string,
  { language, file, command: [program, ...args], build }: Snippet,
  settings: Record<string, string>,
): Promise<RunningSnippet> {
  const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(guide) ?? [];
  if (!code.includes(PRINTED_PORT))
    throw new Error(`The guide has no ${language} snippet that listens on ${PRINTED_PORT}.`);
  const port = await freePort();
  const onPort = (text: string) => text.replaceAll(PRINTED_PORT, `${port}`);
  const folder = mkdtempSync(join(tmpdir(), 'tradeline-guide-'));
  writeFileSync(join(folder, file), onPort(code));
  // A compiler keeps its cache in the home folder.
  const { PATH, HOME } = process.env;
  if (build) execFileSync(build[0], build.slice(1), { cwd: folder, env: { PATH, HOME }, stdio: 'ignore' });
  const running = endWithWorker(
    spawn(program, [...args.map(onPort), join(folder, file)], {
      cwd: folder,
      env: { PATH, ...settings },
      stdio: 'ignore',
    }),
  );
  return {
    port,
    send: (path, request) => fetch(`http://127.0.0.1:${port}${path}`, request).catch(() => null),
    stop() {
      running.kill('SIGKILL');
      rmSync(folder, { recursive: true });
    },
  };
}
