/**
 * Structured logs, one JSON object a line. What may carry a secret or personal data never reaches a log line: requests
 * are logged by route pattern, not by address; bodies and headers not at all.
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
      // pino's own error serializer would print a PostgreSQL error's `detail`, which quotes the row's values.
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
