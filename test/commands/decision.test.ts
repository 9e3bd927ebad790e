import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartRefused } from '#kernel/start-refused';
import { endPrograms, type RunningProgram, runCommand, startProgram } from '#test/program';
import { get } from '#test/program-requests';
import { decisionCommand } from '../../src/cli/decision.ts';

const BUYER = 'cafe-morgenrot';
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

let program: RunningProgram;
let decisionId: string;
beforeAll(async () => {
  program = await startProgram();
  decisionId = (await decisionsOf(BUYER))[0]?.decision_id as string;
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

interface Shown {
  decision_id: string;
  reasons: { code: string; text: string }[];
  internal: { rules_fired: { description: string }[] };
}
const run = (...args: string[]) => runCommand(['decision', ...args], program.env);
const decisionsOf = async (buyer: string): Promise<Shown[]> =>
  (await get(program, `/v1/buyers/${buyer}/decisions`)).body.items;

it('show prints every decision of the demo, with its reasons in words', async () => {
  const { items } = (await get(program, '/v1/buyers')).body;
  const decisions = (
    await Promise.all(items.map(({ external_id }: { external_id: string }) => decisionsOf(external_id)))
  ).flat() as Shown[];
  expect(decisions.length).toBeGreaterThan(6);
  for (const { decision_id, reasons, internal } of decisions) {
    const { code, stdout, stderr } = await run('show', decision_id);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const reason of reasons) expect(stdout).toContain(`  ${reason.code}: ${reason.text}`);
    for (const { description } of internal.rules_fired) expect(stdout).toContain(description);
    expect(stdout).toMatch(/^decision +[\da-f-]{36}$/m);
    expect(stdout).toContain('\nInternal reasons:\n');
  }
});

describe('list', () => {
  it('prints a line for each decision', async () => {
    const { code, stdout } = await run('list', '--buyer', BUYER);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    expect(code).toBe(0);
    expect(head).toMatch(
      /^decision +decided +subject +order +outcome +currency +requested +limit +policy +reasons$/,
    );
    expect(rows).toHaveLength((await decisionsOf(BUYER)).length);
    expect(rows.at(-1)).toMatch(
      new RegExp(
        `^${decisionId} +\\S+Z +FACILITY_CREATION +- +ACCEPT +EUR +20,000\\.00 +20,000\\.00 +1 +LIMIT_GRANTED$`,
      ),
    );
    expect((await run('list', '--buyer', 'pasteleria-luna')).stdout).toBe(
      'There is no decision about pasteleria-luna.\n',
    );
  });

  it('refuses an unknown buyer', async () => {
    expect(await run('list', '--buyer', 'nobody')).toMatchObject({
      code: 1,
      stderr: 'There is no buyer nobody on demo.\n',
    });
  });
});

it('export prints one JSON document with what the decision used', async () => {
  const { code, stdout } = await run('export', decisionId);
  expect(code).toBe(0);
  const exported = JSON.parse(stdout);
  expect(exported).toMatchObject({
    company: { external_id: BUYER },
    decision: { decision_id: decisionId, language: 'DE' },
    policy: { version: 1 },
  });
  expect(exported.inputs.length).toBeGreaterThan(10);
});

describe('explain', () => {
  it('shows both verdicts, the replaced inputs and the rules that differ', async () => {
    const replaced = ['--what-if', 'days_past_due_max=90', '--what-if', 'overdue_amount=900'];
    const { code, stdout, stderr } = await run('explain', decisionId, ...replaced);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^outcome +ACCEPT +REJECT$/m);
    expect(stdout).toMatch(/^limit +20,000\.00 +-$/m);
    expect(stdout).toContain('\n  days_past_due_max: 0 → 90\n  overdue_amount: 0 → 900\n');
    expect(stdout).toContain('\nRules that fire with the replaced inputs only:\n');
  });

  it.each([
    [['explain', UNKNOWN], '--what-if is required: an input and its value, such as orders_closed=5.'],
    [
      ['explain', UNKNOWN, '--what-if', 'orders_closed'],
      '--what-if must be an input and its value, such as orders_closed=5, not orders_closed.',
    ],
    [['explain', UNKNOWN, '--what-if', 'orders_closed=five'], 'orders_closed must be integer.'],
    [['explain', UNKNOWN, '--what-if', 'orders_closed=null'], 'orders_closed must be integer.'],
    [
      ['explain', UNKNOWN, '--what-if', 'country=XX'],
      'country must be an assigned ISO 3166-1 alpha-2 code; Germany is DE, the United Kingdom is GB, Greece is GR.',
    ],
  ])('%j is refused with one sentence, before anything is opened', async (args, sentence) => {
    await expect(decisionCommand(args)).rejects.toEqual(new StartRefused(sentence));
  });

  it('lists the inputs where it does not know a name', async () => {
    await expect(decisionCommand(['explain', UNKNOWN, '--what-if', 'orders=5'])).rejects.toThrow(
      /^orders is not a known field; the fields are subject, .*legal_form, /,
    );
  });
});

it.each(['show', 'export', 'explain'])('%s refuses an unknown decision', async (verb) => {
  const options = verb === 'explain' ? ['--what-if', 'orders_closed=5'] : [];
  expect(await run(verb, UNKNOWN, ...options)).toMatchObject({
    code: 1,
    stderr: `There is no decision ${UNKNOWN} on demo: see tradeline decision list.\n`,
  });
});

it.each([
  [[], 'Name a subcommand: tradeline decision list, show, export or explain.'],
  [['list'], "--buyer is required: a buyer's external_id."],
  [['show'], 'DECISION is required: the id of one decision: see tradeline decision list.'],
  [['show', '7'], 'DECISION must be the id of one decision: see tradeline decision list.'],
  [['export', UNKNOWN, UNKNOWN], 'DECISION must be the id of one decision: see tradeline decision list.'],
])('%j is refused with one sentence, before anything is opened', async (args, sentence) => {
  await expect(decisionCommand(args)).rejects.toEqual(new StartRefused(sentence));
});
