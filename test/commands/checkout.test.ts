import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody, draftOrderBody, merchantBody } from '#test/bodies';
import { runHere } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';

let program: RunningProgram;
const run = (...args: string[]) => runHere(['checkout', ...args], program.env);
const LINK =
  /^(http:\/\/127\.0\.0\.1:\d+)\/checkout\/[\w-]{48}\n\nValid until (\S+)\. Anyone who has the link acts for the buyer\.\n$/;

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  await post(program, '/v1/buyers', buyerBody({}));
  await post(program, '/v1/merchants', merchantBody({}));
  await post(program, '/v1/orders/draft', draftOrderBody({}));
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('checkout link', () => {
  it('makes a link to the service that runs here, by the time of the platform', async () => {
    await post(program, '/v1/sandbox/clock', { advance_seconds: 1_000_000 });
    const before = Math.floor(Date.now() / 1_000);
    const { code, stdout, stderr } = await run('link', 'order', '--platform', 'demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, baseUrl, until = ''] = LINK.exec(stdout) ?? [];
    expect(baseUrl).toBe(program.baseUrl);
    const madeAt = Date.parse(until) / 1_000 - 604_800 - 1_000_000;
    expect(madeAt).toBeGreaterThanOrEqual(before);
    expect(madeAt).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
  });

  it('makes one to the address that was set', async () => {
    const env = { ...program.env, TRADELINE_BASE_URL: 'https://credit.example' };
    const { stdout } = await runHere(['checkout', 'link', 'order'], env);
    expect(stdout).toMatch(/^https:\/\/credit\.example\/checkout\/[\w-]{48}\n/);
  });

  it('requires the address if it cannot be known', async () => {
    const { TRADELINE_READY_FILE: _, ...env } = program.env;
    expect(await runHere(['checkout', 'link', 'order'], env)).toMatchObject({
      code: 1,
      stderr: 'Set TRADELINE_BASE_URL to the address of the service: with PORT=0, its port is not known.\n',
    });
    const { stdout } = await runHere(['checkout', 'link', 'order'], { ...env, PORT: '8123' });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:8123\/checkout\//);
  });
});

describe('checkout revoke', () => {
  it('ends every link there is, once', async () => {
    expect((await run('revoke', 'order')).stdout).toBe('Revoked 3 links to the checkout of order.\n');
    expect((await run('revoke', 'order')).stdout).toBe('There was no valid link to the checkout of order.\n');
    await run('link', 'order');
    expect((await run('revoke', 'order')).stdout).toBe('Revoked the one link to the checkout of order.\n');
  });
});

describe.each(['link', 'revoke'])('checkout %s', (verb) => {
  it.each([
    [[], `Name one order by its external_id: tradeline checkout ${verb} ORDER.`],
    [['a b'], `Name one order by its external_id: tradeline checkout ${verb} ORDER.`],
    [['order', 'other'], `Name one order by its external_id: tradeline checkout ${verb} ORDER.`],
    [['nobody'], 'There is no order nobody on demo.'],
    [['order', '--platform', 'nobody'], 'There is no platform with the code nobody.'],
  ])('with %j is refused with one sentence', async (args, sentence) => {
    expect(await run(verb, ...args)).toEqual({
      ...{ code: expect.toBeOneOf([1, 2]), signal: null },
      ...{ stdout: '', stderr: `${sentence}\n` },
    });
  });
});

describe('checkout link of an order that is no draft any more', () => {
  it('is refused with its status', async () => {
    await post(program, '/v1/orders/order/cancel', {});
    expect(await run('link', 'order')).toMatchObject({
      code: 1,
      stderr: 'Order in status CANCELLED does not allow this.\n',
    });
  });
});
