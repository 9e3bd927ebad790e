/** Processor time of processes, from /proc on Linux. */
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the kernel's tick. */
const TICK_US = 10_000;

interface ProcessTimes {
  parent: number;
  ownUs: number;
  /** Of ended children. */
  endedUs: number;
}

/** Microseconds used so far by the PostgreSQL of this backend; null on systems other than Linux. */
export function postgresCpuUs(backendPid: number): number | null {
  const postmaster = timesOf(backendPid)?.parent;
  if (postmaster === undefined) return null;
  const all = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  const children = all.map(timesOf).filter((times) => times?.parent === postmaster);
  const own = timesOf(postmaster);
  return [own, ...children].reduce((sum, times) => sum + (times?.ownUs ?? 0), own?.endedUs ?? 0);
}

/** Microseconds used so far by a process; null on systems other than Linux. */
export function processCpuUs(pid: number): number | null {
  return timesOf(pid)?.ownUs ?? null;
}

/** proc(5): after the name in brackets come the state, the parent, and as fields 12 to 15 the times. */
function timesOf(pid: number): ProcessTimes | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const us = (first: number) => ((fields[first] ?? 0) + (fields[first + 1] ?? 0)) * TICK_US;
  return { parent: fields[1] ?? 0, ownUs: us(11), endedUs: us(13) };
}
