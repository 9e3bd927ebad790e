import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOperatorKey, randomApiKey } from '#kernel/api-key';
import { approvalIn, runHere, secondOperator, settingsOf } from '#test/command';
import { endPrograms, type RunningProgram, runCommand, startProgram, temporaryFolder } from '#test/program';
import { eventually } from '#test/until';
import { createWorld, type World } from '#test/world';

const KEY = /tl_op_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/;
const WHY = ['--reason', 'New here.'];

/** Whoever has the machine: no operator's key. */
let machine: Record<string, string>;
let world: World;
beforeAll(async () => {
  world = await createWorld({ platform: { code: 'acme' } });
  machine = await settingsOf(world);
});
afterAll(async () => {
  await world.close();
  await endPrograms();
});

const person = (id: string, role: string, email = `${id}@acme.example`) => [
  ...['operator', 'add', id, '--email', email, '--role', role],
  ...WHY,
];
const withKey = ({ stdout }: { stdout: string }) => ({
  ...machine,
  TRADELINE_OPERATOR_KEY: KEY.exec(stdout)?.[0] as string,
});
const refusedWith = (sentence: string) => ({ code: 1, signal: null, stdout: '', stderr: `${sentence}\n` });
const rows = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split(/ {2,}/));

let ada: Record<string, string>;
let ben: Record<string, string>;

describe('before there is an operator', () => {
  it('a change is refused, and reading is not', async () => {
    const sentence = 'acme has no operator yet: add the first one with `tradeline operator add`.';
    const command = ['platform', 'update', 'acme', '--language', 'DE', ...WHY];
    expect(await runHere(command, machine)).toEqual(refusedWith(sentence));
    expect((await runHere(['operator', 'list'], machine)).stdout).toMatch(/^The platform has no operator: /);
    expect((await runHere(['audit', 'verify'], machine)).stdout).toMatch(/is intact: 0 entries/);
  });

  it('the first one is added by the machine, as an ADMIN, with a key shown once', async () => {
    const sentence = 'The first operator of a platform has the role ADMIN.';
    expect(await runHere(person('ada', 'CREDIT'), machine)).toEqual(refusedWith(sentence));
    const added = await runHere(person('ada', 'ADMIN'), machine);
    const [key = ''] = KEY.exec(added.stdout) ?? [];
    expect(added.stdout).toBe(
      `The first operator of acme is ada, with the key shown only now:\n\n  ${key}\n\n`,
    );
    ada = withKey(added);
    const changed = await runHere(['platform', 'update', 'acme', '--language', 'DE', ...WHY], ada);
    expect(changed).toMatchObject({ code: 0, stdout: 'Platform acme changed: language.\n' });
  });

  it('is over after it: the machine adds nobody', async () => {
    const sentence =
      'Set TRADELINE_OPERATOR_KEY to your operator key, or TRADELINE_OPERATOR_KEY_FILE to a file with it.';
    expect(await runHere(person('mallory', 'ADMIN'), machine)).toEqual(refusedWith(sentence));
  });
});

describe('operator add', () => {
  it('prints an initial key, which serves only to be replaced', async () => {
    const added = await runHere(person('ben', 'CREDIT'), ada);
    const [key = ''] = KEY.exec(added.stdout) ?? [];
    expect(added.stdout).toBe(
      `The operator ben is added.\n\nThe initial key of ben, to be replaced before anything else, shown only now:\n\n  ${key}\n\n`,
    );
    const initial = withKey(added);
    expect(await runHere(['limits', 'set', '--counts', 'ORDERS', ...WHY], initial)).toEqual(
      refusedWith(
        'The key of ben was seen by another person: replace it with `tradeline operator rotate-key` first.',
      ),
    );
    const rotated = await runHere(['operator', 'rotate-key'], initial);
    expect(rotated.stdout).toMatch(/^The new key of ben, shown only now:\n\n {2}tl_op_test_\w+\n\n$/);
    ben = withKey(rotated);
    expect(await runHere(['operator', 'rotate-key'], initial)).toEqual(
      refusedWith('The operator key is none of acme: it was replaced, or it is of another platform.'),
    );
    expect((await runHere(['limits', 'set', '--counts', 'ORDERS', ...WHY], ben)).code).toBe(0);
  });

  it('takes two from the third operator on', async () => {
    const proposed = await runHere(person('cleo', 'VIEW'), ada);
    const id = approvalIn(proposed);
    expect((await runHere(['approval', 'show', id], machine)).stdout).toMatch(/^role +- +"VIEW"$/m);
    const approve = ['approval', 'approve', id, '--reason', 'Met her.'];
    expect((await runHere(approve, ada)).stderr).toMatch(
      /^The operator who proposed a change cannot approve it/,
    );
    expect((await runHere(approve, ben)).stdout).toBe(
      `Approval ${id} (operator cleo): approved, and the change is made.\n`,
    );
    expect(await runHere(['operator', 'rotate-key'], withKey(proposed))).toMatchObject({ code: 0 });
  });

  it('takes an ADMIN', async () => {
    const sentence = 'The operator ben has the role CREDIT, and this takes ADMIN.';
    expect(await runHere(person('dan', 'VIEW'), ben)).toEqual(refusedWith(sentence));
  });

  it.each([
    [['operator', 'add'], 'Name one operator: tradeline operator add ID, such as ada.'],
    [['operator', 'add', 'a', 'b'], 'Name one operator: tradeline operator add ID, such as ada.'],
    [['operator', 'add', 'dan'], "--email is required: the person's e-mail address."],
    [
      ['operator', 'add', 'dan', '--email', 'd@x.example'],
      '--role is required: VIEW, CREDIT, FINANCE or ADMIN.',
    ],
    [person('dan', 'BOSS'), '--role must be one of VIEW, CREDIT, FINANCE, ADMIN.'],
    [person('dan', 'VIEW', 'dan'), '--email must be an e-mail address.'],
    [
      person('benny', 'VIEW', 'BEN+2@acme.example'),
      'The e-mail address is the one of the operator ben: a person is one operator.',
    ],
    [person('ben', 'VIEW', 'x@acme.example'), 'There is an operator ben already: ids are not used twice.'],
    [['operator'], 'Say what to do: tradeline operator add, list, disable or rotate-key.'],
    [
      ['approval', 'show', 'x'],
      'Name one approval: tradeline approval show ID, from tradeline approval list.',
    ],
    [
      ['approval', 'list', '--status', 'LOST'],
      '--status must be some of PROPOSED,APPROVED,REJECTED,WITHDRAWN.',
    ],
  ])('%j is refused with one sentence', async (args, sentence) => {
    expect(await runHere(args, ada)).toEqual(refusedWith(sentence));
  });
});

describe('operator list', () => {
  it('shows who was added by whom, and neither key nor address', async () => {
    const { stdout } = await runHere(['operator', 'list'], machine);
    expect(rows(stdout).map(([id, role, key, , by, approvedBy]) => [id, role, key, by, approvedBy])).toEqual(
      expect.arrayContaining([
        ['ada', 'ADMIN', 'own', 'installation', '-'],
        ['ben', 'CREDIT', 'own', 'operator:ada', '-'],
        ['cleo', 'VIEW', 'own', 'operator:ada', 'operator:ben'],
      ]),
    );
    expect(stdout).not.toMatch(/@|tl_op/);
  });
});

describe('the key of an operator', () => {
  const update = ['platform', 'update', 'acme', '--language', 'FR', ...WHY];

  it('can be in a file', async () => {
    const file = join(temporaryFolder(), 'key');
    writeFileSync(file, `${ada.TRADELINE_OPERATOR_KEY}\n`);
    const env = { ...machine, TRADELINE_OPERATOR_KEY_FILE: file };
    expect(await runHere(update, env)).toMatchObject({ code: 0 });
    expect(await runHere(update, { ...env, ...ada })).toEqual(
      refusedWith('Set TRADELINE_OPERATOR_KEY or TRADELINE_OPERATOR_KEY_FILE, not both.'),
    );
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'malformed',
      { TRADELINE_OPERATOR_KEY: 'hunter2' },
      'TRADELINE_OPERATOR_KEY must be an operator key: tl_op_test_<id>_<secret><crc>, with a right checksum.',
    ],
    [
      'in a file that is missing',
      { TRADELINE_OPERATOR_KEY_FILE: '/nowhere/key' },
      'TRADELINE_OPERATOR_KEY_FILE must be a readable file with an operator key: tl_op_test_<id>_<secret><crc>, with a right checksum.',
    ],
    [
      'of the other environment',
      { TRADELINE_OPERATOR_KEY: formatOperatorKey(randomApiKey('production')) },
      'The operator key is a production key, but TRADELINE_ENVIRONMENT is sandbox.',
    ],
    [
      'unknown',
      { TRADELINE_OPERATOR_KEY: formatOperatorKey(randomApiKey('sandbox')) },
      'The operator key is none of acme: it was replaced, or it is of another platform.',
    ],
  ])('is refused if it is %s', async (_, env, sentence) => {
    expect(await runHere(update, { ...machine, ...env })).toEqual(refusedWith(sentence));
  });

  it('is refused if it is an API key, or of another platform', async () => {
    const { stderr } = await runHere(update, { ...machine, TRADELINE_OPERATOR_KEY: world.apiKey });
    expect(stderr).toMatch(/^TRADELINE_OPERATOR_KEY must be an operator key/);
    await world.addPlatform({ code: 'other' });
    expect(await runHere(['platform', 'update', 'other', '--language', 'FR', ...WHY], ada)).toEqual(
      refusedWith('The operator key is none of other: it was replaced, or it is of another platform.'),
    );
  });
});

describe('operator disable', () => {
  it('ends what an operator may do, at once', async () => {
    expect(await runHere(['operator', 'disable', 'ada', ...WHY], ada)).toEqual(
      refusedWith('ada is the last active ADMIN: add another one first.'),
    );
    const disabled = await runHere(['operator', 'disable', 'ben', ...WHY], ada);
    expect(disabled).toMatchObject({ code: 0, stdout: 'The operator ben is disabled.\n' });
    expect(await runHere(['limits', 'set', '--counts', 'ORDERS', ...WHY], ben)).toEqual(
      refusedWith('The operator ben of acme is disabled.'),
    );
  });
});

describe('audit', () => {
  it('list has every change with who made it and why, and no secret', async () => {
    const { stdout } = await runHere(['audit', 'list'], machine);
    expect(
      rows(stdout).map(([position, , actor, action, subject]) => [position, actor, action, subject]),
    ).toEqual([
      ['1', 'installation', 'OPERATOR_CHANGED', 'operator ada'],
      ['2', 'operator:ada', 'PLATFORM_SETTINGS_CHANGED', 'settings of the platform'],
      ['3', 'operator:ada', 'OPERATOR_CHANGED', 'operator ben'],
      ['4', 'operator:ben', 'OPERATOR_KEY_ROTATED', 'operator ben'],
      ['5', 'operator:ben', 'LIMIT_POLICY_CHANGED', 'limits of the platform'],
      ['6', 'operator:ada', 'OPERATOR_PROPOSED', 'operator cleo'],
      ['7', 'operator:ben', 'OPERATOR_APPROVED', 'operator cleo'],
      ['8', 'operator:cleo', 'OPERATOR_KEY_ROTATED', 'operator cleo'],
      ['9', 'operator:ada', 'PLATFORM_SETTINGS_CHANGED', 'settings of the platform'],
      ['10', 'operator:ada', 'OPERATOR_DISABLED', 'operator ben'],
    ]);
    const json = (await runHere(['audit', 'list', '--as', 'json', '--after', '4'], machine)).stdout.trimEnd();
    const entries = json.split('\n').map((line) => JSON.parse(line));
    expect(entries[0]).toMatchObject({ position: 5, reason: 'New here.', actor: 'operator:ben' });
    expect(entries[0].hash).toBe(entries[1].previous_hash);
    expect(json).not.toMatch(/@|tl_op/);
  });

  it('verify finds an intact log, one that misses a noted head, and one that was changed', async () => {
    const verify = (...args: string[]) => runHere(['audit', 'verify', ...args], machine);
    const { stdout } = await verify();
    expect(stdout).toMatch(/^The audit log of acme is intact: 10 entries\. .+\n\n {2}10:[\da-f]{64}\n\n$/);
    const head = /10:[\da-f]{64}/.exec(stdout)?.[0] as string;
    expect(await verify('--head', head)).toMatchObject({ code: 0 });
    expect(await verify('--head', `9:${'0'.repeat(64)}`)).toEqual(
      refusedWith(
        'The audit log of acme was tampered with. The chain does not pass through the noted entry 9.',
      ),
    );
    expect((await verify('--head', '9')).stderr).toMatch(/^--head must be a head that an earlier/);
    await world.sql(
      "update audit_entries set actor = 'operator:ben' where position = 9 and platform_id = $1",
      [world.platform.platform_id],
    );
    expect(await verify('--head', head)).toEqual(
      refusedWith('The audit log of acme was tampered with. Entry 9 was changed.'),
    );
  });
});

describe('a sandbox', () => {
  let program: RunningProgram;
  beforeAll(async () => {
    program = await startProgram({ args: ['--empty'] });
  });

  it('has one operator after its first start, whose key every start shows until it is replaced', async () => {
    const key = program.env.TRADELINE_OPERATOR_KEY as string;
    await eventually(() => expect(program.output()).toContain(key));
    expect(await secondOperator(program.env)).not.toEqual(program.env);
    const rotated = await runCommand(['operator', 'rotate-key'], program.env);
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    await program.stop();
    const again = await startProgram({ dataDir: program.dataDir });
    await eventually(() => expect(again.output()).toContain(again.baseUrl));
    expect(again.output()).not.toContain('tl_op_test_');
    expect(again.env.TRADELINE_OPERATOR_KEY).toBeUndefined();
    await again.stop();
  });
});
