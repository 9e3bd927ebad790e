/** Processor time and memory of processes, from /proc on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, regardless of the kernel's tick. */
const TICK_US = 10_000;

interface ProcessTimes {
  parent: number;
  ownUs: number;
  /** The time of ended children. */
  endedUs: number;
}

/** Microseconds used so far by the PostgreSQL of this backend; null on systems other than Linux. */
export function postgresCpuUs(backendPid: number): number | null {
  const postmaster = timesOf(backendPid)?.parent;
  if (postmaster === undefined) return null;
  const own = timesOf(postmaster);
  return childrenOf(postmaster)
    .map(timesOf)
    .concat(own)
    .reduce((sum, times) => sum + (times?.ownUs ?? 0), own?.endedUs ?? 0);
}

/** Microseconds used so far by a process; null on systems other than Linux. */
export function processCpuUs(pid: number): number | null {
  return timesOf(pid)?.ownUs ?? null;
}

/** Private memory of all processes of the PostgreSQL of this backend, in bytes; null on systems other than Linux. */
export function postgresPrivateBytes(backendPid: number): number | null {
  const postmaster = timesOf(backendPid)?.parent;
  if (postmaster === undefined) return null;
  return [postmaster, ...childrenOf(postmaster)]
    .map(privateBytes)
    .reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
}

/** Private memory of a process, in bytes; null on systems other than Linux, and if the process has ended. */
export function privateBytes(pid: number): number | null {
  const rollup = readProc(`${pid}/smaps_rollup`);
  if (rollup === undefined) return null;
  const parts = rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm);
  return [...parts].reduce((sum, [, kilobytes]) => sum + Number(kilobytes) * 1_024, 0);
}

const childrenOf = (parent: number) =>
  readdirSync('/proc')
    .flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []))
    .filter((pid) => timesOf(pid)?.parent === parent);

/** proc(5): after the name in brackets come the state, the parent, and as fields 12 to 15 the times. */
function timesOf(pid: number): ProcessTimes | undefined {
  const stat = readProc(`${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const us = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * TICK_US;
  return { parent: fields[1] ?? 0, ownUs: us(11), endedUs: us(13) };
}

/** Undefined if the process has ended or belongs to another user. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
