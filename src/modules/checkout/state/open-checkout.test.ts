import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckoutForms, type FormResult, type FormSender, revokeLinks } from '#modules/checkout';
import { draftOrderBody, merchantBody } from '#test/bodies';
import {
  type CheckoutWorld,
  COMPANY,
  createCheckout,
  NO_DELIVERY_ADDRESS,
  PERSON,
  visit,
} from '#test/checkout';
import { tablesHolding } from '#test/stored';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;
const DAY = 86_400;

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  world.clock.set(NOW);
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

type FormName = Exclude<keyof CheckoutForms, 'open' | 'statusOf' | 'searchCompanies'>;
const FORMS: Record<FormName, (forms: CheckoutForms, sender: FormSender) => Promise<FormResult>> = {
  chooseLanguage: (forms, sender) => forms.chooseLanguage(sender, 'DE'),
  sendCode: (forms, sender) => forms.sendCode(sender),
  enterCode: (forms, sender) => forms.enterCode(sender, '123456'),
  skipCode: (forms, sender) => forms.skipCode(sender),
  chooseCompany: (forms, sender) => forms.chooseCompany(sender, 'TEST-1'),
  enterCompany: (forms, sender) => forms.enterCompany(sender, COMPANY),
  enterDetails: (forms, sender) =>
    forms.enterDetails(sender, { person: PERSON, delivery: { to: 'COMPANY', address: NO_DELIVERY_ADDRESS } }),
  requestReview: (forms, sender) => forms.requestReview(sender),
  choosePayment: (forms, sender) => forms.choosePayment(sender, 'PREPAYMENT'),
  placeOrder: (forms, sender) => forms.placeOrder(sender, { isGiven: true, termsVersion: '' }),
  cancelOrder: (forms, sender) => forms.cancelOrder(sender),
};
const NAMES = Object.keys(FORMS) as FormName[];
const SEARCH = { country: 'DE', query: 'Morgenrot' };

async function storedOf(id: string) {
  const [checkouts, sessions, codes] = await Promise.all(
    ['checkouts', 'checkout_sessions', 'checkout_codes'].map((table) =>
      world.sql(`select * from ${table} where order_external_id = $1`, [id]),
    ),
  );
  return { checkouts, sessions, codes };
}

describe('an invalid address', () => {
  const addresses: [what: string, token: () => Promise<string>][] = [
    ['is unknown', async () => randomBytes(32).toString('base64url')],
    ['is no token', async () => '\u0000../%'],
    ['is empty', async () => ''],
    [
      'has expired',
      async () => {
        const { token } = await checkout.draft();
        world.clock.set(world.clock.now() + 7 * DAY);
        return token;
      },
    ],
    [
      'is revoked',
      async () => {
        const { id, token } = await checkout.draft();
        const key = { platformId: world.platform.platform_id, orderExternalId: id };
        await revokeLinks(world.installation.db, key, world.clock.now());
        return token;
      },
    ],
  ];
  it.each(addresses)('opens nothing, accepts no form and has no status if the token %s', async (_, make) => {
    const token = await make();
    const { forms } = checkout;
    const sender = { token, session: randomBytes(32).toString('base64url'), version: 1, network: null };
    expect(await forms.open(token, null)).toEqual({ kind: 'UNKNOWN' });
    expect(await forms.statusOf(token)).toBeNull();
    expect(await forms.searchCompanies(sender, SEARCH)).toBeNull();
    for (const name of NAMES) expect(await FORMS[name](forms, sender)).toEqual({ kind: 'UNKNOWN' });
  });

  it('expires by the platform’s clock in the middle of a checkout', async () => {
    const { token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    await visitor.enterCompany();
    world.clock.set(world.clock.now() + 7 * DAY);
    expect(await visitor.enterDetails()).toEqual({ kind: 'UNKNOWN' });
  });

  it('keeps its session valid for another link to the same order', async () => {
    const { id, token } = await checkout.draft();
    const first = await visit(checkout, token);
    await first.enterCompany();
    const again = await visit(checkout, await checkout.create(id), first.session());
    expect(await again.view()).toMatchObject({ step: 'details', companyName: COMPANY.legalName });
  });
});

describe('a disabled platform', () => {
  it('is shown as disabled, and accepts no form', async () => {
    const { id, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    const before = await storedOf(id);
    await world.sql('update platforms set disabled_at = 1');
    try {
      const { forms } = checkout;
      expect(await forms.open(token, visitor.session())).toEqual({
        kind: 'DISABLED',
        platform: expect.objectContaining({ name: world.platform.name }),
        language: 'EN',
        formality: 'NEUTRAL',
      });
      expect(await forms.statusOf(token)).toBeNull();
      for (const name of NAMES)
        expect(await FORMS[name](forms, visitor.sender())).toEqual({ kind: 'UNKNOWN' });
      expect(await storedOf(id)).toEqual(before);
    } finally {
      await world.sql('update platforms set disabled_at = null');
    }
  });
});

describe('the first visit', () => {
  it('shows the order, and gives the browser a session that is stored as a hash', async () => {
    const { id, token } = await checkout.draft({
      order: {
        comment: 'Leave it at the door',
        line_items: [{ name: 'Coffee', category: 'FOOD', price: 5_950, quantity: 2, description: 'Dark' }],
      },
    });
    const opened = await checkout.forms.open(token, null);
    expect(opened).toMatchObject({
      kind: 'OPEN',
      newSession: expect.stringMatching(/^[\w-]{43}$/),
      view: {
        platform: {
          code: world.platform.code,
          name: world.platform.name,
          logo: null,
          helpEmail: null,
          origins: [],
        },
        language: 'EN',
        order: {
          externalId: id,
          merchantName: 'Nordlicht Kaffeerösterei GmbH',
          currency: 'EUR',
          netMinor: 10_000,
          taxMinor: 1_900,
          grossMinor: 11_900,
          comment: 'Leave it at the door',
          lines: [{ name: 'Coffee', description: 'Dark', quantity: 2, priceMinor: 5_950 }],
        },
        returnUrl: null,
        isCancellable: true,
      },
    });
    const session = opened.kind === 'OPEN' ? (opened.newSession as string) : '';
    expect(await tablesHolding(world, [session, token])).toEqual([]);
  });

  it('changes nothing when repeated with the session', async () => {
    const { id, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    const before = await storedOf(id);
    expect(await checkout.forms.open(token, visitor.session())).toMatchObject({ newSession: null });
    expect(await storedOf(id)).toEqual(before);
  });

  it.each([
    ['made up', randomBytes(32).toString('base64url')],
    ['malformed', "'; drop table checkouts; --"],
    ['with a NUL', `${'a'.repeat(42)}\u0000`],
  ])('replaces a session that is %s, which may send nothing', async (_, session) => {
    const { token } = await checkout.draft();
    await visit(checkout, token);
    const opened = await checkout.forms.open(token, session);
    expect(opened).toMatchObject({ kind: 'OPEN', newSession: expect.any(String) });
    const sender = { token, session, version: 1, network: null };
    expect(await checkout.forms.searchCompanies(sender, SEARCH)).toBeNull();
    for (const name of NAMES)
      expect(await FORMS[name](checkout.forms, sender)).toEqual({ kind: 'NO_SESSION' });
  });

  it('is required before any form', async () => {
    const { id, token } = await checkout.draft();
    const sender = { token, session: randomBytes(32).toString('base64url'), version: 1, network: null };
    for (const name of NAMES)
      expect(await FORMS[name](checkout.forms, sender)).toEqual({ kind: 'NO_SESSION' });
    expect((await storedOf(id)).checkouts).toEqual([]);
  });

  it('gives a session for one order only', async () => {
    const [one, other] = [await checkout.draft(), await checkout.draft()];
    const visitor = await visit(checkout, one.token);
    await visit(checkout, other.token);
    const sender = { ...visitor.sender(), token: other.token };
    expect(await FORMS.enterCompany(checkout.forms, sender)).toEqual({ kind: 'NO_SESSION' });
    expect(await checkout.forms.open(other.token, visitor.session())).toMatchObject({
      newSession: expect.any(String),
    });
  });
});

describe('the progress', () => {
  it('is stored in no table as plain text', async () => {
    const { token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    await visitor.enterCompany();
    await visitor.enterDetails({ person: { lastName: 'Zebrafink', email: 'ada@zebrafink.example' } });
    expect(await tablesHolding(world, ['Zebrafink', 'ada@zebrafink.example', '+49301234567'])).toEqual([]);
  });

  it('belongs to one platform: the same order of another platform has none', async () => {
    const { id, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    await visitor.enterCompany();
    const { platform, apiKey } = await world.addPlatform();
    const more = { key: apiKey };
    await world.post('/v1/merchants', merchantBody({}), more);
    await world.post('/v1/buyers', { external_id: 'buyer', contact_email: 'a@b.example' }, more);
    await world.post('/v1/orders/draft', draftOrderBody({ external_id: id }), more);
    const token2 = await checkout.create(id, platform.platform_id);
    const opened = await checkout.forms.open(token2, visitor.session());
    expect(opened).toMatchObject({
      kind: 'OPEN',
      newSession: expect.any(String),
      view: { step: 'company', version: 1, company: null, platform: { code: platform.code } },
    });
  });
});

describe('the language', () => {
  it('stays until another is chosen, and the formality is the buyer’s', async () => {
    const { buyer, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    expect(await visitor.view()).toMatchObject({ language: 'EN', formality: 'NEUTRAL' });
    await world.put(`/v1/buyers/${buyer}/settings`, { language: 'FR', formality: 'FORMAL' });
    expect(await visitor.view()).toMatchObject({ language: 'EN', formality: 'FORMAL' });
    expect(await visitor.send((forms, sender) => forms.chooseLanguage(sender, 'AR'))).toEqual({
      kind: 'DONE',
    });
    expect(await visitor.view()).toMatchObject({ language: 'AR', version: 2 });
    expect(await visitor.send((forms, sender) => forms.chooseLanguage(sender, 'tlh'))).toEqual({
      kind: 'REFUSED',
      errors: [{ field: 'language', error: 'error.choose' }],
    });
  });
});

describe('the return URL', () => {
  it('leads to the platform, with the order’s status', async () => {
    await world.sql(
      `update platforms set redirect_url = 'https://shop.example/back' where platform_id = $1`,
      [world.platform.platform_id],
    );
    const { id, token } = await checkout.draft();
    const visitor = await visit(checkout, token);
    const { returnUrl, platform } = await visitor.view();
    expect(platform.origins).toEqual(['https://shop.example']);
    const url = new URL(returnUrl as string);
    expect(url.origin + url.pathname).toBe('https://shop.example/back');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      order_external_id: id,
      status: 'DRAFT',
      t: `${world.clock.now()}`,
      signature: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });
});
