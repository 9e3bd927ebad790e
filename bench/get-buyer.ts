/** P1: which share of the rate of a bare Fastify remains with authentication, validation, database and serialization? */
import { compare } from './support/compare.ts';
import type { EchoJob } from './support/echo-server.ts';
import type { HttpLoadJob } from './support/http-load.ts';
import { allIds, idAt } from './support/ids.ts';
import type { Measurement } from './support/measure.ts';
import { startPart } from './support/part.ts';
import type { Bench, Finding, Question } from './support/question.ts';

const CONNECTIONS = 64;
const BUYERS = { prefix: 'buyer-', first: 0, count: 1_000 };

export const getBuyer: Question = { name: 'get-buyer', run };

async function run(bench: Bench): Promise<Finding> {
  const { program } = bench;
  bench.progress(`registering ${BUYERS.count} buyers`);
  await program.createAll('/v1/buyers', allIds(BUYERS).map(buyerBody));

  const echo = bench.started.use(startPart<EchoJob, string>('echo-server.ts'));
  const buyer = await program.send('GET', `/v1/buyers/${idAt(BUYERS, 0)}`);
  const echoUrl = await echo.send({ body: buyer });

  const load = bench.started.use(startPart<HttpLoadJob, Measurement>('http-load.ts'));
  const requested = {
    method: 'GET',
    // The echo gets the same headers, so that both parse the same request.
    headers: { Authorization: `Bearer ${program.apiKey}`, Accept: 'application/json' },
    ids: { id: BUYERS },
    status: 200,
    connections: CONNECTIONS,
  } as const;
  const finding = await compare(bench, {
    baseline: {
      name: 'bare Fastify echo of the same buyer',
      run: (durationMs) => load.send({ ...requested, baseUrl: echoUrl, path: '/echo/{id}', durationMs }),
    },
    subject: {
      name: 'GET /v1/buyers/{external_id}',
      run: (durationMs) =>
        load.send({ ...requested, baseUrl: program.baseUrl, path: '/v1/buyers/{id}', durationMs }),
    },
  });
  const size = Buffer.byteLength(JSON.stringify(buyer));
  return {
    ...finding,
    id: 'P1',
    bar: '≥ 0.8',
    notes: [
      `${CONNECTIONS} keep-alive connections, one request at a time on each, over ${BUYERS.count} buyers; every response was a 200 with the requested buyer.`,
      `The echo returns the same JSON of ${size} bytes from memory: a Fastify without hooks, schemas, validation or database, in a separate process.`,
      ...finding.notes,
    ],
  };
}

/** A buyer with all fields and a realistic size. */
function buyerBody(externalId: string) {
  const address = { street: 'Kastanienallee', house: '85', postcode: '10435', city: 'Berlin', country: 'DE' };
  return {
    external_id: externalId,
    legal_name: 'Café Morgenrot eG',
    legal_form: 'COOPERATIVE',
    trading_name: 'Café Morgenrot',
    registered_at: 1_700_000_000,
    incorporated_at: 1_041_379_200,
    business_identifiers: [
      { type: 'VAT_ID', value: 'DE136695976', country: 'DE' },
      { type: 'REGISTER_ID', value: 'GnR 487 B Berlin (Charlottenburg)', country: 'DE' },
    ],
    business_address: address,
    delivery_address: { ...address, additional: 'Hinterhof' },
    custom_data: { segment: 'gastronomy', account_manager: 'north' },
  };
}
