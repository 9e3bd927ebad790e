/** The logins to an operator's PostgreSQL, checked at the start so that every fault is one sentence. */
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { type Pooler, SERVICE_ROLE } from './database.ts';
import { type NamedUrl, reasonOf, withClient } from './first-connection.ts';
import { notSetUp } from './migrate.ts';
import { openPooler } from './pooler.ts';
import { OWNER_SETTINGS, withSettings } from './session-settings.ts';

export interface DatabaseLogins {
  owner: pg.ClientConfig;
  service: pg.ClientConfig;
  /** A login of the service with its own session, for notifications. */
  listener: pg.ClientConfig;
  /** Null if `service` leads to PostgreSQL itself. */
  pooler: Pooler | null;
}

export interface DatabaseUrls {
  databaseUrl: string;
  databaseOwnerUrl: string | null;
  /** Set if `databaseUrl` leads to a pooler in transaction mode: the URL of the same database and login without the pooler. */
  databaseDirectUrl: string | null;
}

const SERVER_VERSION_MIN = 150_000;

/** SQLSTATE of a role that exists: another process may have created it at the same moment. */
const EXISTS_ALREADY = new Set(['42710', '23505']);

/**
 * Checks the logins to the operator's PostgreSQL (the server's version, and that the service may act as SERVICE_ROLE) and returns how to
 * connect. Creates and grants the role if the owner may, unless `mayCreateRole` is false. Calls `report` with a sentence about each setup
 * that is slower than necessary. Throws StartRefused.
 */
export async function openLogins(
  { databaseUrl, databaseOwnerUrl, databaseDirectUrl }: DatabaseUrls,
  { mayCreateRole, report }: { mayCreateRole: boolean; report: (sentence: string) => void },
): Promise<DatabaseLogins> {
  const direct: NamedUrl =
    databaseDirectUrl === null
      ? { setting: 'DATABASE_URL', url: databaseUrl }
      : { setting: 'DATABASE_DIRECT_URL', url: databaseDirectUrl };
  const owner = databaseOwnerUrl === null ? direct : { setting: 'DATABASE_OWNER_URL', url: databaseOwnerUrl };
  await withClient(owner, AS_LOGIN, async (client) => {
    await assertVersion(client, owner.setting);
    await ensureServiceRole(client, owner.setting, mayCreateRole);
    await withClient(direct, AS_LOGIN, (service) => ensureMember(service, client));
  });
  const own = { connectionString: direct.url };
  return {
    owner: withSettings({ connectionString: owner.url }, OWNER_SETTINGS),
    service: databaseDirectUrl === null ? withSettings(own, AS_SERVICE) : { connectionString: databaseUrl },
    listener: withSettings(own, AS_SERVICE),
    pooler: databaseDirectUrl === null ? null : await openPooler(databaseUrl, direct, report),
  };
}

const AS_SERVICE = { role: SERVICE_ROLE };
/** Overrides the role that the settings of the login name. */
const AS_LOGIN = { role: 'none' };

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

// Only an attempt shows this in every version: since PostgreSQL 16 a member may lack the right to act as its role.
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
