import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { draftOrderBody, merchantBody } from '#test/bodies';
import { addDebtor } from '#test/credit';
import { createWorld, type World } from '#test/world';

const MINOR_UNITS_MAX = 1_000_000_000_000;

const line = <T extends object>(more: T) => ({
  name: 'Espresso beans',
  category: 'Coffee',
  price: 2_500,
  quantity: 4,
  ...more,
});
const lineWithout = (field: 'name' | 'category' | 'price' | 'quantity') => {
  const { [field]: _, ...rest } = line({});
  return rest;
};
const nested = (depth: number): unknown => (depth === 1 ? {} : { inside: nested(depth - 1) });
/** An object that is exactly this many bytes as JSON. */
const ofBytes = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

/** An order with its payment term accepts all fields of a draft. */
describe.each([
  ['POST /v1/orders/draft', '/v1/orders/draft', {}],
  ['POST /v1/orders', '/v1/orders', { payment_method: 'TRANSFER', payment_term: 'DEFER_30D' }],
])('%s', (_, path, term) => {
  let world: World;
  let drafted = 0;
  beforeAll(async () => {
    world = await createWorld();
    await addDebtor(world, { buyer: 'buyer', totalMinor: 1_000 * MINOR_UNITS_MAX });
    await world.post('/v1/merchants', merchantBody({}));
  });
  afterAll(() => world.close());

  const draft = (more: object) =>
    world.post(path, draftOrderBody({ external_id: `o${++drafted}`, ...term, ...more }));

  describe('201', () => {
    it.each<[string, object, object]>([
      [
        'the smallest amount',
        { amount: { net: 1, gross: 1 } },
        { amount: { net: 1, tax: 0, gross: 1, currency: 'EUR' } },
      ],
      [
        'the largest amount',
        { amount: { net: MINOR_UNITS_MAX, gross: MINOR_UNITS_MAX } },
        { amount: { net: MINOR_UNITS_MAX, tax: 0, gross: MINOR_UNITS_MAX, currency: 'EUR' } },
      ],
      [
        'the largest tax',
        { amount: { net: 1, tax: MINOR_UNITS_MAX - 1, gross: MINOR_UNITS_MAX } },
        { amount: { net: 1, tax: MINOR_UNITS_MAX - 1, gross: MINOR_UNITS_MAX, currency: 'EUR' } },
      ],
      [
        'tax null as 0',
        { amount: { net: 5, tax: null, gross: 5 } },
        { amount: { net: 5, tax: 0, gross: 5, currency: 'EUR' } },
      ],
      ['a comment of 1000 characters', { comment: 'ä'.repeat(1_000) }, { comment: 'ä'.repeat(1_000) }],
      ['a comment of several lines', { comment: 'First.\nSecond.' }, { comment: 'First.\nSecond.' }],
      ['a comment of spaces as none', { comment: '  ' }, { comment: null }],
      ['a comment of null', { comment: null }, { comment: null }],
      ['custom_data of null', { custom_data: null }, { custom_data: null }],
      ['custom_data that is empty', { custom_data: {} }, { custom_data: {} }],
      ['custom_data 8 levels deep', { custom_data: nested(8) }, { custom_data: nested(8) }],
      ['custom_data of 16 KiB', { custom_data: ofBytes(16_384) }, { custom_data: ofBytes(16_384) }],
      ['no line items', { line_items: [] }, { line_items: [] }],
      ['a contact_email of null', { contact_email: null }, { contact_email: null }],
    ])('takes %s', async (_, more, expected) => {
      const { status, body } = await draft(more);
      expect({ status, body }).toMatchObject({ status: 201, body: expected });
      expect((await world.get(`/v1/orders/${body.external_id}`)).body).toEqual(body);
    });

    it('takes an external_id of 100 characters, of every character that is allowed', async () => {
      const externalId = `aZ09-_${'x'.repeat(94)}`;
      expect((await draft({ external_id: externalId })).body.external_id).toBe(externalId);
    });

    it.each<[string, object, object]>([
      ['the lowest price', { price: -MINOR_UNITS_MAX }, { price: -MINOR_UNITS_MAX }],
      ['the highest price', { price: MINOR_UNITS_MAX }, { price: MINOR_UNITS_MAX }],
      ['a price of 0', { price: 0 }, { price: 0 }],
      ['the lowest quantity', { quantity: 1 }, { quantity: 1 }],
      ['the highest quantity', { quantity: 1_000_000 }, { quantity: 1_000_000 }],
      ['a name of 255 characters', { name: '豆'.repeat(255) }, { name: '豆'.repeat(255) }],
      ['a category of 100 characters', { category: 'c'.repeat(100) }, { category: 'c'.repeat(100) }],
      [
        'a description of 2000 characters',
        { description: 'd'.repeat(2_000) },
        { description: 'd'.repeat(2_000) },
      ],
      ['a description of several lines', { description: 'a\r\nb' }, { description: 'a\r\nb' }],
      ['a description of spaces as none', { description: ' ' }, { description: null }],
      ['a description of null', { description: null }, { description: null }],
      ["the order's currency", { currency: 'EUR' }, { currency: 'EUR' }],
      ['a currency of null', { currency: null }, { currency: 'EUR' }],
    ])('takes a line item with %s', async (_, more, expected) => {
      const { status, body } = await draft({ line_items: [line(more)] });
      expect(status).toBe(201);
      expect(body.line_items).toEqual([{ ...line({}), currency: 'EUR', description: null, ...expected }]);
    });

    it('reads a quantity of 4.0 as the integer it is', async () => {
      const order = draftOrderBody({ external_id: 'fraction', line_items: [line({ quantity: 4 })], ...term });
      const text = JSON.stringify(order).replace('"quantity":4', '"quantity":4.0');
      expect((await world.post(path, text)).status).toBe(201);
    });
  });

  describe('400', () => {
    it.each<[string, object, string]>([
      ['external_id missing', { external_id: undefined }, 'REQUIRED body.external_id'],
      ['external_id empty', { external_id: '' }, 'TOO_SHORT body.external_id'],
      ['external_id of 101 characters', { external_id: 'x'.repeat(101) }, 'TOO_LONG body.external_id'],
      ['external_id with a dot', { external_id: 'a.b' }, 'INVALID_FORMAT body.external_id'],
      ['external_id with a line break at its end', { external_id: 'a\n' }, 'INVALID_FORMAT body.external_id'],
      ['external_id as a number', { external_id: 7 }, 'INVALID_TYPE body.external_id'],
      ['external_id null', { external_id: null }, 'INVALID_TYPE body.external_id'],
      ['buyer_external_id missing', { buyer_external_id: undefined }, 'REQUIRED body.buyer_external_id'],
      [
        'buyer_external_id with a space',
        { buyer_external_id: 'a b' },
        'INVALID_FORMAT body.buyer_external_id',
      ],
      ['merchant_external_id empty', { merchant_external_id: '' }, 'TOO_SHORT body.merchant_external_id'],
      [
        'merchant_external_id with a slash',
        { merchant_external_id: 'a/b' },
        'INVALID_FORMAT body.merchant_external_id',
      ],
      ['amount missing', { amount: undefined }, 'REQUIRED body.amount'],
      ['amount null', { amount: null }, 'INVALID_TYPE body.amount'],
      ['amount as a number', { amount: 100 }, 'INVALID_TYPE body.amount'],
      ['net missing', { amount: { gross: 1 } }, 'REQUIRED body.amount.net'],
      ['gross missing', { amount: { net: 1 } }, 'REQUIRED body.amount.gross'],
      ['net 0', { amount: { net: 0, tax: 1, gross: 1 } }, 'TOO_SMALL body.amount.net'],
      ['tax negative', { amount: { net: 2, tax: -1, gross: 1 } }, 'TOO_SMALL body.amount.tax'],
      [
        'gross over 10^12',
        { amount: { net: MINOR_UNITS_MAX, tax: 1, gross: MINOR_UNITS_MAX + 1 } },
        'TOO_BIG body.amount.gross',
      ],
      ['net with a fraction', { amount: { net: 10.5, gross: 11 } }, 'INVALID_TYPE body.amount.net'],
      ['net as text', { amount: { net: '100', gross: 100 } }, 'INVALID_TYPE body.amount.net'],
      [
        'gross over net + tax',
        { amount: { net: 100, tax: 19, gross: 120 } },
        'AMOUNT_MISMATCH body.amount.gross',
      ],
      [
        'gross below net + tax',
        { amount: { net: 100, tax: 19, gross: 118 } },
        'AMOUNT_MISMATCH body.amount.gross',
      ],
      [
        'gross over net without tax',
        { amount: { net: 100, gross: 119 } },
        'AMOUNT_MISMATCH body.amount.gross',
      ],
      [
        'an unknown currency',
        { amount: { net: 1, gross: 1, currency: 'XAU' } },
        'INVALID_ENUM body.amount.currency',
      ],
      [
        'a currency in lower case',
        { amount: { net: 1, gross: 1, currency: 'eur' } },
        'INVALID_ENUM body.amount.currency',
      ],
      [
        'an unknown field of the amount',
        { amount: { net: 1, gross: 1, vat: 0 } },
        'UNRECOGNIZED_KEYS body.amount.vat',
      ],
      ['a comment of 1001 characters', { comment: 'x'.repeat(1_001) }, 'TOO_LONG body.comment'],
      ['a comment with a control character', { comment: 'a\u0007' }, 'INVALID_VALUE body.comment'],
      ['a comment as an object', { comment: {} }, 'INVALID_TYPE body.comment'],
      ['custom_data as a list', { custom_data: [] }, 'INVALID_TYPE body.custom_data'],
      ['custom_data 9 levels deep', { custom_data: nested(9) }, 'TOO_BIG body.custom_data'],
      ['custom_data over 16 KiB', { custom_data: ofBytes(16_385) }, 'TOO_LONG body.custom_data'],
      ['line_items as an object', { line_items: {} }, 'INVALID_TYPE body.line_items'],
      ['501 line items', { line_items: Array(501).fill(line({})) }, 'TOO_LONG body.line_items'],
      ['a line item that is null', { line_items: [null] }, 'INVALID_TYPE body.line_items.0'],
      ['contact_email without @', { contact_email: 'nobody' }, 'INVALID_FORMAT body.contact_email'],
      ['contact_email empty', { contact_email: '' }, 'TOO_SHORT body.contact_email'],
      [
        'contact_email of 255 characters',
        { contact_email: `${'a'.repeat(243)}@example.com` },
        'TOO_LONG body.contact_email',
      ],
      ['an unknown field', { status: 'CONFIRMED' }, 'UNRECOGNIZED_KEYS body.status'],
    ])('refuses %s', async (_, more, issue) => {
      expect(issuesOf(await draft(more))).toEqual([issue]);
    });

    it.each<[string, object, string]>([
      ['name missing', lineWithout('name'), 'REQUIRED body.line_items.1.name'],
      ['name of spaces', line({ name: '  ' }), 'TOO_SHORT body.line_items.1.name'],
      ['name of 256 characters', line({ name: 'x'.repeat(256) }), 'TOO_LONG body.line_items.1.name'],
      ['name of two lines', line({ name: 'a\nb' }), 'INVALID_VALUE body.line_items.1.name'],
      ['category missing', lineWithout('category'), 'REQUIRED body.line_items.1.category'],
      ['category empty', line({ category: '' }), 'TOO_SHORT body.line_items.1.category'],
      [
        'category of 101 characters',
        line({ category: 'x'.repeat(101) }),
        'TOO_LONG body.line_items.1.category',
      ],
      ['price missing', lineWithout('price'), 'REQUIRED body.line_items.1.price'],
      ['price with a fraction', line({ price: 0.5 }), 'INVALID_TYPE body.line_items.1.price'],
      ['price as text', line({ price: '5' }), 'INVALID_TYPE body.line_items.1.price'],
      ['price null', line({ price: null }), 'INVALID_TYPE body.line_items.1.price'],
      ['price below -10^12', line({ price: -MINOR_UNITS_MAX - 1 }), 'TOO_SMALL body.line_items.1.price'],
      ['price over 10^12', line({ price: MINOR_UNITS_MAX + 1 }), 'TOO_BIG body.line_items.1.price'],
      ['quantity missing', lineWithout('quantity'), 'REQUIRED body.line_items.1.quantity'],
      ['quantity 0', line({ quantity: 0 }), 'TOO_SMALL body.line_items.1.quantity'],
      ['quantity over 10^6', line({ quantity: 1_000_001 }), 'TOO_BIG body.line_items.1.quantity'],
      ['quantity with a fraction', line({ quantity: 1.5 }), 'INVALID_TYPE body.line_items.1.quantity'],
      [
        'description of 2001 characters',
        line({ description: 'x'.repeat(2_001) }),
        'TOO_LONG body.line_items.1.description',
      ],
      [
        'description with an escape',
        line({ description: '\u001b[2J' }),
        'INVALID_VALUE body.line_items.1.description',
      ],
      ['an unknown currency', line({ currency: 'BTC' }), 'INVALID_ENUM body.line_items.1.currency'],
      ['an unknown field', line({ sku: 'E1' }), 'UNRECOGNIZED_KEYS body.line_items.1.sku'],
    ])('refuses a line item with %s', async (_, second, issue) => {
      expect(issuesOf(await draft({ line_items: [line({}), second] }))).toEqual([issue]);
    });

    it('returns every issue at once', async () => {
      const reply = await draft({
        external_id: 'a b',
        amount: { net: 100, tax: 1, gross: 100 },
        comment: 5,
        line_items: [line({ quantity: 0 }), line({ name: '' })],
        contact_email: 'nobody',
        surprise: true,
      });
      expect(issuesOf(reply).sort()).toEqual([
        'AMOUNT_MISMATCH body.amount.gross',
        'INVALID_FORMAT body.contact_email',
        'INVALID_FORMAT body.external_id',
        'INVALID_TYPE body.comment',
        'TOO_SHORT body.line_items.1.name',
        'TOO_SMALL body.line_items.0.quantity',
        'UNRECOGNIZED_KEYS body.surprise',
      ]);
      expect(reply.body).toMatchObject({ code: 'BAD_REQUEST', error: '7 validation issues' });
    });

    it('is answered when there is no body at all', async () => {
      expect(issuesOf(await world.post(path))).toEqual(['REQUIRED body']);
    });
  });
});

describe('POST /v1/orders/draft', () => {
  it('refuses a payment term, which a draft does not have', async () => {
    const world = await createWorld();
    const reply = await world.post('/v1/orders/draft', draftOrderBody({ payment_term: 'DEFER_30D' }));
    expect(issuesOf(reply)).toEqual(['UNRECOGNIZED_KEYS body.payment_term']);
    await world.close();
  });
});

interface Refused {
  status: number;
  body: { issues: { code: string; path: string }[] };
}

function issuesOf({ status, body }: Refused): string[] {
  expect(status).toBe(400);
  return body.issues.map(({ code, path }) => `${code} ${path}`);
}
