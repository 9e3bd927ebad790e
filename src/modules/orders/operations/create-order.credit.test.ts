import { describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { addOverdue, entriesOf, facilityOf, grantFacility, setLimits } from '#test/credit';
import { gross, SETUP_NOW, useOrderSetup } from '#test/order-setup';
import { orderTransitions, recordedEvents } from '#test/stored';

const DAY = 86_400;

describe('POST /v1/orders, within the limit policy', () => {
  const setup = useOrderSetup();
  const { order, debtor } = setup;
  let made = 0;

  describe('201', () => {
    it('reserves all that is available, to the cent, and then only prepayment passes', async () => {
      const buyer = await debtor();
      expect((await order({ external_id: 'all', buyer_external_id: buyer, ...gross(100_000) })).status).toBe(
        201,
      );
      expect((await facilityOf(setup.world, buyer)).available).toBe(0);
      const one = await order({ external_id: 'one-more', buyer_external_id: buyer, ...gross(1) });
      expect(one.body.reason).toBe('FACILITY_EXCEEDED_AVAILABLE_AMOUNT');
    });

    it('exceeds the limit by the tolerance only', async () => {
      const buyer = await debtor();
      await setLimits(setup.world, { tolerance_percent: 10 }, buyer);
      const send = (external_id: string, minor: number) =>
        order({ external_id, buyer_external_id: buyer, ...gross(minor) });
      expect((await send('beyond', 110_001)).status).toBe(422);
      expect((await send('within', 110_000)).status).toBe(201);
      expect(await facilityOf(setup.world, buyer)).toMatchObject({ pending: 110_000, available: 0 });
    });

    it('reserves nothing if only invoices count, but requires the same available amount', async () => {
      const buyer = await debtor();
      await setLimits(setup.world, { counts: 'INVOICES' }, buyer);
      const send = (external_id: string, minor: number) =>
        order({ external_id, buyer_external_id: buyer, ...gross(minor) });
      expect((await send('counts-1', 100_000)).status).toBe(201);
      expect((await send('counts-2', 100_000)).status).toBe(201);
      expect((await send('counts-3', 100_001)).status).toBe(422);
      expect(await facilityOf(setup.world, buyer)).toMatchObject({ pending: 0, available: 100_000 });
    });

    it('expires by the platform’s own time limit, if it has one', async () => {
      const buyer = await debtor();
      await setLimits(setup.world, { authorization_limit_days: 3, confirmation_limit_days: 2 }, buyer);
      const { body } = await order({ external_id: 'short-lived', buyer_external_id: buyer });
      expect(body.expires_at).toBe(SETUP_NOW + 3 * DAY);
    });

    it.each([
      ['no facility', null],
      ['one under review', { status: 'PENDING' as const }],
      ['a rejected one', { status: 'REJECTED' as const }],
      ['a frozen one', { status: 'FROZEN' as const }],
      ['an expired one', { status: 'EXPIRED' as const }],
      ['one that has ended, before its transition', { expiresAt: SETUP_NOW }],
      ['one with nothing left', { totalMinor: 0 }],
      ['one in another currency', { currency: 'PLN' }],
    ])('accepts prepayment with %s', async (_, facility) => {
      const buyer = `prepaying-${++made}`;
      await setup.world.post('/v1/buyers', buyerBody({ external_id: buyer }));
      if (facility) await grantFacility(setup.world, { buyer, totalMinor: 1_000, ...facility });
      await addOverdue(setup.world, buyer, 400, 1_000_000);
      const { status, body } = await order({
        external_id: buyer,
        buyer_external_id: buyer,
        payment_term: 'PREPAYMENT',
        payment_method: 'CARD',
      });
      expect({ status, body }).toMatchObject({ status: 201, body: { status: 'CONFIRMED' } });
      if (facility) expect(await entriesOf(setup.world, buyer)).toEqual([]);
      expect((await recordedEvents(setup.world, buyer)).map(({ type }) => type)).toContain('ORDER.CONFIRMED');
    });

    it.each([
      ['8 days late: a person looks at it', 8, 5_000, 'PENDING_CONFIRMATION'],
      ['7 days late, as long as banks take', 7, 5_000, 'CONFIRMED'],
      ['29 days late, a day before the stop', 29, 5_000, 'PENDING_CONFIRMATION'],
      ['99 days late with a residue of bank fees', 99, 100, 'CONFIRMED'],
    ])('answers for a buyer %s', async (_, days, outstanding, expected) => {
      const buyer = await debtor();
      await addOverdue(setup.world, buyer, days, outstanding);
      const { status, body } = await order({ external_id: buyer, buyer_external_id: buyer });
      expect({ status, body }).toMatchObject({ status: 201, body: { status: expected } });
      expect((await facilityOf(setup.world, buyer)).pending).toBe(11_900);
      if (expected === 'CONFIRMED') return;
      expect(body.expires_at).toBe(SETUP_NOW + 14 * DAY);
      const events = (await recordedEvents(setup.world, buyer)).filter(({ type }) =>
        type.startsWith('ORDER.'),
      );
      expect(events).toMatchObject([
        {
          type: 'ORDER.PENDING_CONFIRMATION',
          data: { status: expected, previous_status: null, sequence: 1 },
        },
      ]);
      expect(await orderTransitions(setup.world, buyer)).toMatchObject([{ trigger: 'create_for_review' }]);
    });
  });
});
