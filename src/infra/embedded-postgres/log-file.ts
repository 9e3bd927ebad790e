/** PostgreSQL's own log: a file in the data folder, never the terminal. */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwnerOf } from './data-folder.ts';

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const READ_BYTES_MAX = 256 * 1024;

export interface OpenLog {
  descriptor: number;
  /** Where this run's lines start. */
  startByte: number;
}

/** Opens the log for a child to append to; a log that has grown over its cap is set aside first, one generation of it. */
export function openLog({ logFile }: { logFile: string }): OpenLog {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const descriptor = openSync(logFile, 'a', 0o600);
  giveToOwnerOf(dirname(logFile), logFile);
  return { descriptor, startByte: fstatSync(descriptor).size };
}

/**
 * Why the run whose lines start at `startByte` failed: its first line of failure, without time and pid, because the
 * later ones only follow from it. Empty when there is none.
 */
export function firstFailure(logFile: string, startByte: number): string {
  const descriptor = openSync(logFile, 'r');
  try {
    const lines = Buffer.alloc(READ_BYTES_MAX);
    const bytesRead = readSync(descriptor, lines, 0, READ_BYTES_MAX, startByte);
    const text = lines.toString('utf8', 0, bytesRead);
    // The last word of initdb on a user it cannot name has no level. Clients turned away tell nothing of the cause.
    const failures = text.match(/^.*(PANIC|FATAL|error|initdb): (?!the database system is ).*$/gm) ?? [];
    return (failures[0] ?? '').replace(/^.*?(PANIC|FATAL|error|initdb): +(error: )?/, '');
  } finally {
    closeSync(descriptor);
  }
}
