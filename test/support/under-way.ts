/** Prints which tests were running when a run is stopped by Ctrl-C or by a timeout of the CI. */
import { writeSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export class UnderWay implements Reporter {
  readonly #modules = new Map<string, { path: string; startedAtMs: number }>();
  readonly #tests = new Map<string, { module: string; name: string; startedAtMs: number }>();

  onInit(): void {
    // Registered first, because Vitest's own listener ends the process.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.prependOnceListener(signal, () => writeSync(2, this.#report(signal)));
  }

  /** Called before its file is imported, which may also hang. */
  onTestModuleQueued({ id, moduleId }: TestModule): void {
    this.#modules.set(id, { path: relative('', moduleId), startedAtMs: performance.now() });
  }

  onTestModuleEnd({ id }: TestModule): void {
    this.#modules.delete(id);
  }

  onTestCaseReady({ id, fullName, module }: TestCase): void {
    this.#tests.set(id, { module: module.id, name: fullName, startedAtMs: performance.now() });
  }

  onTestCaseResult({ id }: TestCase): void {
    this.#tests.delete(id);
  }

  #report(signal: string): string {
    const lines = [...this.#modules].flatMap(([id, { path, startedAtMs }]) => [
      `  ${path} (for ${secondsSince(startedAtMs)} s)`,
      ...[...this.#tests.values()]
        .filter(({ module }) => module === id)
        .map((test) => `    ${test.name} (for ${secondsSince(test.startedAtMs)} s)`),
    ]);
    return `\nStopped by ${signal}. Under way:\n${lines.join('\n') || '  nothing'}\n`;
  }
}

const secondsSince = (atMs: number) => Math.round((performance.now() - atMs) / 1_000);
