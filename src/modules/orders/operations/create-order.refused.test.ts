import { describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { addOverdue, entriesOf, grantFacility } from '#test/credit';
import { gross, SETUP_NOW, useOrderSetup } from '#test/order-setup';
import { recordedEvents } from '#test/stored';

const DAY = 86_400;

describe('POST /v1/orders', () => {
  const setup = useOrderSetup();
  const { order, debtor } = setup;
  let made = 0;

  describe('422', () => {
    const refused = async (more: object) => {
      const external_id = `refused-${++made}`;
      const { status, body } = await order({ external_id, ...more });
      expect(status).toBe(422);
      expect(body).toMatchObject({ code: 'UNPROCESSABLE_ENTITY', error: expect.any(String) });
      // Nothing of it is stored: no order and no event.
      expect((await setup.world.get(`/v1/orders/${external_id}`)).status).toBe(404);
      expect(await recordedEvents(setup.world, external_id)).toEqual([]);
      const { docs: _, ...details } = body.details;
      return { reason: body.reason, details };
    };

    it.each([
      ['none', null, 'NO_ACTIVE_FACILITY', { status: null, decision_id: null }],
      [
        'one under review',
        { status: 'PENDING' as const },
        'NO_ACTIVE_FACILITY',
        { status: 'PENDING', decision_id: null },
      ],
      [
        'a rejected one',
        { status: 'REJECTED' as const },
        'NO_ACTIVE_FACILITY',
        { status: 'REJECTED', decision_id: null },
      ],
      ['a frozen one', { status: 'FROZEN' as const }, 'FACILITY_FROZEN', {}],
      [
        'an expired one',
        { status: 'EXPIRED' as const, expiresAt: SETUP_NOW - DAY },
        'FACILITY_EXPIRED',
        { expires_at: SETUP_NOW - DAY, decision_id: null },
      ],
      [
        'one that has ended, before its transition',
        { expiresAt: SETUP_NOW },
        'FACILITY_EXPIRED',
        { expires_at: SETUP_NOW, decision_id: null },
      ],
      [
        'one in another currency',
        { currency: 'PLN' },
        'FACILITY_CURRENCY_CONFLICT',
        { facility_currency: 'PLN', currency: 'EUR' },
      ],
      [
        'one with too little left',
        { totalMinor: 11_899 },
        'FACILITY_EXCEEDED_AVAILABLE_AMOUNT',
        { requested: 11_900, available: 11_899, currency: 'EUR', decision_id: null },
      ],
    ])('answers for a facility: %s', async (_, facility, reason, details) => {
      const buyer = `poor-${++made}`;
      await setup.world.post('/v1/buyers', buyerBody({ external_id: buyer }));
      if (facility) await grantFacility(setup.world, { buyer, totalMinor: 100_000, ...facility });
      expect(await refused({ buyer_external_id: buyer })).toEqual({ reason, details });
      if (facility) expect(await entriesOf(setup.world, buyer)).toEqual([]);
    });

    it('answers for a buyer who owes too much for too long', async () => {
      const buyer = await debtor();
      await addOverdue(setup.world, buyer, 30, 5_000);
      await addOverdue(setup.world, buyer, 45, 2_500);
      await addOverdue(setup.world, buyer, 10, 9_999);
      expect(await refused({ buyer_external_id: buyer })).toEqual({
        reason: 'BUYER_OVERDUE',
        details: { overdue_amount: 7_500, currency: 'EUR', days_past_due: 45 },
      });
    });

    it('answers for a term that is longer than the platform’s longest', async () => {
      expect(await refused({ payment_term: 'DEFER_120D' })).toEqual({
        reason: 'PAYMENT_TERM_NOT_AVAILABLE',
        details: { payment_term: 'DEFER_120D', unavailable_reason: 'TERM_TOO_LONG', max_payment_term: 90 },
      });
    });

    it('answers for a term that the price class is not offered', async () => {
      const buyer = await debtor({ priceClass: 'D' });
      expect(await refused({ buyer_external_id: buyer, payment_term: 'DEFER_45D' })).toEqual({
        reason: 'PAYMENT_TERM_NOT_AVAILABLE',
        details: { payment_term: 'DEFER_45D', unavailable_reason: 'PRICE_CLASS' },
      });
      expect((await order({ external_id: buyer, buyer_external_id: buyer })).status).toBe(201);
    });

    it('answers for a currency the platform has not enabled', async () => {
      expect(await refused(gross(1, 'USD'))).toEqual({
        reason: 'CURRENCY_NOT_ENABLED',
        details: { currency: 'USD', enabled: ['EUR', 'PLN'] },
      });
    });

    it('answers for a merchant that does not exist', async () => {
      expect(await refused({ merchant_external_id: 'nobody' })).toEqual({
        reason: 'REFERENCED_ENTITY_NOT_FOUND',
        details: {
          field: 'body.merchant_external_id',
          value: 'nobody',
          remedy: expect.stringContaining('GET /v1/merchants'),
        },
      });
    });

    it('lets the same external_id pass once there is room', async () => {
      const buyer = await debtor({ totalMinor: 20_000 });
      const again = { external_id: 'patient', buyer_external_id: buyer, ...gross(15_000) };
      await order({ external_id: 'in-the-way', buyer_external_id: buyer });
      expect((await order(again)).status).toBe(422);
      await setup.world.post('/v1/orders/in-the-way/cancel');
      expect((await order(again)).status).toBe(201);
    });
  });
});
