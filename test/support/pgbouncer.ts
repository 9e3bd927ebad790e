/** A PgBouncer in transaction mode, if one is installed. */
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import { endWithWorker } from './children.ts';
import { freePort } from './free-port.ts';
import type { OwnPostgres } from './own-postgres.ts';
import { temporaryFolder } from './program.ts';
import { until } from './until.ts';

/** Debian's package installs it outside a user's PATH. */
const PATH = [process.env.PATH, '/usr/sbin'].join(':');

const version = /^PgBouncer (\d+)\.(\d+)/.exec(
  spawnSync('pgbouncer', ['--version'], { env: { PATH }, encoding: 'utf8' }).stdout ?? '',
);

export const hasPgBouncer = version !== null;
if (!hasPgBouncer) console.log('There is no pgbouncer on the PATH: what needs one is skipped.');

/** Supported since 1.21, if configured. */
export const keepsStatements = version !== null && (Number(version[1]) > 1 || Number(version[2]) >= 21);

export interface PgBouncer {
  url(login: string, database: string): string;
  stop(): Promise<void>;
}

/** Pools a number of connections of a login to a database. */
export async function startPgBouncer(
  postgres: OwnPostgres,
  { login, password, database }: { login: string; password: string; database: string },
  connections: number,
): Promise<PgBouncer> {
  const { uid, gid } = statSync(postgres.cluster);
  const folder = temporaryFolder({ uid, gid });
  const port = await freePort();
  const { host, port: socketPort } = postgres.socket;
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    chownSync(join(folder, name), uid, gid);
    return join(folder, name);
  };
  const target = `host=${host} port=${socketPort} dbname=${database} user=${login} password='${password}'`;
  const config = file(
    'pgbouncer.ini',
    `[databases]
${database} = ${target}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${file('users.txt', `"${login}" ""\n"console" ""\n`)}
admin_users = console
pool_mode = transaction
default_pool_size = ${connections}
${keepsStatements ? 'max_prepared_statements = 2000' : ''}
`,
  );
  const child = endWithWorker(
    spawn('pgbouncer', [config], { uid, gid, env: { PATH }, stdio: ['ignore', 'ignore', 'pipe'] }),
  );
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended: ${said}`);
    return accepts(port);
  });
  const url = (as: string, to: string) => `postgres://${as}@127.0.0.1:${port}/${to}`;
  return {
    url,
    async stop() {
      child.kill('SIGINT');
      await exited;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}
