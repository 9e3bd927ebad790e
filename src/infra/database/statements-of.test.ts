import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { statementsOf } from './statements-of.ts';

describe('the statements of a migration', () => {
  it.each([
    ['', []],
    ['-- Nothing; at all.\n', []],
    ['select 1', ['select 1']],
    ['select 1;', ['select 1']],
    [';;select 1;; select 2 ; ', ['select 1', 'select 2']],
    ["select ';', 'it''s; ', \"a;b\"; select 2", ["select ';', 'it''s; ', \"a;b\"", 'select 2']],
    ['select 1 /* a; b */ + 2; -- one; two\nselect 3', ['select 1 /* a; b */ + 2', '-- one; two\nselect 3']],
    ['do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
    ["do $a$ select '$$;'; $a$; select $b$;$b$", ["do $a$ select '$$;'; $a$", 'select $b$;$b$']],
  ])('%j', (text, statements) => {
    expect(statementsOf(text)).toEqual(statements);
  });

  it('of every migration begin with a verb', () => {
    const folder = new URL('../../../migrations/', import.meta.url);
    const all = readdirSync(folder).flatMap((name) =>
      statementsOf(readFileSync(new URL(name, folder), 'utf8')),
    );
    expect(all.length).toBeGreaterThan(300);
    const verb =
      /^(--[^\n]*\n\s*)*(alter|create|drop|grant|revoke|insert|update|delete|with|set|do|truncate|comment|select|lock|analyze)\b/i;
    expect(all.filter((statement) => !verb.test(statement))).toEqual([]);
  });
});
