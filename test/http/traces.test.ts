/** Traces of OpenTelemetry that the running program sends to a receiver of OTLP over HTTP. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { endPrograms, startProgram } from '#test/program';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const PARENT_ID = 'b7ad6b7169203331';

const spans: Span[] = [];
const headers: IncomingMessage['headers'][] = [];
let requestId: string;
let receiver: Server;
beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    headers.push(request.headers);
    const sent = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    for (const { scopeSpans } of sent.resourceSpans) for (const each of scopeSpans) spans.push(...each.spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  const program = await startProgram({
    args: ['--empty'],
    env: {
      TRADELINE_TRACES_URL: `http://127.0.0.1:${port}/v1/traces`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=credit',
    },
  });
  const reply = await fetch(`${program.baseUrl}/v1/buyers`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${program.apiKey}`,
      'content-type': 'application/json',
      traceparent: `00-${TRACE_ID}-${PARENT_ID}-01`,
    },
    body: JSON.stringify(buyerBody({ external_id: 'a-secret-buyer' })),
  });
  expect(reply.status).toBe(201);
  requestId = reply.headers.get('request-id') as string;
  // A stop sends the recorded spans.
  expect(await program.stop()).toBe(0);
});
afterAll(async () => {
  await endPrograms();
  receiver.close();
});

const attribute = ({ attributes }: Span, name: string) => {
  const value = attributes.find(({ key }) => key === name)?.value;
  return value?.stringValue ?? value?.intValue;
};
const request = () => spans.find(({ name }) => name === 'POST /v1/buyers') as Span;

it('continue the trace of the caller, and lead to the log', () => {
  expect(request()).toMatchObject({ traceId: TRACE_ID, parentSpanId: PARENT_ID });
  expect(attribute(request(), 'http.route')).toBe('/v1/buyers');
  expect(attribute(request(), 'http.response.status_code')).toBe(201);
  expect(attribute(request(), 'tradeline.request_id')).toBe(requestId);
});

it('have the statements of a request, without values', () => {
  const statements = spans.filter(({ parentSpanId }) => parentSpanId === request().spanId);
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['BEGIN', 'INSERT', 'COMMIT']));
  expect(
    statements.some(
      (each) =>
        `${attribute(each, 'db.query.text')}`.includes('into "buyers"') ||
        `${attribute(each, 'db.query.text')}`.includes('into buyers'),
    ),
  ).toBe(true);
  expect(JSON.stringify(spans)).not.toContain('a-secret-buyer');
});

it('are sent with the headers of the variables of OpenTelemetry', () => {
  expect(headers.length).toBeGreaterThan(0);
  for (const each of headers) expect(each['x-tenant']).toBe('credit');
});
