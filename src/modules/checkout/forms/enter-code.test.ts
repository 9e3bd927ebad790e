import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { type CheckoutWorld, createCheckout, type Drafted, type Visitor, visit } from '#test/checkout';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const DONE = { kind: 'DONE' };

let world: World;
let checkout: CheckoutWorld;
let drafted: Drafted;
let visitor: Visitor;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

/** A returning buyer, with the company on file. */
beforeEach(async () => {
  world.clock.set(NOW);
  const { external_id: _, ...company } = buyerBody({});
  drafted = await checkout.draft({ buyer: company });
  visitor = await visit(checkout, drafted.token);
});

const send = (by = visitor) => by.send((forms, sender) => forms.sendCode(sender));
const enter = (code: string, by = visitor) => by.send((forms, sender) => forms.enterCode(sender, code));
const sent = () => checkout.codes(drafted.id);
const lastCode = async () => (await sent()).at(-1)?.code as string;
const otherThan = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
const wrong = (left: number) => ({
  kind: 'REFUSED',
  errors: [{ field: 'code', error: 'error.code_wrong', values: { left } }],
});
const EXPIRED = { kind: 'REFUSED', errors: [{ field: 'code', error: 'error.code_expired' }] };

describe('before the code', () => {
  it('shows nothing on file but the masked address', async () => {
    const view = await visitor.view();
    expect(view).toMatchObject({
      step: 'code',
      steps: ['code', 'details', 'payment', 'review', 'outcome'],
      companyName: null,
      company: null,
      person: null,
      delivery: null,
      notifiedEmail: null,
      code: { email: 'e•••@m•••.example', isSent: false, validMinutes: 10, againInSeconds: 0 },
    });
    expect(JSON.stringify(view)).not.toMatch(/Café|einkauf|10435/);
  });

  it('refuses the forms of later steps', async () => {
    expect(await visitor.enterCompany()).toEqual({ kind: 'STALE' });
    expect(await visitor.enterDetails()).toEqual({ kind: 'STALE' });
    expect(await visitor.choosePayment('PREPAYMENT')).toEqual({ kind: 'STALE' });
    expect(await visitor.placeOrder()).toEqual({ kind: 'STALE' });
    expect(await world.sql('select from facilities where buyer_external_id = $1', [drafted.buyer])).toEqual(
      [],
    );
  });

  it('prefers the order’s address', async () => {
    const { id, token } = await checkout.draft({
      order: { contact_email: 'order@nordlicht.example' },
      buyer: buyerBody({ external_id: 'of-order' }),
    });
    const other = await visit(checkout, token);
    expect((await other.view()).code?.email).toBe('o•••@n•••.example');
    await send(other);
    expect(await checkout.codes(id)).toMatchObject([{ to: 'order@nordlicht.example' }]);
  });
});

describe('sending a code', () => {
  it('mails six digits to the address on file, and stores them nowhere', async () => {
    expect(await send()).toEqual(DONE);
    const [mail] = await sent();
    expect(mail).toMatchObject({
      kind: 'checkout_code',
      to: 'einkauf@morgenrot.example',
      // The language of the buyer's country.
      locale: 'de',
      createdAt: NOW,
      code: expect.stringMatching(/^\d{6}$/),
    });
    expect(mail?.text).toContain(drafted.id);
    expect((await visitor.view()).code).toMatchObject({ isSent: true, againInSeconds: 30 });
    const [row] = await world.sql<{ code_mac: Buffer }>('select * from checkout_codes');
    expect(row?.code_mac).toHaveLength(32);
    expect(await tablesHolding(world, [mail?.code as string])).toEqual([]);
  });

  it('sends another one only after half a minute', async () => {
    await send();
    world.clock.set(NOW + 29);
    expect(await send()).toEqual(DONE);
    expect(await sent()).toHaveLength(1);
    world.clock.set(NOW + 30);
    expect(await send()).toEqual(DONE);
    expect(await sent()).toHaveLength(2);
  });

  it('sends one for many concurrent requests', async () => {
    await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(await sent()).toHaveLength(1);
  });

  it('sends at most five an hour, for all browsers', async () => {
    for (let nth = 0; nth < 5; nth++) {
      world.clock.set(NOW + nth * 60);
      expect(await send()).toEqual(DONE);
    }
    world.clock.set(NOW + 3_599);
    const other = await visit(checkout, drafted.token);
    expect(await send(other)).toEqual({
      kind: 'REFUSED',
      errors: [{ field: null, error: 'error.code_too_many' }],
    });
    world.clock.set(NOW + 3_600);
    expect(await send(other)).toEqual(DONE);
    expect(await sent()).toHaveLength(6);
  });

  it('sends nothing to a buyer that is only invited', async () => {
    const { id, token } = await checkout.draft();
    const invited = await visit(checkout, token);
    expect(await invited.view()).toMatchObject({ step: 'company', code: null });
    expect(await send(invited)).toEqual(DONE);
    expect(await checkout.codes(id)).toEqual([]);
  });
});

describe('entering the code', () => {
  beforeEach(async () => {
    await send();
  });

  it('shows the buyer on file to this browser only', async () => {
    expect(await enter(await lastCode())).toEqual(DONE);
    expect(await visitor.view()).toMatchObject({
      step: 'details',
      code: null,
      companyName: 'Café Morgenrot eG',
      company: { postcode: '10435', businessId: null },
      isCompanyOnFile: true,
    });
    const other = await visit(checkout, drafted.token);
    expect(await other.view()).toMatchObject({ step: 'code', companyName: null });
  });

  it.each([
    ['with spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}\t`],
    ['with a hyphen', (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
    [
      'in full-width digits',
      (code: string) => [...code].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
    ],
  ])('accepts it %s', async (_, write) => {
    expect(await enter(write(await lastCode()))).toEqual(DONE);
  });

  it('counts wrong attempts, and accepts nothing after the fifth', async () => {
    const code = await lastCode();
    for (const left of [4, 3, 2, 1, 0]) expect(await enter(otherThan(code))).toEqual(wrong(left));
    expect(await enter(code)).toEqual(wrong(0));
    expect((await visitor.view()).step).toBe('code');
    world.clock.set(NOW + 30);
    await send();
    expect(await enter(await lastCode())).toEqual(DONE);
  });

  it('counts each of several concurrent attempts', async () => {
    const code = await lastCode();
    const sender = visitor.sender();
    const tried = await Promise.all(
      Array.from({ length: 20 }, () => checkout.forms.enterCode(sender, otherThan(code))),
    );
    expect(tried.filter((each) => JSON.stringify(each) === JSON.stringify(wrong(0)))).toHaveLength(16);
    expect(await enter(code)).toEqual(wrong(0));
  });

  it.each(['', '  ', '12345', '1234567', 'abcdef', '12345６７', "1' or '1"])(
    'does not count text that cannot be a code: %j',
    async (typed) => {
      const expected =
        typed.trim() === ''
          ? { kind: 'REFUSED', errors: [{ field: 'code', error: 'error.required' }] }
          : wrong(5);
      expect(await enter(typed)).toEqual(expected);
      expect(await enter(await lastCode())).toEqual(DONE);
    },
  );

  it('accepts it for ten minutes', async () => {
    const code = await lastCode();
    world.clock.set(NOW + 600);
    expect(await enter(code)).toEqual(EXPIRED);
    expect((await visitor.view()).code?.isSent).toBe(false);
    world.clock.set(NOW + 599);
    expect(await enter(code)).toEqual(DONE);
  });

  it('accepts it once', async () => {
    const code = await lastCode();
    await enter(code);
    const other = await visit(checkout, drafted.token);
    expect(await enter(code, other)).toEqual(EXPIRED);
  });

  it('accepts only the last code sent', async () => {
    const first = await lastCode();
    world.clock.set(NOW + 30);
    await send();
    expect(await enter(first)).toEqual(first === (await lastCode()) ? DONE : wrong(4));
  });

  it('refuses the code of another order', async () => {
    const code = await lastCode();
    const other = await checkout.draft({
      buyer: buyerBody({ external_id: `other-${drafted.id}`, contact_email: 'x@y.example' }),
    });
    const elsewhere = await visit(checkout, other.token);
    expect(await enter(code, elsewhere)).toEqual(EXPIRED);
  });

  it('is not needed again', async () => {
    await enter(await lastCode());
    world.clock.set(NOW + 3_600);
    expect(await enter('000000')).toEqual(DONE);
    expect(await send()).toEqual(DONE);
    expect(await sent()).toHaveLength(1);
  });
});

describe('a buyer on file without an e-mail address', () => {
  it('enters the person, and does not see the data on file', async () => {
    const { token } = await checkout.draft({
      buyer: buyerBody({ external_id: `mute-${drafted.id}`, contact_email: null }),
    });
    const mute = await visit(checkout, token);
    expect(await mute.view()).toMatchObject({
      step: 'details',
      steps: ['details', 'code', 'payment', 'review', 'outcome'],
      company: null,
      companyName: null,
      code: null,
    });
    expect(await mute.enterDetails()).toMatchObject({ errors: [{ field: 'phone', error: 'error.phone' }] });
    expect(await mute.enterDetails({ person: { phone: '+49 30 1234567' } })).toEqual({
      kind: 'CREDIT_DECIDED',
    });
    expect(await mute.view()).toMatchObject({
      step: 'payment',
      company: null,
      person: { lastName: 'Yilmaz' },
    });
    expect(await mute.choosePayment('PREPAYMENT')).toEqual(DONE);
    expect(await mute.placeOrder()).toEqual(DONE);
  });
});
