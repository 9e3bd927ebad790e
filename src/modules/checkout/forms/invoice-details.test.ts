import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TypedInvoice } from '#modules/checkout';
import {
  arrive,
  type CheckoutWorld,
  createCheckout,
  NO_DELIVERY_ADDRESS,
  PERSON,
  type Visitor,
} from '#test/checkout';
import { createWorld, type World } from '#test/world';

const NOTHING: TypedInvoice = {
  purchaseOrder: '',
  email: '',
  isBilledElsewhere: false,
  address: NO_DELIVERY_ADDRESS,
};
const ADDRESS = {
  ...NO_DELIVERY_ADDRESS,
  street: 'Marktplatz 3',
  postcode: '28195',
  city: 'Bremen',
  country: 'DE',
};

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

const enter = (visitor: Visitor, invoice: TypedInvoice) =>
  visitor.send((forms, from) =>
    forms.enterDetails(from, {
      person: PERSON,
      delivery: { to: 'COMPANY', address: NO_DELIVERY_ADDRESS },
      invoice,
    }),
  );

async function placed(visitor: Visitor, id: string) {
  if ((await visitor.view()).code) await visitor.confirm();
  await visitor.choosePayment('PREPAYMENT');
  expect(await visitor.placeOrder()).toEqual({ kind: 'DONE' });
  return (await world.get(`/v1/orders/${id}`)).body;
}

describe('what the invoice needs', () => {
  it('may be left out', async () => {
    const { drafted, visitor } = await arrive(world, checkout, 'details');
    await enter(visitor, NOTHING);
    expect(await placed(visitor, drafted.id)).toMatchObject({
      purchase_order_number: null,
      invoice_email: null,
      billing_address: null,
    });
  });

  it('is trimmed, shown again, and becomes the order’s', async () => {
    const { drafted, visitor } = await arrive(world, checkout, 'details');
    const typed = {
      purchaseOrder: ' PO 4711 ',
      email: 'rechnung@morgenrot.example',
      isBilledElsewhere: true,
      address: ADDRESS,
    };
    await enter(visitor, typed);
    expect((await visitor.view()).invoice).toMatchObject({
      purchaseOrder: 'PO 4711',
      email: 'rechnung@morgenrot.example',
      address: { street: 'Marktplatz 3', house: null },
    });
    expect(await placed(visitor, drafted.id)).toMatchObject({
      purchase_order_number: 'PO 4711',
      invoice_email: 'rechnung@morgenrot.example',
      billing_address: { city: 'Bremen', country: 'DE' },
    });
  });

  it('keeps what the platform sent with the draft', async () => {
    const order = { purchase_order_number: 'PO-1', invoice_email: 'sent@morgenrot.example' };
    const { drafted, visitor } = await arrive(world, checkout, 'details', { order });
    const { invoice } = await visitor.view();
    // The mailbox is shown only to a browser that may see the buyer on file.
    expect(invoice).toEqual({ purchaseOrder: 'PO-1', email: '', address: null });
    await enter(visitor, { ...NOTHING, purchaseOrder: 'PO-2' });
    expect(await placed(visitor, drafted.id)).toMatchObject({
      purchase_order_number: 'PO-2',
      invoice_email: 'sent@morgenrot.example',
    });
  });

  it('is refused with its fields named', async () => {
    const { visitor } = await arrive(world, checkout, 'details');
    const typed = {
      purchaseOrder: 'x'.repeat(71),
      email: 'nobody',
      isBilledElsewhere: true,
      address: NO_DELIVERY_ADDRESS,
    };
    const result = await enter(visitor, typed);
    expect(result.kind === 'REFUSED' && result.errors.map(({ field }) => field).sort()).toEqual([
      'billing_city',
      'billing_country',
      'billing_postcode',
      'billing_street',
      'invoice_email',
      'purchaseOrder',
    ]);
  });
});
