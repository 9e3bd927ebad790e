/** Runs axe-core on a page with every rule, including best practices. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Without script, a page's timers never fire, and axe would wait forever for those by which it yields. Its long timers are limits,
 * which no page reaches.
 */
const TIMERS = `if (matchMedia('(scripting: none)').matches)
  window.setTimeout = (run, delay = 0) => { if (delay < 1000) Promise.resolve().then(run); return 0; };`;

/** One line per violation: its rule and its place. The page's context must bypass the content security policy. */
export async function axeViolations(page: Page): Promise<string[]> {
  // Passed as text, so that it uses no name of this file.
  const violations = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `${TIMERS} ${source}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
