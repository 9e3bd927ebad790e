// Compiled in the folder of the check, next to the generated types.
import type { paths } from './api.ts';

type Drafting = paths['/v1/orders/draft']['post'];
type Reading = paths['/v1/orders/{external_id}']['get'];
type Draft = Drafting['requestBody']['content']['application/json'];
type Created = Drafting['responses'][201]['content']['application/json'];
type Found = Reading['responses'][200]['content']['application/json'];

const { BASE_URL, API_KEY } = process.env;

async function send<Answer>(method: 'GET' | 'POST', path: string, body?: Draft): Promise<Answer> {
  const response = await fetch(`${BASE_URL}${path}`, {
    method,
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

const draft: Draft = {
  external_id: 'client-typescript',
  buyer_external_id: 'client-buyer',
  merchant_external_id: 'client-merchant',
  amount: { net: 3_000_000_000, tax: 0, gross: 3_000_000_000, currency: 'EUR' },
};
const created = await send<Created>('POST', '/v1/orders/draft', draft);
const order = await send<Found>('GET', `/v1/orders/${created.external_id}`);
const gross: number = order.amount.gross;
console.log(gross);
