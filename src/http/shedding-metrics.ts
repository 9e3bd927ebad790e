/** Metrics of requests in progress, and of requests refused because of overload. */
import { Counter, Gauge, type Registry } from 'prom-client';

/** Returns a function to call for each refused request. */
export function measureShedding(registry: Registry, inProgress: () => number): () => void {
  const registers = [registry];
  new Gauge({
    name: 'tradeline_http_requests_in_progress',
    help: 'Requests whose work is in progress, without long polls and probes',
    registers,
    collect() {
      this.set(inProgress());
    },
  });
  const shed = new Counter({
    name: 'tradeline_http_requests_shed_total',
    help: 'Requests refused with 503 because of overload',
    registers,
  });
  return () => shed.inc();
}
