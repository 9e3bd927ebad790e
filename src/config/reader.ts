/** Reads single settings. Defaults are those of config.default.env. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { StartRefused } from '#kernel/start-refused';
import type { Parse } from './values.ts';

const DEFAULTS_FILE = new URL('../../config.default.env', import.meta.url);

/** An empty value means not set, because a compose file passes unset variables as empty. */
export function readerOf(env: NodeJS.ProcessEnv) {
  const defaults = parseEnv(readFileSync(DEFAULTS_FILE, 'utf8'));
  /** A setting without a default; null if it is not set. */
  const optional = <T>(name: string, parse: Parse<T>, expected: string): T | null => {
    const value = env[name]?.trim() || defaults[name]?.trim();
    if (!value) return null;
    const parsed = parse(value);
    if (parsed === undefined) throw new StartRefused(`${name} must be ${expected}.`);
    return parsed;
  };
  /** A setting with a default. */
  const required = <T>(name: string, parse: Parse<T>, expected: string): T => {
    const value = optional(name, parse, expected);
    if (value === null) throw new Error(`config.default.env has no default for ${name}.`);
    return value;
  };
  return { optional, required };
}

export type Reader = ReturnType<typeof readerOf>;
export type ReadOptional = Reader['optional'];
