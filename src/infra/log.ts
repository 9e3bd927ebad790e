/**
 * Structured logs, one JSON object per line. Log lines contain no secrets and no personal data: requests are logged by
 * route pattern instead of URL, without bodies and headers.
 */
import { pino } from 'pino';
import type { LogLevel } from '#kernel/log-level';

export type Log = Pick<pino.Logger, 'debug' | 'info' | 'warn' | 'error' | 'isLevelEnabled'>;

export function createLog(level: LogLevel): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      // pino's own serializer prints the `detail` of a PostgreSQL error, which quotes values of the row.
      serializers: {
        err: (error: Error & { code?: string }) => ({
          type: error.name,
          code: error.code,
          message: error.message,
          stack: error.stack,
        }),
      },
    },
    pino.destination({ fd: 2, sync: false }),
  );
}
