/** `--json`: the output that a script reads. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get } from '#test/program-requests';

let program: RunningProgram;
let decision: string;
const run = async (...args: string[]) => {
  const { code, stdout, stderr } = await runHere([...args, '--json'], program.env);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
};

beforeAll(async () => {
  program = await startProgram();
  decision = (await get(program, '/v1/buyers/cafe-morgenrot/decisions')).body.items[0].decision_id;
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('a command with --json prints', () => {
  it.each([
    [['platform', 'list'], { code: 'demo', currency: 'EUR', disabled_at: null }],
    [['operator', 'list'], { operator: 'ada', role: 'ADMIN', created_at: expect.any(Number) }],
    [['key', 'list'], { name: 'first key', merchant_external_id: null, last_used_at: null }],
    [['policy', 'list'], { version: 1, is_active: true, sha256: expect.stringMatching(/^[\da-f]{64}$/) }],
    [['facility', 'list', '--status', 'ACTIVE'], { status: 'ACTIVE', total_amount: expect.any(Number) }],
    [['merchant', 'list'], { status: 'ENROLLED', created_at: expect.any(Number) }],
    [['review', 'list', '--status', 'DECIDED,OPEN'], { review_id: expect.any(String) }],
    [['limits', 'show'], { setting: 'tolerance-percent', from: 'default', value: 0 }],
    [['decision', 'list', '--buyer', 'cafe-morgenrot'], { outcome: 'ACCEPT', limit_amount: 2_000_000 }],
  ])('%j: an array of what the API would say', async (args, item) => {
    expect(await run(...args)).toEqual(expect.arrayContaining([expect.objectContaining(item)]));
  });

  it('a list without items as an empty array', async () => {
    expect(await run('mail', 'list', '--status', 'FAILED')).toEqual([]);
    expect(await run('approval', 'list')).toEqual([]);
  });

  it('one thing with all of its fields', async () => {
    expect(await run('facility', 'show', '--buyer', 'cafe-morgenrot')).toMatchObject({
      total_amount: 2_000_000,
      ledger: expect.arrayContaining([expect.objectContaining({ cause: 'LIMIT_GRANTED' })]),
    });
    expect(await run('decision', 'show', decision)).toMatchObject({ decision_id: decision, internal: {} });
    expect(await run('decision', 'export', decision)).toMatchObject({ decision: {} });
    expect(await run('decision', 'explain', decision, '--what-if', 'orders_closed=5')).toMatchObject({
      after: { outcome: expect.any(String) },
    });
    expect(await run('registry', 'status')).toMatchObject({ registries: [{ registry: 'DEMO' }] });
    expect(await run('policy', 'show')).toMatchObject({ nodes: expect.any(Array) });
    expect(await run('audit', 'verify')).toEqual({
      entries: expect.any(Number),
      head: expect.stringMatching(/^\d+:[\da-f]{64}$/),
    });
  });

  it('the figures of a back-test, in the same words as the API', async () => {
    const { old, differences } = await run('policy', 'backtest', '1');
    expect(old).toMatchObject({
      applications: expect.any(Number),
      currencies: { EUR: { limit_sum: expect.any(Number) } },
    });
    expect(differences).toEqual([]);
  });

  it('what a change made', async () => {
    const made = await run('key', 'create', '--name', 'till');
    expect(made).toEqual({ key_id: expect.any(String), api_key: expect.stringMatching(/^tl_test_/) });
    expect(await run('key', 'revoke', '--key', made.key_id)).toEqual({ key_id: made.key_id });
    const reason = ['--reason', 'Why'];
    expect(await run('facility', 'freeze', '--buyer', 'cafe-morgenrot', ...reason)).toMatchObject({
      status: 'FROZEN',
    });
    const { approval_id } = await run('limits', 'set', '--tolerance-percent', '5', ...reason);
    expect(await run('approval', 'show', approval_id)).toMatchObject({
      ...{ approval_id, status: 'PROPOSED', after: { tolerancePercent: 5 } },
    });
    expect(await run('approval', 'show', approval_id)).not.toHaveProperty('payload');
    expect(await run('approval', 'reject', approval_id, ...reason)).toMatchObject({ approval_id });
  });
});
