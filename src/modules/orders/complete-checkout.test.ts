import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PaymentMethod, PaymentTerm } from '#kernel/payment-term';
import { completeCheckout } from '#modules/orders';
import { draftOrderBody, merchantBody } from '#test/bodies';
import {
  act,
  addDebtor,
  addOverdue,
  auditCredit,
  facilityOf,
  setFacilityStatus,
  setLimits,
} from '#test/credit';
import { orderTransitions, recordedEvents } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;
const DAY = 86_400;

let world: World;
let made = 0;
beforeAll(async () => {
  world = await createWorld();
  await world.post('/v1/merchants', merchantBody({}));
});
afterAll(async () => {
  expect(await auditCredit(world)).toEqual([]);
  await world.close();
});

/** A draft of 11,900 with the same external_id as its buyer, who has a limit of 20,000. */
async function drafted(): Promise<string> {
  world.clock.set(NOW);
  const id = `buyer-${++made}`;
  await addDebtor(world, { buyer: id, totalMinor: 20_000 });
  const { status } = await world.post(
    '/v1/orders/draft',
    draftOrderBody({ external_id: id, buyer_external_id: id }),
  );
  expect(status).toBe(201);
  world.clock.set(NOW + 40 * DAY);
  return id;
}

const deliveryAddress = {
  street: 'Kastanienallee',
  house: '85',
  postcode: '10435',
  city: 'Berlin',
  country: 'DE',
  additional: null,
} as const;

const complete = (
  id: string,
  paymentTerm: PaymentTerm = 'DEFER_30D',
  paymentMethod: PaymentMethod = 'TRANSFER',
) => {
  const { vault: wholeVault } = world.installation;
  const vault = wholeVault.forPlatform(world.platform.code, world.platform.data_key_wrapped);
  return act(world, (context) =>
    completeCheckout({ ...context, vault, isSandbox: true }, id, {
      paymentMethod,
      paymentTerm,
      deliveryAddress,
      contactEmail: 'kim@bistro.example',
    }),
  );
};

describe('completing the checkout of a draft', () => {
  it('confirms the order with what the buyer chose; the term counts from then on', async () => {
    const id = await drafted();
    await complete(id);
    const { headers, body } = await world.get(`/v1/orders/${id}`);
    expect(headers.get('etag')).toBe('"2"');
    expect(body).toMatchObject({
      status: 'CONFIRMED',
      created_at: NOW,
      updated_at: NOW + 40 * DAY,
      ordered_at: NOW + 40 * DAY,
      payment_method: 'TRANSFER',
      payment_term: 'DEFER_30D',
      delivery_address: deliveryAddress,
      expires_at: NOW + 70 * DAY,
    });
    const [row] = await world.sql<Record<string, never>>(
      'select term_offer from orders where external_id = $1',
      [id],
    );
    expect(row?.term_offer).toMatchObject({
      installments: [{ due_at: NOW + 70 * DAY, amount: { value: 11_900 } }],
    });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 11_900, available: 8_100 });
    expect((await recordedEvents(world, id)).at(-1)).toMatchObject({
      type: 'ORDER.CONFIRMED',
      data: { sequence: 2, previous_status: 'DRAFT' },
    });
  });

  it('takes a debit only while the buyer has an active mandate', async () => {
    const id = await drafted();
    await expect(complete(id, 'DEFER_30D', 'DEBIT')).rejects.toMatchObject({
      reason: 'PAYMENT_TERM_NOT_AVAILABLE',
      details: { unavailable_reason: 'NO_ACTIVE_MANDATE' },
    });
    await world.post(`/v1/buyers/${id}/mandates`, { iban: 'DE89370400440532013000' });
    expect(await complete(id, 'DEFER_30D', 'DEBIT')).toMatchObject({
      status: 'CONFIRMED',
      payment_method: 'DEBIT',
    });
  });

  it('waits for a person if one must look at it', async () => {
    const id = await drafted();
    await addOverdue(world, id, 8, 5_000);
    expect(await complete(id)).toMatchObject({
      status: 'PENDING_CONFIRMATION',
      expires_at: NOW + 54 * DAY,
      reserved_amount: 11_900,
    });
    expect((await recordedEvents(world, id)).at(-1)?.type).toBe('ORDER.PENDING_CONFIRMATION');
    expect((await orderTransitions(world, id)).map(({ trigger }) => trigger)).toEqual([
      'create_draft',
      'complete_checkout_for_review',
    ]);
  });

  it('does not change the draft if the term is refused, so that the buyer can choose another', async () => {
    const id = await drafted();
    await setFacilityStatus(world, id, 'FROZEN');
    await expect(complete(id)).rejects.toMatchObject({ reason: 'FACILITY_FROZEN' });
    expect((await world.get(`/v1/orders/${id}`)).body).toMatchObject({ status: 'DRAFT', payment_term: null });
    await complete(id, 'PREPAYMENT');
    expect((await world.get(`/v1/orders/${id}`)).body).toMatchObject({
      status: 'CONFIRMED',
      payment_term: 'PREPAYMENT',
    });
    expect(await facilityOf(world, id)).toMatchObject({ pending: 0 });
  });

  it.each(['DEFER_30D', 'PREPAYMENT'] as const)('refuses %s to a buyer who is only invited', async (term) => {
    const id = `invited-${++made}`;
    await world.post('/v1/buyers', { external_id: id, contact_email: 'ada@example.com' });
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: id, buyer_external_id: id }));
    await expect(complete(id, term)).rejects.toMatchObject({ status: 422, reason: 'BUYER_INCOMPLETE' });
    expect((await world.get(`/v1/orders/${id}`)).body.status).toBe('DRAFT');
  });

  it('exceeds the limit by the tolerance only', async () => {
    const id = await drafted();
    await setLimits(world, { tolerance_percent: 10 }, id);
    const body = draftOrderBody({
      external_id: `${id}-2`,
      buyer_external_id: id,
      amount: { net: 10_100, gross: 10_100 },
    });
    await world.post('/v1/orders/draft', body);
    await complete(id);
    await complete(`${id}-2`);
    expect(await facilityOf(world, id)).toMatchObject({ pending: 22_000, available: 0 });
  });

  it('happens once if two tabs complete it at once', async () => {
    const id = await drafted();
    const requested = await Promise.allSettled(Array.from({ length: 8 }, () => complete(id)));
    expect(requested.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await facilityOf(world, id)).toMatchObject({ pending: 11_900 });
  });
});
