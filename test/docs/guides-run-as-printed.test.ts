/**
 * Runs every command of the start guide and of the guides as printed: one guide after the other, in one shell, on one new
 * sandbox, from a folder below that of the program.
 */
import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENTS } from '#api/reference/documents';
import { fencesOf, readGuide, stepsOf } from '#test/guide-fences';
import { type GuideShell, hasShell, npxFile, openGuideShell } from '#test/guide-shell';
import { patience } from '#test/patience';
import { expectAnswer } from '#test/printed-answer';
import { copyOfProgram, endPrograms, startProgram, temporaryFolder, type User } from '#test/program';
import { LEDGER_CAUSES } from '../../src/modules/facilities/ledger-entry.schemas.ts';

/** In the order of a reader. The last guide moves its clock ahead permanently. */
const GUIDES = DOCUMENTS.filter((name) => /^(start$|guides\/)/.test(name));

describe('the guides', () => {
  it('have fences that run, fences that say why they do not, answers, and programs', () => {
    const fences = GUIDES.flatMap((name) => fencesOf(readGuide(name)).map((fence) => ({ name, ...fence })));
    const notRun = fences.filter(({ language }) => language === 'sh');
    expect(notRun.map(({ name, mark }) => `${name}: ${mark}`)).toEqual([
      'start: not run: this starts the service',
      'start: not run: the values are those of your banner',
      'guides/find-a-company: not run: this starts another service and needs the internet',
      'guides/find-a-company: not run: these files are hundreds of megabytes',
      'guides/import-a-registry: not run: this shows the options',
      'guides/receive-webhooks: not run: it runs until you stop it',
      'guides/receive-webhooks: not run: the values are those of a request',
      'guides/generate-a-client: not run: these need Python, Go and Java; npm run check:clients runs them',
    ]);
    const others = fences.filter(({ language }) => !['sh', 'bash'].includes(language));
    const kinds = new Set(others.map(({ language, mark }) => `${language} ${mark}`.trim()));
    expect([...kinds].sort()).toEqual([
      'go',
      'http',
      'java',
      'js',
      'json',
      'json answer',
      'php',
      'python',
      'text',
      'text answer',
      'ts',
      'yaml',
    ]);
  });

  it('explain every cause of the ledger', () => {
    for (const cause of LEDGER_CAUSES) expect(readGuide('guides/credit')).toContain(`| \`${cause}\` |`);
  });
});

interface Person {
  name: string;
  user?: User;
}

/** Root starts the service as PostgreSQL's own user, other users as themselves. */
const people: Person[] =
  process.getuid?.() === 0
    ? [{ name: 'root' }, { name: 'an ordinary user', user: { uid: 65_534, gid: 65_534 } }]
    : [{ name: 'the ordinary user of the tests, because these do not run as root' }];

/** `npm run soak` starts at many hours and days of the week, because due times depend on them. */
const STARTS = Number(process.env.GUIDE_STARTS ?? 1);
/** The time between two starts, so that the starts cover all hours. */
const HOURS_BETWEEN_STARTS = 31;

const readings = Array.from({ length: STARTS }, (_, nth) => nth * HOURS_BETWEEN_STARTS).flatMap(
  (hoursAhead) => people.map((person) => ({ ...person, hoursAhead })),
);

describe.each(readings)('run by $name, $hoursAhead hours from now', ({ user, hoursAhead }) => {
  let shell: GuideShell;
  beforeAll(async () => {
    if (!hasShell) return;
    const root = copyOfProgram(user);
    const cwd = join(root, 'docs', 'my-shop');
    mkdirSync(cwd);
    if (user) chownSync(cwd, user.uid, user.gid);
    // No setting names the data folder: it is next to the program, as after `npm start`.
    const program = await startProgram({ root, env: { TRADELINE_DATA_DIR: '' }, ...(user && { user }) });
    shell = await openGuideShell({ root, cwd, home: temporaryFolder(user), ...(user && { user }) });
    await shell.run(variablesFrom(program.output()));
    if (hoursAhead > 0) await setAhead(shell, hoursAhead);
  });
  afterAll(async () => {
    shell?.stop();
    await endPrograms();
  });

  it('npx finds the program and its data', async ({ skip }) => {
    if (!hasShell) skip('no bash, curl or npx on this machine');
    const { stdout, stderr, failed } = await shell.run(`${npxFile} tradeline platform list`);
    expect(failed, stderr).toEqual([]);
    expect(stdout).toMatch(/^demo /m);
  });

  it.for(GUIDES)('%s', { timeout: patience(120) }, async (name, { skip }) => {
    if (!hasShell) skip('no bash, curl or npx on this machine');
    for (const { line, commands, isRefused, answer } of stepsOf(readGuide(name))) {
      const { stdout, stderr, failed } = await shell.run(commands);
      const where = `docs/${name}.md:${line}\n${stdout}\n${stderr}`;
      expect(failed.length > 0, where).toBe(isRefused);
      if (answer) expectAnswer(answer, stdout, where);
    }
  });
});

/** Sets the clock of the sandbox ahead. */
async function setAhead(shell: GuideShell, hours: number): Promise<void> {
  const body = JSON.stringify({ advance_seconds: hours * 3_600 });
  const { stdout, failed } = await shell.run(
    `curl -sS "$BASE/v1/sandbox/clock" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d '${body}'`,
  );
  expect(failed, stdout).toEqual([]);
}

/** The block of the start guide that takes values from the banner, with the values of this banner. */
function variablesFrom(banner: string): string {
  const { text = '' } = fencesOf(readGuide('start')).find(({ mark }) => /your banner/.test(mark)) ?? {};
  const shown = (name: string) => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(banner)?.[1] ?? '';
  const values = {
    'http://127.0.0.1:8080': 'API reference',
    'tl_test_…': 'API key',
    'tl_op_test_…': 'Operator key',
  };
  return Object.entries(values).reduce((commands, [printed, name]) => {
    expect(commands).toContain(printed);
    return commands.replace(printed, shown(name).replace(/\/docs$/, ''));
  }, text);
}
