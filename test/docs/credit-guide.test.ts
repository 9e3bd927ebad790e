/** The requests of docs/guides/credit.md, run as printed on the demo story. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStoryWorld } from '#test/story-world';
import type { World } from '#test/world';
import { LEDGER_CAUSES } from '../../src/modules/facilities/ledger-entry.schemas.ts';

const guide = readFileSync(new URL('../../docs/guides/credit.md', import.meta.url), 'utf8');
/** A request may go on over lines that end with a backslash, and over a body in quotes. */
const requests = [...guide.matchAll(/^```bash\n(.*?)\n```$/gms)]
  .flatMap(([, block = '']) => block.split(/\n(?=curl )/))
  .filter((request) => request.startsWith('curl '));

/** The project counts on Node alone; the guide on curl. */
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('docs/guides/credit.md', () => {
  let world: World;
  beforeAll(async () => {
    world = await createStoryWorld();
  });
  afterAll(() => world.close());

  it('has its requests', () => {
    expect(requests.length).toBeGreaterThan(7);
  });

  it.for(requests)('%s', async (request, { skip }) => {
    if (!hasCurl) skip('no curl on this machine');
    const { stdout } = await promisify(execFile)('sh', ['-c', `${request} -w '\\n%{http_code}'`], {
      env: { PATH: process.env.PATH, BASE: world.baseUrl, KEY: world.apiKey },
    });
    expect(stdout).toMatch(/^20[012]$/m);
    expect(stdout).not.toMatch(/"error"/);
  });

  it('explains every cause of the ledger', () => {
    for (const cause of LEDGER_CAUSES) expect(guide).toContain(`| \`${cause}\` |`);
  });
});
