import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEGAL_FORMS } from '#kernel/fields';
import { elfForm } from '../legal-form.lookup.ts';
import { readLegalForm } from '../legal-form.rules.ts';
import { FURTHER_ELF_CODES } from './further-elf-codes.ts';
import { LOCAL_FORMS } from './local-forms.ts';

const ROOT = join(import.meta.dirname, '../../../..');
const LIST = '../shared/data/elf-code-list-2023-09-28.csv';

const forms = [...LOCAL_FORMS.values()].flat();
const further = Object.entries(FURTHER_ELF_CODES).flatMap(([country, byForm]) =>
  Object.entries(byForm).flatMap(([form, codes]) =>
    codes
      .trim()
      .split(/\s+/)
      .map((code) => ({ country, form, code })),
  ),
);

/** A row of GLEIF's list, which has one row per form and language. */
interface Row {
  code: string;
  country: string;
  name: string;
  isActive: boolean;
}

/** Reads the list from this clone, or from the main clone if this is a worktree; undefined if neither has it. */
function readList(): Row[] | undefined {
  const git = join(ROOT, '.git');
  const isWorktree = existsSync(git) && statSync(git).isFile();
  const home = isWorktree
    ? resolve(readFileSync(git, 'utf8').slice('gitdir: '.length).trim(), '../../..')
    : ROOT;
  const path = [ROOT, home].map((root) => join(root, LIST)).find(existsSync);
  if (path === undefined) return undefined;
  const [, ...lines] = readFileSync(path, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const cells = Array.from(line.matchAll(/"((?:[^"]|"")*)"/g), ([, cell = '']) => cell);
    const [code = '', , country = '', , , name = ''] = cells;
    return { code, country, name, isActive: cells[12] === 'ACTV' };
  });
}

describe('the ELF codes', () => {
  it('have four characters, and a further code occurs once and is not the code of a form', () => {
    const own = new Set(forms.flatMap(({ elfCode }) => elfCode ?? []));
    for (const code of [...own, ...further.map(({ code }) => code)]) expect(code).toMatch(/^[0-9A-Z]{4}$/);
    const codes = further.map(({ code }) => code);
    expect(codes.filter((code, index) => own.has(code) || codes.indexOf(code) !== index)).toEqual([]);
  });

  it('are further ones of a form of their country, or of a value', () => {
    const codesOf = new Map(
      [...LOCAL_FORMS].map(([country, local]) => [country, local.map(({ code }) => code)]),
    );
    const isKnown = (country: string, form: string) =>
      codesOf.get(country)?.includes(form) === true || LEGAL_FORMS.some((value) => value === form);
    expect(further.filter(({ country, form }) => !isKnown(country, form))).toEqual([]);
  });
});

describe('against the list of GLEIF', () => {
  const rows = readList();
  const check = (title: string, run: (list: Row[]) => void) =>
    it(title, ({ skip }) => {
      if (rows === undefined)
        return skip(`${LIST} is not there: the list does not come with this repository.`);
      run(rows);
    });

  check("a form's own code is an active one of its country", (list) => {
    const active = new Set(
      list.filter(({ isActive }) => isActive).map(({ code, country }) => `${country} ${code}`),
    );
    const coded = forms.filter(({ elfCode }) => elfCode !== null);
    expect(coded.length).toBeGreaterThan(500);
    expect(coded.filter(({ country, elfCode }) => !active.has(`${country} ${elfCode}`))).toEqual([]);
  });

  check('a further code is one of its country', (list) => {
    const listed = new Set(list.map(({ code, country }) => `${country} ${code}`));
    expect(further.filter(({ country, code }) => !listed.has(`${country} ${code}`))).toEqual([]);
  });

  check('every code of a tabled country is known', (list) => {
    const tabled = list.filter(({ country }) => LOCAL_FORMS.has(country));
    expect(tabled.length).toBeGreaterThan(2_500);
    expect(tabled.filter(({ code, country }) => elfForm(code)?.country !== country)).toEqual([]);
  });

  check("the list's own name of a form reads as that form", (list) => {
    const own = new Map(forms.map((form) => [form.elfCode, form]));
    const named = list.filter(
      ({ code, country, isActive }) => isActive && own.get(code)?.country === country,
    );
    expect(named.length).toBeGreaterThan(600);
    const sharers = Map.groupBy(named, ({ country, name }) => `${country} ${name}`);
    const strays = named.filter(({ code, country, name }) => {
      const reading = readLegalForm(name, country);
      // In Irish, three forms of unlimited company have one name.
      const codes = sharers.get(`${country} ${name}`)?.map((row) => row.code);
      return !codes?.includes(reading.elf_code ?? '') || reading.legal_form !== elfForm(code)?.legalForm;
    });
    expect(strays.map(({ code, country, name }) => `${country} ${code} ${name}`)).toEqual([]);
  });
});
