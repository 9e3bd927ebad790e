/** The requests of docs/guides/explain-a-decision.md, run as printed on the demo story. */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStoryWorld } from '#test/story-world';
import type { World } from '#test/world';

const guide = readFileSync(new URL('../../docs/guides/explain-a-decision.md', import.meta.url), 'utf8');
const blocks = [...guide.matchAll(/^```bash\n(.*?)\n```$/gms)]
  .map(([, block = '']) => block)
  .filter((block) => block.includes('curl '));

/** The project counts on Node alone; the guide on curl. */
const hasCurl = (() => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** A refused request ends the block. */
const STRICT = 'set -e; curl() { command curl --fail-with-body "$@"; }\n';

describe('docs/guides/explain-a-decision.md', () => {
  let world: World;
  beforeAll(async () => {
    world = await createStoryWorld();
  });
  afterAll(() => world.close());

  it('has its requests', () => {
    expect(blocks.length).toBe(3);
  });

  it.for(blocks)('%s', async (block, { skip }) => {
    if (!hasCurl) skip('no curl on this machine');
    const { stdout } = await promisify(execFile)('sh', ['-c', STRICT + block], {
      env: { PATH: process.env.PATH, BASE: world.baseUrl, KEY: world.apiKey },
    });
    expect(stdout).toMatch(/"(items|before)":/);
  });
});
