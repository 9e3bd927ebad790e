import { randomBytes } from 'node:crypto';
import { Agent, request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CheckoutWorld, createCheckout } from '#test/checkout';
import { inWaves } from '#test/in-waves';
import { patience } from '#test/patience';
import { createWorld, type World } from '#test/world';

const TOKENS = 1_000;
/** The number of unknown tokens that one address may try at the same time. */
const TOKENS_OF_AN_ADDRESS = 25;

let world: World;
let checkout: CheckoutWorld;
const agents: Agent[] = [];
beforeAll(async () => {
  world = await createWorld();
  checkout = await createCheckout(world);
});
afterAll(async () => {
  await Promise.all(agents.map((agent) => agent.close()));
  await world.close();
});

/** Sent from a loopback address; each address has its own limit. */
function agentFrom(nth: number): Agent {
  const agent = new Agent({
    localAddress: `127.0.${1 + Math.floor(nth / 200)}.${1 + (nth % 200)}`,
    connections: 4,
  });
  agents.push(agent);
  return agent;
}

describe('a thousand invalid tokens', () => {
  it('get identical answers: forged, expired, revoked and truncated ones', {
    timeout: patience(60),
  }, async () => {
    const orders = await Promise.all(Array.from({ length: 10 }, () => checkout.draft()));
    const orderIds = Array.from({ length: 300 }, (_, nth) => orders[nth % 10]?.id as string);
    const createLinks = () => inWaves(orderIds, 100, (id) => checkout.create(id));
    const expired = await createLinks();
    await world.sql('update checkout_links set expires_at = created_at');
    const revoked = await createLinks();
    await world.sql('update checkout_links set revoked_at = created_at where expires_at > created_at');
    const good = await checkout.create(orders[0]?.id as string);
    const forged = Array.from({ length: 300 }, () => randomBytes(32).toString('base64url'));
    // One character away from a valid token.
    const cut = Array.from({ length: 100 }, (_, nth) =>
      nth < 43
        ? good.slice(0, nth + 1 === good.length ? -1 : nth + 1)
        : `${good.slice(0, nth % 43)}${good[nth % 43] === 'A' ? 'B' : 'A'}${good.slice((nth % 43) + 1)}`,
    );
    const tokens = [expired, revoked, forged, cut].flat();
    expect(tokens).toHaveLength(TOKENS);
    expect(tokens).not.toContain(good);

    const agentOf = Array.from({ length: TOKENS / TOKENS_OF_AN_ADDRESS }, (_, nth) => agentFrom(nth));
    const answers = await inWaves(tokens, 500, async (token, nth) => {
      const { statusCode, headers, body } = await request(`${world.baseUrl}/checkout/${token}/company`, {
        dispatcher: agentOf[Math.floor(nth / TOKENS_OF_AN_ADDRESS)] as Agent,
      });
      const { date: _, 'request-id': __, ...rest } = headers;
      return JSON.stringify([statusCode, rest, await body.text()]);
    });
    const different = new Set(answers);
    expect(different.size).toBe(1);
    expect(answers[0]).toMatch(/^\[404,.*This link no longer works/);
    const { statusCode } = await request(`${world.baseUrl}/checkout/${good}/company`);
    expect(statusCode).toBe(200);
  });
});
