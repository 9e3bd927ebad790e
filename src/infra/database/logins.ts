/** The logins to an operator's PostgreSQL, checked at the start so that every fault is one sentence. */
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { SERVICE_ROLE } from './database.ts';
import { notSetUp } from './migrate.ts';

export interface DatabaseLogins {
  owner: pg.ClientConfig;
  service: pg.ClientConfig;
}

const SERVER_VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** SQLSTATE of a role that exists: another process may have created it at the same moment. */
const EXISTS_ALREADY = new Set(['42710', '23505']);

/**
 * Checks the logins to the operator's PostgreSQL and returns how to connect: the server's version, and that the service
 * may act as SERVICE_ROLE. Creates and grants the role if the owner may, unless `mayCreateRole` is false. Throws
 * StartRefused.
 */
export async function openLogins(
  databaseUrl: string,
  databaseOwnerUrl: string | null,
  { mayCreateRole = true } = {},
): Promise<DatabaseLogins> {
  const ownerSetting = databaseOwnerUrl === null ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  const logins = {
    owner: { connectionString: databaseOwnerUrl ?? databaseUrl },
    service: { connectionString: urlWithRole(SERVICE_ROLE, databaseUrl) },
  };
  await withClient(ownerSetting, logins.owner, async (owner) => {
    await assertVersion(owner, ownerSetting);
    await ensureServiceRole(owner, ownerSetting, mayCreateRole);
    await withClient('DATABASE_URL', { connectionString: databaseUrl }, (service) =>
      ensureMember(service, owner),
    );
  });
  return logins;
}

/** Adds the role to the URL's own `options`, which take precedence over those in pg's configuration. */
function urlWithRole(role: string, url: string): string {
  const [address, query = ''] = url.split('?', 2) as [string, string?];
  const parameters = new URLSearchParams(query);
  parameters.set('options', [parameters.get('options') ?? '', `-c role=${role}`].join(' ').trim());
  return `${address}?${parameters}`;
}

async function withClient(
  setting: string,
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    // The message names host and port, or the login. It never contains the password.
    throw new StartRefused(`Cannot connect to the database of ${setting}: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function assertVersion(owner: pg.Client, setting: string): Promise<void> {
  const { rows } = await owner.query<{ version: string; number: number }>(
    "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
  );
  const [server] = rows;
  if (server && server.number < SERVER_VERSION_MIN)
    throw new StartRefused(`${setting} is PostgreSQL ${server.version}; Tradeline needs 15 or later.`);
}

async function ensureServiceRole(owner: pg.Client, setting: string, mayCreate: boolean): Promise<void> {
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [SERVICE_ROLE]);
  if (rows.length > 0) return;
  if (!mayCreate) throw notSetUp();
  try {
    await owner.query(`create role ${SERVICE_ROLE} nologin`);
  } catch (error) {
    if (EXISTS_ALREADY.has((error as pg.DatabaseError).code ?? '')) return;
    throw new StartRefused(
      `The login of ${setting} may not create the role ${SERVICE_ROLE} that the service acts as (${reasonOf(error)}): ` +
        `let an administrator run \`create role ${SERVICE_ROLE} nologin\` and grant it to the login of DATABASE_URL.`,
      { cause: error },
    );
  }
}

// Only an attempt shows it in every version: since PostgreSQL 16 a member may lack the right to act as its role.
async function ensureMember(service: pg.Client, owner: pg.Client): Promise<void> {
  const actAsService = () => service.query(`set role ${SERVICE_ROLE}`);
  try {
    await actAsService().catch(async () => {
      await owner.query(`grant ${SERVICE_ROLE} to ${pg.escapeIdentifier(service.user ?? '')}`);
      await actAsService();
    });
  } catch (error) {
    throw new StartRefused(
      `The login ${service.user} of DATABASE_URL may not act as ${SERVICE_ROLE} (${reasonOf(error)}): ` +
        `let an administrator run \`grant ${SERVICE_ROLE} to ${pg.escapeIdentifier(service.user ?? '')}\`.`,
      { cause: error },
    );
  }
}

/** One line. A host name with several addresses fails with an AggregateError of one error per address. */
function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors
    .map((each) => (each as Error).message.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
    .join(', ');
}
