import { afterAll, beforeAll, expect, it } from 'vitest';
import { runHere } from '#test/command';
import { endPrograms, type RunningProgram, startProgram } from '#test/program';
import { get, post } from '#test/program-requests';

let program: RunningProgram;
beforeAll(async () => {
  program = await startProgram();
});
afterAll(async () => {
  await program?.stop();
  await endPrograms();
});

it('facility show --entity lists the buyers of the company, with their sums', async () => {
  const { body: known } = await get(program, '/v1/buyers/cafe-morgenrot');
  const { legal_name, legal_form, business_identifiers, business_address } = known;
  const company = { legal_name, legal_form, business_identifiers, business_address };
  expect((await post(program, '/v1/buyers', { external_id: 'branch', ...company })).status).toBe(201);
  expect([201, 202]).toContain((await post(program, '/v1/buyers/branch/facility', {})).status);

  const { code, stdout } = await runHere(
    ['facility', 'show', '--buyer', 'cafe-morgenrot', '--entity'],
    program.env,
  );
  expect(code).toBe(0);
  const [head, ...lines] = stdout.trimEnd().split('\n');
  expect(head).toMatch(/^buyer +status +currency +total +used +pending$/);
  const rows = lines.map((line) => line.split(/ +/));
  expect(rows.map(([buyer]) => buyer).sort()).toEqual(['branch', 'cafe-morgenrot', 'together']);
  const totalOf = (name: string) =>
    Number(
      rows
        .find(([buyer]) => buyer === name)
        ?.at(-3)
        ?.replaceAll(/[,.]/g, ''),
    );
  expect(totalOf('together')).toBe(totalOf('branch') + totalOf('cafe-morgenrot'));
  expect(totalOf('cafe-morgenrot')).toBeGreaterThan(0);
});
