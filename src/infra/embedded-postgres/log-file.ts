/** PostgreSQL's log: a file in the data folder. */
import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { giveToOwnerOf } from './data-folder.ts';

const LOG_BYTES_MAX = 10 * 1024 * 1024;
const READ_BYTES_MAX = 256 * 1024;

export interface OpenLog {
  descriptor: number;
  /** The offset at which this run's lines start. */
  startByte: number;
}

/** Opens the log for a child to append to. Rotates a log above the size limit first, and keeps one old file. */
export function openLog({ logFile }: { logFile: string }): OpenLog {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_BYTES_MAX) renameSync(logFile, `${logFile}.1`);
  const descriptor = openSync(logFile, 'a', 0o600);
  giveToOwnerOf(dirname(logFile), logFile);
  return { descriptor, startByte: fstatSync(descriptor).size };
}

/**
 * The first failure in the lines from `startByte` on, without time and pid; empty if there is none. Later failures are
 * consequences of the first.
 */
export function firstFailure(logFile: string, startByte: number): string {
  const descriptor = openSync(logFile, 'r');
  try {
    const lines = Buffer.alloc(READ_BYTES_MAX);
    const bytesRead = readSync(descriptor, lines, 0, READ_BYTES_MAX, startByte);
    const text = lines.toString('utf8', 0, bytesRead);
    // initdb's message about a user without a name has no level. Rejected clients are not a cause.
    const failures = text.match(/^.*(PANIC|FATAL|error|initdb): (?!the database system is ).*$/gm) ?? [];
    return (failures[0] ?? '').replace(/^.*?(PANIC|FATAL|error|initdb): +(error: )?/, '');
  } finally {
    closeSync(descriptor);
  }
}
