import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatOperatorKey, operatorKeyHash, randomApiKey } from '#kernel/api-key';
import { approvalIn, newOperatorKey, runHere, settingsOf } from '#test/command';
import { endPrograms, temporaryFolder } from '#test/program';
import { createWorld, type World } from '#test/world';

const KEY = /tl_op_test_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}/;
const WHY = ['--reason', 'New here.'];

/** A user of the machine, without an operator's key. */
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
/** The command with the hash of the key that the person created. */
const withHash = (command: string[], hash = operatorKeyHash(randomApiKey('sandbox'))) => [
  ...command,
  ...['--key-hash', hash],
];
const withKey = ({ stdout }: { stdout: string }) => ({
  ...machine,
  TRADELINE_OPERATOR_KEY: KEY.exec(stdout)?.[0] as string,
});
const refusedWith = (sentence: string) => ({
  ...{ code: expect.toBeOneOf([1, 2]), signal: null },
  ...{ stdout: '', stderr: `${sentence}\n` },
});
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
    const sentence = 'The first operator of a platform must have the role ADMIN.';
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
    expect(await runHere(withHash(person('mallory', 'ADMIN')), machine)).toEqual(refusedWith(sentence));
  });
});

describe('operator add', () => {
  it('takes the hash of a key that the person made, and nobody else has seen', async () => {
    expect(await runHere(person('ben', 'CREDIT'), ada)).toEqual(
      refusedWith(
        '--key-hash is required: the hash of the key that the person made with `tradeline operator new-key`, so that nobody else sees the key.',
      ),
    );
    // Without any setting, on the person's own machine.
    const { key, hash } = await newOperatorKey({});
    const added = await runHere(withHash(person('ben', 'CREDIT'), hash), ada);
    expect(added).toMatchObject({ code: 0, stdout: 'The operator ben is added.\n' });
    const first = { ...machine, TRADELINE_OPERATOR_KEY: key };
    expect((await runHere(['limits', 'set', '--counts', 'ORDERS', ...WHY], first)).code).toBe(0);
    const rotated = await runHere(['operator', 'rotate-key'], first);
    expect(rotated.stdout).toMatch(/^The new key of ben, shown only now:\n\n {2}tl_op_test_\w+\n\n$/);
    ben = withKey(rotated);
    expect(await runHere(['operator', 'rotate-key'], first)).toEqual(
      refusedWith(
        'The operator key is not valid for acme: it was replaced, or it belongs to another platform.',
      ),
    );
  });

  it('takes two from the third operator on: the approver compares address and hash with the person', async () => {
    const { key, hash } = await newOperatorKey({});
    const proposed = await runHere(withHash(person('cleo', 'VIEW'), hash), ada);
    const id = approvalIn(proposed);
    const show = async (env: Record<string, string>) => (await runHere(['approval', 'show', id], env)).stdout;
    const shown = await show(ben);
    expect(shown).toMatch(/^role +- +"VIEW"$/m);
    expect(shown).toMatch(/^address +cleo@acme\.example$/m);
    expect(shown).toMatch(new RegExp(`^key_hash +- +"${hash}"$`, 'm'));
    expect(await show(machine)).toMatch(/^address +shown to operators who may decide: /m);
    const [stored] = await world.sql<{ whole: string }>('select a::text as whole from approvals a');
    expect(stored?.whole).not.toContain('cleo@');
    const approve = ['approval', 'approve', id, '--reason', 'Met her.'];
    expect((await runHere(approve, ada)).stderr).toMatch(
      /^The operator who proposed a change cannot approve it/,
    );
    expect((await runHere(approve, ben)).stdout).toBe(
      `Approval ${id} (operator cleo): approved, and the change was made.\n`,
    );
    const cleo = { ...machine, TRADELINE_OPERATOR_KEY: key };
    expect(await runHere(['operator', 'rotate-key'], cleo)).toMatchObject({ code: 0 });
  });

  it('takes an ADMIN', async () => {
    const sentence = 'The operator ben has the role CREDIT, but this requires ADMIN.';
    expect(await runHere(withHash(person('dan', 'VIEW')), ben)).toEqual(refusedWith(sentence));
  });

  it.each([
    [['operator', 'add'], 'Name one operator: tradeline operator add ID, such as ada.'],
    [['operator', 'add', 'a', 'b'], 'Name one operator: tradeline operator add ID, such as ada.'],
    [['operator', 'add', 'dan'], "--email is required: the person's e-mail address."],
    [
      ['operator', 'add', 'dan', '--email', 'd@x.example'],
      '--role is required: VIEW, CREDIT, FINANCE or ADMIN.',
    ],
    [withHash(person('dan', 'BOSS')), '--role must be one of VIEW, CREDIT, FINANCE, ADMIN.'],
    [withHash(person('dan', 'VIEW', 'dan')), '--email must be an e-mail address.'],
    [
      withHash(person('benny', 'VIEW', 'BEN+2@acme.example')),
      'The e-mail address belongs to the operator ben: a person can be only one operator.',
    ],
    [
      withHash(person('ben', 'VIEW', 'x@acme.example')),
      'An operator ben already exists: an id cannot be used twice.',
    ],
    [
      withHash(person('dan', 'VIEW'), 'x'),
      '--key-hash must be the hash of a sandbox key, as `tradeline operator new-key` prints it.',
    ],
    [['operator'], 'Name a subcommand: tradeline operator new-key, add, list, disable or rotate-key.'],
    [
      ['approval', 'show', 'x'],
      'Name one approval: tradeline approval show ID, from tradeline approval list.',
    ],
    [
      ['approval', 'list', '--status', 'LOST'],
      '--status must be one of PROPOSED, APPROVED, REJECTED, WITHDRAWN.',
    ],
  ])('%j is refused with one sentence', async (args, sentence) => {
    expect(await runHere(args, ada)).toEqual(refusedWith(sentence));
  });
});

describe('operator list', () => {
  it('shows who was added by whom, and neither key nor address', async () => {
    const { stdout } = await runHere(['operator', 'list'], machine);
    expect(rows(stdout).map(([id, role, , by, approvedBy]) => [id, role, by, approvedBy])).toEqual(
      expect.arrayContaining([
        ['ada', 'ADMIN', 'installation', '-'],
        ['ben', 'CREDIT', 'operator:ada', '-'],
        ['cleo', 'VIEW', 'operator:ada', 'operator:ben'],
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
      'TRADELINE_OPERATOR_KEY must be an operator key: tl_op_test_<id>_<secret><crc>, with a valid checksum.',
    ],
    [
      'in a file that is missing',
      { TRADELINE_OPERATOR_KEY_FILE: '/nowhere/key' },
      'TRADELINE_OPERATOR_KEY_FILE must be a readable file with an operator key: tl_op_test_<id>_<secret><crc>, with a valid checksum.',
    ],
    [
      'of the other environment',
      { TRADELINE_OPERATOR_KEY: formatOperatorKey(randomApiKey('production')) },
      'The operator key is a production key, but TRADELINE_ENVIRONMENT is sandbox.',
    ],
    [
      'unknown',
      { TRADELINE_OPERATOR_KEY: formatOperatorKey(randomApiKey('sandbox')) },
      'The operator key is not valid for acme: it was replaced, or it belongs to another platform.',
    ],
  ])('is refused if it is %s', async (_, env, sentence) => {
    expect(await runHere(update, { ...machine, ...env })).toEqual(refusedWith(sentence));
  });

  it('is refused if it is an API key, or of another platform', async () => {
    const { stderr } = await runHere(update, { ...machine, TRADELINE_OPERATOR_KEY: world.apiKey });
    expect(stderr).toMatch(/^TRADELINE_OPERATOR_KEY must be an operator key/);
    await world.addPlatform({ code: 'other' });
    expect(await runHere(['platform', 'update', 'other', '--language', 'FR', ...WHY], ada)).toEqual(
      refusedWith(
        'The operator key is not valid for other: it was replaced, or it belongs to another platform.',
      ),
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
      ['4', 'operator:ben', 'LIMIT_POLICY_CHANGED', 'limits of the platform'],
      ['5', 'operator:ben', 'OPERATOR_KEY_ROTATED', 'operator ben'],
      ['6', 'operator:ada', 'OPERATOR_PROPOSED', 'operator cleo'],
      ['7', 'operator:ben', 'OPERATOR_APPROVED', 'operator cleo'],
      ['8', 'operator:cleo', 'OPERATOR_KEY_ROTATED', 'operator cleo'],
      ['9', 'operator:ada', 'PLATFORM_SETTINGS_CHANGED', 'settings of the platform'],
      ['10', 'operator:ada', 'OPERATOR_DISABLED', 'operator ben'],
    ]);
    const json = (await runHere(['audit', 'list', '--json', '--after', '4'], machine)).stdout.trimEnd();
    const entries = json.split('\n').map((line) => JSON.parse(line));
    expect(entries[0]).toMatchObject({ position: 5, reason: null, actor: 'operator:ben' });
    expect(entries[0].hash).toBe(entries[1].previous_hash);
    expect(json).not.toMatch(/@|tl_op_\w+_\w+_/);
  });

  it('verify finds an intact log, one that misses a noted head, and one that was changed', async () => {
    const verify = (...args: string[]) => runHere(['audit', 'verify', ...args], machine);
    const { stdout } = await verify();
    expect(stdout).toMatch(/^The audit log of acme is intact: 10 entries\. .+\n\n {2}10:[\da-f]{64}\n\n$/);
    const head = /10:[\da-f]{64}/.exec(stdout)?.[0] as string;
    expect(await verify('--head', head)).toMatchObject({ code: 0 });
    expect(await verify('--head', `9:${'0'.repeat(64)}`)).toEqual(
      refusedWith(
        'The audit log of acme was tampered with. The chain does not contain the given head at entry 9.',
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
