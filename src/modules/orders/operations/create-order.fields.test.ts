import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYMENT_METHODS, PAYMENT_TERMS } from '#kernel/payment-term';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor } from '#test/credit';
import { ADDRESS, looseAddressFields } from '#test/field-tables';
import { type Change, type Field, itRefuses, itTakes, oneOf, required, seconds } from '#test/fields';
import { ledgerEntries } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_763_640_000;

// The draft's test covers the fields that an order shares with a draft.
const fields: Field[] = [
  { path: 'payment_method', ...required(oneOf(PAYMENT_METHODS)) },
  { path: 'payment_term', ...required(oneOf(PAYMENT_TERMS)) },
  {
    path: 'ordered_at',
    fitting: [
      ...seconds.fitting.filter(({ sent }) => typeof sent !== 'number' || sent <= NOW),
      { what: 'this second', sent: NOW },
      { what: 'nothing at all', sent: undefined, shown: NOW },
      { what: 'null', sent: null, shown: NOW },
    ],
    offending: seconds.offending,
  },
  ...looseAddressFields('delivery_address'),
  ...['status', 'expires_at', 'reserved_amount', 'term_offer'].map(
    (path): Field => ({
      path,
      fitting: [],
      offending: [{ what: 'a field of the service', sent: 'x', code: 'UNRECOGNIZED_KEYS' }],
    }),
  ),
];

describe('POST /v1/orders, field by field', () => {
  let world: World;
  let sent = 0;
  beforeAll(async () => {
    world = await createWorld();
    world.clock.set(NOW);
    // The longest possible term.
    await world.sql('update platforms set max_payment_term = 180');
    await world.post('/v1/merchants', merchantBody({}));
    await addDebtor(world, { buyer: 'buyer', totalMinor: 1_000_000_000 });
  });
  afterAll(() => world.close());

  const full = (external_id: string) =>
    draftOrderBody({
      external_id,
      payment_method: 'TRANSFER',
      // Allows every payment method and every date.
      payment_term: 'PREPAYMENT',
      ordered_at: NOW - 60,
      delivery_address: ADDRESS,
    });

  describe('201', () => {
    itTakes(fields, 201, (change: Change) => world.post('/v1/orders', change(full(`order-${++sent}`))));
  });

  describe('400', () => {
    itRefuses(fields, (change) => world.post('/v1/orders', change(full('refused'))));

    it('stores nothing and reserves nothing', async () => {
      expect((await world.get('/v1/orders/refused')).status).toBe(404);
      expect(await ledgerEntries(world, { order: 'refused' })).toEqual([]);
    });

    it('returns every issue at once', async () => {
      const { body } = await world.post('/v1/orders', {
        ...full('a b'),
        amount: { net: 1, gross: 2 },
        payment_term: 'DEFER_31D',
        payment_method: undefined,
        ordered_at: -1,
        delivery_address: { country: 'XX' },
      });
      expect(body.issues.map(({ code, path }: Record<string, string>) => `${code} ${path}`).sort()).toEqual([
        'AMOUNT_MISMATCH body.amount.gross',
        'INVALID_ENUM body.payment_term',
        'INVALID_FORMAT body.external_id',
        'INVALID_VALUE body.delivery_address.country',
        'REQUIRED body.payment_method',
        'TOO_SMALL body.ordered_at',
      ]);
    });
  });
});
