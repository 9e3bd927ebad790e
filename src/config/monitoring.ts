/** Settings for monitoring a process. */
import { StartRefused } from '#kernel/start-refused';
import type { Reader } from './reader.ts';
import { httpUrl, integer } from './values.ts';

export interface MonitoringSettings {
  /** Null if no metrics are served. */
  metrics: { host: string; port: number; token: string | null } | null;
  /** Null if no traces are recorded. */
  tracesUrl: string | null;
}

export function readMonitoring(reader: Reader): MonitoringSettings {
  const tracesUrl = reader.optional(
    'TRADELINE_TRACES_URL',
    httpUrl,
    'a URL such as http://127.0.0.1:4318/v1/traces',
  );
  return { metrics: readMetrics(reader), tracesUrl };
}

function readMetrics({ optional, required }: Reader): MonitoringSettings['metrics'] {
  const port = optional('TRADELINE_METRICS_PORT', integer(0, 65_535), 'a whole number from 0 to 65535');
  const host = required('TRADELINE_METRICS_HOST', (text) => text, 'an address to listen on');
  const token = optional(
    'TRADELINE_METRICS_TOKEN',
    (text) => (/^[\x21-\x7e]{16,}$/.test(text) ? text : undefined),
    'at least 16 characters without blanks',
  );
  if (port === null) return null;
  if (token === null && !isLoopback(host))
    throw new StartRefused(
      `TRADELINE_METRICS_TOKEN must be set if TRADELINE_METRICS_HOST is ${host}: metrics are served without a token only on a loopback address.`,
    );
  return { host, port, token };
}

const isLoopback = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host);
