/** The roles and the database in the cluster. */
import pg from 'pg';
import type { Login } from './cluster.ts';

export const DATABASE = 'tradeline';

const WRONG_PASSWORD = '28P01';

/**
 * Creates or updates roles and database to what this version needs. Runs at every start, which repairs an interrupted
 * first start and changed roles.
 */
export async function ensureRolesAndDatabase(
  superuser: pg.ClientConfig,
  roles: { owner: Login; service: Login },
): Promise<void> {
  const client = new pg.Client(superuser);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(
      [roles.owner, roles.service].map(ensureRole).join('') +
        // All roles work in tradeline; the other databases are for the superuser.
        'REVOKE ALL ON DATABASE postgres, template1 FROM PUBLIC;',
    );
    await ensureDatabase(client, roles.owner.user);
    await client.query(
      `REVOKE ALL ON DATABASE ${DATABASE} FROM PUBLIC;` +
        `GRANT CONNECT, TEMPORARY ON DATABASE ${DATABASE} TO ${roles.service.user};`,
    );
  } finally {
    await client.end();
  }
}

/** Whether the server accepts connections. Throws if it rejects the password. */
export async function acceptsConnections(superuser: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(superuser);
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    if (isWrongPassword(error)) throw error;
    return false;
  }
}

export function isWrongPassword(error: unknown): boolean {
  return (error as { code?: string }).code === WRONG_PASSWORD;
}

function ensureRole({ user, password }: Login): string {
  return (
    `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${user}') ` +
    `THEN CREATE ROLE ${user}; END IF; END $$;` +
    `ALTER ROLE ${user} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS ` +
    `PASSWORD ${pg.escapeLiteral(password)};`
  );
}

async function ensureDatabase(client: pg.Client, owner: string): Promise<void> {
  const { rows } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
  if (rows.length > 0) return;
  await client.query(`CREATE DATABASE ${DATABASE} OWNER ${owner} TEMPLATE template0`);
}
