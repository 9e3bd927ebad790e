import { type PostgresLocations, SOCKET_PORT } from './locations.ts';

/** The settings of every start: they are code, not a file of the cluster. */
export function postgresArguments(
  locations: PostgresLocations,
  socketFolder: string,
  settings: Record<string, string>,
): string[] {
  const all: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // PostgreSQL parses a list: quoted, because a path may contain a comma.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    max_connections: '100',
    // With the default of 128 MB, a search over the indexes of two million rows took 1.5 times as long.
    shared_buffers: '256MB',
    // A machine that announces huge pages without having free ones kills the process.
    huge_pages: 'off',
    // The packaged build has no lz4, and pglz costs a large import a sixth of its time.
    wal_compression: 'off',
    // Statistics of changed tables are collected at this interval. Without any, the rows of a platform look as few as those of
    // one key, and plans of a new installation read them all to find one. With the default of a minute, a benched invoice
    // took twice the processor time.
    autovacuum_naptime: '5s',
    // With the default of 1 GB, a night with 100,000 due invoices made checkpoints all the time: the slowest requests took 2.2 to
    // 3.3 times as long as before it, and take 1.6 to 1.7 times as long with this (bench `fall-due`).
    max_wal_size: '4GB',
    // Every commit waits while a new segment is filled with zeros, which happens constantly under load in a new installation: while 100,000
    // invoices fell due, the slowest requests took 3 times as long as before, and take 1.1 times as long with this (bench `fall-due`).
    wal_init_zero: 'off',
    // Compiling a plan takes longer than our short statements.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service logs its errors with the request. Here they would fill the disk, and their details and statements
    // contain values that must not be logged.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_error_verbosity: 'terse',
    ...settings,
  };
  return [
    '-D',
    locations.cluster,
    ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
