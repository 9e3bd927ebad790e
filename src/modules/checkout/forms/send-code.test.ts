import { afterAll, beforeAll, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { createCheckout, visit } from '#test/checkout';
import { mailsOf } from '#test/mails';
import { createWorld, type World } from '#test/world';

const NOW = 1_800_000_000;

let world: World;
beforeAll(async () => {
  world = await createWorld({ settings: { TRADELINE_WORKER: 'off' } });
});
afterAll(() => world.close());

it('an earlier code that still waits for the mail server is withdrawn: only the last one counts', async () => {
  world.clock.set(NOW);
  const checkout = await createCheckout(world);
  const { external_id: _, ...company } = buyerBody({});
  const { token } = await checkout.draft({ buyer: company });
  const visitor = await visit(checkout, token);
  const send = () => visitor.send((forms, sender) => forms.sendCode(sender));
  for (const second of [0, 60, 120]) {
    world.clock.set(NOW + second);
    expect(await send()).toEqual({ kind: 'DONE' });
  }
  const codes = (await mailsOf(world)).filter(({ kind }) => kind === 'checkout_code');
  expect(codes.map(({ createdAt, status }) => [createdAt - NOW, status])).toEqual([
    [0, 'WITHDRAWN'],
    [60, 'WITHDRAWN'],
    [120, 'PENDING'],
  ]);
});
