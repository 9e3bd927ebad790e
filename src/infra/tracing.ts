/** OpenTelemetry traces, sent to the address in a setting. Without it, nothing is recorded and the library is not loaded. */
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Log } from './log.ts';
import { VERSION } from './version.ts';

const NAME = 'tradeline';
/** A receiver that hangs must not delay a stop. */
const CLOSE_MS_MAX = 2_000;

export interface Tracing {
  /** Sends the recorded traces. */
  close(): Promise<void>;
}

/**
 * Records the traces of this process and sends them to an OTLP receiver over HTTP. Headers, sampler and limits come from the
 * variables of OpenTelemetry, such as OTEL_EXPORTER_OTLP_HEADERS.
 */
export async function startTracing(url: string, log: Log): Promise<Tracing> {
  const [{ BatchSpanProcessor, NodeTracerProvider }, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-node'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ]);
  const report = (problem: string) => log.warn({ problem }, 'traces are not sent');
  const silent = () => {};
  diag.setLogger({ error: report, warn: report, info: silent, debug: silent, verbose: silent });
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': NAME, 'service.version': VERSION }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url }))],
  });
  provider.register();
  return {
    async close() {
      const sent = provider.shutdown().catch((error: Error) => report(error.message));
      await Promise.race([sent, sleep(CLOSE_MS_MAX, undefined, { ref: false })]);
    },
  };
}

/** Starts the spans of this program. They do nothing unless traces are recorded. */
export const tracer = () => trace.getTracer(NAME);

/** Runs background work as a separate trace. */
export function traced<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return tracer().startActiveSpan(name, { root: true }, async (span) => {
    try {
      return await work();
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}
