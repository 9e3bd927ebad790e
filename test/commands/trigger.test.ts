import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '#kernel/event';
import { runHere } from '#test/command';
import { createWorld, type World } from '#test/world';
import { EVENT_RECIPES } from '../../src/cli/event-recipes.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { account_town: 'Berlin', account_country: 'DE' } });
  await world.post('/v1/webhooks', { type: 'WEBHOOK', url: 'http://127.0.0.1:9/' });
});
afterAll(() => world.close());

const env = () => ({ TRADELINE_BASE_URL: world.baseUrl, TRADELINE_API_KEY: world.apiKey });
const trigger = (...args: string[]) => runHere(['trigger', ...args], env());

describe('trigger', () => {
  it.each(Object.keys(EVENT_RECIPES))('makes %s by operations of the API', async (type) => {
    const [before] = await world.sql<{ last: string }>(
      'select coalesce(max(ordinal), 0) as last from events',
    );
    expect(await trigger(type)).toMatchObject({ code: 0, stdout: `${type} was made.\n`, stderr: '' });
    const made = await world.sql('select 1 from events where type = $1 and ordinal > $2', [
      type,
      before?.last,
    ]);
    expect(made.length).toBeGreaterThan(0);
  });

  it('makes every event but those that take a person, or several others', () => {
    expect(EVENT_TYPES.filter((type) => !Object.hasOwn(EVENT_RECIPES, type))).toEqual([
      ...['FACILITY.LIMIT.CHANGED'],
      ...['ENDED', 'PAUSED', 'RESUMED', 'STEP'].map((event) => `INVOICE.DUNNING.${event}`),
      ...['ACCEPTED', 'DEFAULTED', 'PAID_OUT', 'SETTLED'].map((status) => `INVOICE.FINANCING.${status}`),
      ...['CLAIMED', 'PAID', 'REOPENED', 'WAIVED'].map((status) => `INVOICE.LATE_CHARGE.${status}`),
      'ORDER.DISBURSED',
    ]);
  });

  it.each([
    [[]],
    [['ORDER']],
    [['FACILITY.LIMIT.CHANGED']],
    [['ORDER.CONFIRMED', 'ORDER.EXPIRED']],
    [['toString']],
  ])('answers %j with what can be made', async (args) => {
    const { code, stderr } = await trigger(...args);
    expect(code).toBe(2);
    expect(stderr).toContain('Name one of the events that can be triggered: BUYER.CREATED, BUYER.UPDATED,');
  });

  it('says what is missing: a key, a right, a service', async () => {
    expect(await runHere(['trigger', 'BUYER.CREATED'], { TRADELINE_BASE_URL: world.baseUrl })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Set TRADELINE_API_KEY /),
    });
    const key = await world.addKey({ scopes: ['read'] });
    const refused = await runHere(['trigger', 'BUYER.CREATED'], { ...env(), TRADELINE_API_KEY: key });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('403 INSUFFICIENT_SCOPE') });
    const nobody = { ...env(), TRADELINE_BASE_URL: 'http://127.0.0.1:9' };
    expect(await runHere(['trigger', 'BUYER.CREATED'], nobody)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^http:\/\/127\.0\.0\.1:9 does not answer /),
    });
  });
});
