/**
 * A pooler in transaction mode, such as PgBouncer: a transaction runs on any of its connections. A session of the service cannot set its
 * settings when it begins, so they are stored as settings of the login.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { StartRefused } from '#kernel/start-refused';
import { type Pooler, SERVICE_ROLE } from './database.ts';
import { type NamedUrl, reasonOf, withClient } from './first-connection.ts';
import { type SessionSettings, serviceSettings } from './session-settings.ts';

const STATEMENTS_NOT_KEPT =
  'The pooler of DATABASE_URL keeps no prepared statements, so that PostgreSQL plans each at every run: PgBouncer keeps them from 1.21 on, with max_prepared_statements.';

const POOLER_SETTING = 'DATABASE_URL';
/** With a pooler that has a single connection, the two clients would wait for each other. */
const PROBE_MS_MAX = 1_000;

/**
 * Gives the login its settings and finds out what the pooler supports. Throws StartRefused if the service would run with another login or
 * role.
 */
export async function openPooler(
  databaseUrl: string,
  direct: NamedUrl,
  report: (sentence: string) => void,
): Promise<Pooler> {
  const pooled = { setting: POOLER_SETTING, url: databaseUrl };
  const login = await withClient(direct, { role: 'none' }, setLogin);
  return withClient(pooled, null, async (client) => {
    await assertIsService(client, login, direct);
    const isKept = await withClient(pooled, null, (other) => keepsStatements(client, other));
    if (!isKept) report(STATEMENTS_NOT_KEPT);
    return { keepsStatements: isKept };
  });
}

/** Stores the settings of the service with the login, which each login may do for itself. They apply to later sessions. */
async function setLogin(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ login: string; database: string; settings: string[] }>(`
    select session_user::text as login, current_database()::text as database,
      coalesce((select s.setconfig from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
        join pg_database d on d.oid = s.setdatabase
        where r.rolname = session_user and d.datname = current_database()), '{}') as settings`);
  const { login, database, settings } = rows[0] as (typeof rows)[0];
  const wanted: SessionSettings = { ...serviceSettings(), role: SERVICE_ROLE };
  const who = `${pg.escapeIdentifier(login)} in database ${pg.escapeIdentifier(database)}`;
  for (const [name, value] of Object.entries(wanted))
    if (!settings.includes(`${name}=${value}`))
      await client.query(`alter role ${who} set ${name} = ${pg.escapeLiteral(value)}`);
  return login;
}

async function assertIsService(client: pg.Client, login: string, { setting }: NamedUrl): Promise<void> {
  const { rows } = await client.query<{ login: string; role: string }>(
    'select session_user::text as login, current_user::text as role',
  );
  const [pooled] = rows;
  if (pooled?.login !== login)
    throw new StartRefused(
      `${POOLER_SETTING} logs in as ${pooled?.login} and ${setting} as ${login}: set both to the same login.`,
    );
  if (pooled.role !== SERVICE_ROLE)
    throw new StartRefused(
      `The pooler of ${POOLER_SETTING} has connections that were opened before ${login} had its settings: let it reconnect ` +
        '(`RECONNECT` in the console of PgBouncer), and start Tradeline again.',
    );
}

/** One client prepares a statement on a connection that the other then uses: only a pooler that keeps statements still knows it. */
async function keepsStatements(client: pg.Client, other: pg.Client): Promise<boolean> {
  const name = `tradeline_probe_${randomBytes(8).toString('hex')}`;
  const probe = (of: pg.Client) => of.query({ name, text: 'select 1', values: [] });
  const late = setTimeout(() => other.query('rollback').catch(() => {}), PROBE_MS_MAX);
  try {
    await probe(client);
    await other.query('begin');
    await probe(other);
    await probe(client);
    return true;
  } catch (error) {
    if (/^(26000|42P05)$/.test((error as pg.DatabaseError).code ?? '')) return false;
    throw new StartRefused(`The pooler of ${POOLER_SETTING} does not work: ${reasonOf(error)}.`, {
      cause: error,
    });
  } finally {
    clearTimeout(late);
    await other.query('rollback').catch(() => {});
  }
}
