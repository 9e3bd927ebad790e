/** The logins of an operator's own PostgreSQL: tried before anything is done with them, so that what is wrong is one sentence. */
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { SERVICE_ROLE } from './database.ts';

export interface DatabaseLogins {
  owner: pg.ClientConfig;
  service: pg.ClientConfig;
}

const SERVER_VERSION_MIN = 150_000;
const CONNECT_TIMEOUT_MS = 5_000;

/** Two processes may start on a new server at once. */
const EXISTS_ALREADY = new Set(['42710', '23505']);

/**
 * Answers how to connect to the operator's PostgreSQL, once both logins work on a version we know and the service's one
 * may act as the service's role. The role is made and granted where the owner may do that.
 */
export async function openLogins(
  databaseUrl: string,
  databaseOwnerUrl: string | null,
): Promise<DatabaseLogins> {
  const ownerSetting = databaseOwnerUrl === null ? 'DATABASE_URL' : 'DATABASE_OWNER_URL';
  const logins = {
    owner: { connectionString: databaseOwnerUrl ?? databaseUrl },
    service: { connectionString: actingAs(SERVICE_ROLE, databaseUrl) },
  };
  await withClient(ownerSetting, logins.owner, async (owner) => {
    await assertVersion(owner, ownerSetting);
    await ensureServiceRole(owner, ownerSetting);
    await withClient('DATABASE_URL', { connectionString: databaseUrl }, (service) =>
      ensureMember(service, owner),
    );
  });
  return logins;
}

/** In the URL and not beside it: pg lets an `options` of the URL win over one given beside. */
function actingAs(role: string, url: string): string {
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
    // The reason names host and port or the login, never the password.
    throw new StartRefused(`${setting} leads to no database that lets us in: ${reasonOf(error)}.`, {
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
    throw new StartRefused(`${setting} leads to PostgreSQL ${server.version}; Tradeline needs 15 or later.`);
}

async function ensureServiceRole(owner: pg.Client, setting: string): Promise<void> {
  const { rows } = await owner.query('select from pg_roles where rolname = $1', [SERVICE_ROLE]);
  if (rows.length > 0) return;
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

// Trying is the one test that holds for every version: since 16 a member may lack the right to act as its role.
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

/** On one line. A name that has several addresses fails with one error for each. */
function reasonOf(error: unknown): string {
  const errors: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors
    .map((each) => (each as Error).message.trim().replaceAll(/\s+/g, ' ').replace(/\.$/, ''))
    .join(', ');
}
