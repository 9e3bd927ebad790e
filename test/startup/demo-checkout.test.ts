import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { orderOfToken } from '#test/checkout';
import { createStoryWorld } from '#test/story-world';
import type { World } from '#test/world';
import { openDemoCheckout } from '../../src/cli/demo.ts';
import { checkoutDrafts } from '../../src/cli/demo-cast.ts';

const BASE_URL = 'http://127.0.0.1:4711';

describe('The checkout that a start shows', () => {
  let world: World;
  beforeAll(async () => {
    world = await createStoryWorld();
  });
  afterAll(() => world.close());

  const open = () => openDemoCheckout(world.installation, BASE_URL);
  const orderOf = (url: string | null) => orderOfToken(world, url?.split('/').at(-1) ?? '');
  const redirectUrl = async () => (await world.get('/v1/platform')).body.redirect_url;

  it('is of a draft of the story, another one once that is completed, and none when all are', async () => {
    for (const externalId of checkoutDrafts) {
      const url = await open();
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4711\/checkout\/[\w-]{48}$/);
      expect(await orderOf(url)).toBe(externalId);
      await world.post(`/v1/orders/${externalId}/cancel`);
    }
    expect(await open()).toBeNull();
  });

  it('returns to the service where it listens now, and to no other address that was set', async () => {
    expect(await redirectUrl()).toBe(`${BASE_URL}/docs`);
    await world.sql("update platforms set redirect_url = 'https://markthalle.example/docs'");
    await open();
    expect(await redirectUrl()).toBe('https://markthalle.example/docs');
  });
});
