import { beforeAll, describe, expect, it } from 'vitest';
import { invoiceBody } from '#test/bodies';
import { INVOICING_NOW as NOW, useInvoicing } from '#test/invoice-setup';
import { recordedEvents } from '#test/stored';

const { create, world } = useInvoicing();
const PATH = '/v1/invoices/to-reject/disputes';

beforeAll(async () => {
  await create(invoiceBody({ external_id: 'to-reject', buyer_external_id: 'buyer', due_at: NOW + 86_400 }));
});

let made = 0;
async function opened(): Promise<string> {
  const external_id = `rejected-${++made}`;
  expect((await world().post(PATH, { external_id, reason: 'OTHER', amount: 100 })).status).toBe(201);
  return `${PATH}/${external_id}`;
}

describe('POST /v1/invoices/{external_id}/disputes/{dispute_external_id}/reject', () => {
  it('200: ends the dispute with its reason', async () => {
    const path = await opened();
    const { status, body } = await world().post(`${path}/reject`, { comment: 'All bags were whole.' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ status: 'REJECTED', accepted_amount: 0, decided_on: '2025-11-20', credit_note_external_id: null },
      decision_comment: 'All bags were whole.',
    });
    expect((await world().get('/v1/invoices/to-reject')).body).toMatchObject({
      ...{ disputed_amount: 0, outstanding_amount: 11_900 },
    });
    const events = await recordedEvents(world(), body.external_id);
    expect(events.map(({ type }) => type)).toEqual(['DISPUTE.OPENED', 'DISPUTE.RESOLVED']);
    expect(
      await world().sql(
        `select from_status, to_status, trigger, actor = $2 as by_key from dispute_transitions
         where dispute_external_id = $1 order by version`,
        [body.external_id, body.decided_by],
      ),
    ).toEqual([
      { from_status: null, to_status: 'OPEN', trigger: 'open', by_key: true },
      { from_status: 'OPEN', to_status: 'REJECTED', trigger: 'reject', by_key: true },
    ]);
  });

  it('200: by a key of the merchant', async () => {
    const key = await world().addKey({ merchantExternalId: 'merchant' });
    expect((await world().post(`${await opened()}/reject`, { comment: 'No.' }, { key })).status).toBe(200);
  });

  it('400: without a reason', async () => {
    const path = await opened();
    for (const body of [{}, { comment: '' }, { comment: ' \n ' }, { comment: 'x'.repeat(2_001) }])
      expect((await world().post(`${path}/reject`, body)).status).toBe(400);
  });

  it('403: with a key that only reads', async () => {
    const key = await world().addKey({ scopes: ['read'] });
    expect((await world().post(`${await opened()}/reject`, { comment: 'No.' }, { key })).status).toBe(403);
  });

  it('404: for an unknown dispute', async () => {
    expect((await world().post(`${PATH}/unknown/reject`, { comment: 'No.' })).status).toBe(404);
  });

  it('409: for one that is decided', async () => {
    const path = await opened();
    await world().post(`${path}/reject`, { comment: 'No.' });
    expect(await world().post(`${path}/reject`, { comment: 'No.' })).toMatchObject({
      ...{ status: 409, body: { reason: 'INVALID_STATUS_TRANSITION' } },
    });
  });
});
