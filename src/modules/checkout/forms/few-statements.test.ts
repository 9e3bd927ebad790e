import pg from 'pg';
import { beforeEach, expect, it, vi } from 'vitest';
import { useCheckout } from '#test/checkout-setup';

const sent = vi.spyOn(pg.Client.prototype, 'query');
const setup = useCheckout({ world: { settings: { TRADELINE_WORKER: 'off' } } });
beforeEach(async () => {
  await setup.come();
  await setup.visitor.enterCompany();
  sent.mockClear();
});

it('the details are saved, and a code is mailed, in at most ten statements, begin and commit included', async () => {
  expect(await setup.visitor.sendDetails()).toEqual({ kind: 'DONE' });
  expect(sent.mock.calls.length).toBeLessThanOrEqual(10);
});
