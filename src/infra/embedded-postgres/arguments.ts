import { type PostgresLocations, SOCKET_PORT } from './locations.ts';

/** What we set for every start, so that the configuration lies here and not in a file of the cluster. */
export function postgresArguments(
  locations: PostgresLocations,
  socketFolder: string,
  settings: Record<string, string>,
): string[] {
  const all: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // A list in PostgreSQL's eyes: quoted, a path may hold a comma.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    max_connections: '100',
    // The indexes of a register of two million companies are felt at 128 MB: a search took half as long again.
    shared_buffers: '256MB',
    // A machine that promises huge pages and has none to give kills the process.
    huge_pages: 'off',
    // The packaged build has no lz4, and pglz costs an import of a register a sixth of its time.
    wal_compression: 'off',
    // Compiling a plan costs more than our short statements take.
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The service logs the errors it meets, with the request; here they would only fill the disk, and their details
    // and statements carry values that belong in no log.
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
