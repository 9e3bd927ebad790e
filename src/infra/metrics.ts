/** Metrics of this process as Prometheus text, at a separate address. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { localUrl } from '#kernel/http-url';
import { StartRefused } from '#kernel/start-refused';
import type { Connections } from './database/database.ts';

/** The address that serves the metrics, and its bearer token; null admits anyone who reaches the address. */
export interface MetricsAddress {
  host: string;
  port: number;
  token: string | null;
}

export interface MetricsServer {
  url: string;
  close(): Promise<void>;
}

/** A registry with the metrics of the process and of its database connections. */
export function createMetrics(connections: () => Connections): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'tradeline_database_connections',
    help: 'Connections of this process: used, idle, and requests that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
    },
  });
  return registry;
}

/** Serves `GET /metrics` and nothing else. `refresh` is awaited before each answer. Throws StartRefused. */
export async function serveMetrics(
  { host, port, token }: MetricsAddress,
  registry: Registry,
  refresh: () => Promise<void>,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const isKnown = request.url === '/metrics' && (request.method === 'GET' || request.method === 'HEAD');
    if (!isKnown) return end(response, 404, 'The figures are at GET /metrics.\n');
    if (token !== null && !isBearer(request.headers.authorization, token))
      return end(response.setHeader('www-authenticate', 'Bearer'), 401, 'A bearer token is required.\n');
    const answer = async () => {
      await refresh();
      end(response.setHeader('content-type', registry.contentType), 200, await registry.metrics());
    };
    answer().catch(() => end(response, 500, 'The figures could not be read.\n'));
  });
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw new StartRefused(
      `The metrics cannot be served at ${host}:${port} (${(error as Error).message}): set TRADELINE_METRICS_HOST and TRADELINE_METRICS_PORT to a free address of this machine.`,
      { cause: error },
    );
  }
  const url = `${localUrl(host, (server.address() as AddressInfo).port)}/metrics`;
  return { url, close: () => closed(server) };
}

function end(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'cache-control': 'no-store' }).end(body);
}

/** Compares hashes, because they have the same length regardless of the input. */
function isBearer(authorization = '', token: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(authorization), hash(`Bearer ${token}`));
}

async function closed(server: Server): Promise<void> {
  server.close();
  server.closeAllConnections();
  if (server.listening) await once(server, 'close');
}
