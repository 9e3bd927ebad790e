import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '#kernel/language';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { createWorld, type World } from '#test/world';

let world: World;
let checkout: CheckoutWorld;
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(() => world.close());

async function languageOf(token: string, browserLanguage: Language | null): Promise<Language> {
  const opened = await checkout.forms.open(token, null, { browserLanguage });
  if (opened.kind !== 'OPEN') throw new Error(`The checkout is ${opened.kind}.`);
  return opened.view.language;
}

describe('the first language of a checkout', () => {
  it('is that of the first browser, and stays', async () => {
    const { token } = await checkout.draft();
    expect(await languageOf(token, 'PL')).toBe('PL');
    expect(await languageOf(token, 'IT')).toBe('PL');
    expect(await languageOf(token, null)).toBe('PL');
  });

  it("is the buyer's own where it has one", async () => {
    const { token, buyer } = await checkout.draft();
    await world.put(`/v1/buyers/${buyer}/settings`, { language: 'FR' });
    expect(await languageOf(token, 'PL')).toBe('FR');
  });

  it("is the platform's for a browser that names none", async () => {
    const { token } = await checkout.draft();
    const { language } = (await world.get('/v1/platform')).body;
    expect(await languageOf(token, null)).toBe(language);
  });

  it('is read from Accept-Language', async () => {
    const { token } = await checkout.draft();
    const page = await fetch(`${world.baseUrl}/checkout/${token}/company`, {
      headers: { 'accept-language': 'fi-FI, en;q=0.5' },
    });
    expect(await page.text()).toContain('<html lang="fi"');
  });
});
