import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buyerBody } from '#test/bodies';
import { runHere } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { post } from '#test/program-requests';

let program: RunningProgram;
const run = (...args: string[]) => runHere(['buyer', ...args], program.env);

beforeAll(async () => {
  program = await startProgram({ args: ['--empty'] });
  await post(program, '/v1/buyers', buyerBody({ contact_email: 'buyer@buyer.example' }));
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

describe('buyer link', () => {
  it('makes a link that opens the way to a code, and leaves only that it was made', async () => {
    const { code, stdout, stderr } = await run('link', 'buyer', '--platform', 'demo');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const [, url = '', until = ''] =
      /^(\S+)\n\nValid until (\S+)\. The page asks for a code, which is sent to the address of the buyer\.\n$/.exec(
        stdout,
      ) ?? [];
    expect(url.startsWith(`${program.baseUrl}/buyer/`)).toBe(true);
    expect(Math.abs(Date.parse(until) - Date.now() - 90 * 86_400_000)).toBeLessThan(600_000);
    const page = await fetch(`${url}/code`);
    expect([page.status, (await page.text()).includes('buyer@buyer.example')]).toEqual([200, false]);
    const { stdout: audit } = await runHere(['audit', 'list', '--json'], program.env);
    expect(audit).toContain('PAGE_LINK_CREATED');
    expect(audit).not.toContain(url.split('/').at(-1));
  });

  it.each([
    [['link'], 'Name one buyer by its external_id: tradeline buyer link BUYER.'],
    [['link', 'a b'], 'Name one buyer by its external_id: tradeline buyer link BUYER.'],
    [['link', 'nobody'], 'There is no buyer nobody on demo.'],
    [['link', 'buyer', '--invoice', 'a b'], '--invoice must be the external_id of an invoice of the buyer.'],
    [['link', 'buyer', '--invoice', 'nothing'], 'The buyer has no invoice with this external_id'],
  ])('%j is refused with one sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(sentence);
  });
});
