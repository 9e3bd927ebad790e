/** Invents companies whose names are as unevenly distributed as real ones. Deterministic for a seed. */
import type { RegistryEntry } from '#modules/registry';
import { STYLES, type Style, texts } from './company-styles.ts';

/** Pseudo-random numbers in [0, 1), deterministic for a seed (mulberry32). */
type Chance = () => number;

function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const pick = <T>(chance: Chance, list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;

/** Picks from a list with a Zipf distribution: rank r with a probability of about 1/r. */
const pickUnequally = <T>(chance: Chance, list: readonly T[]): T =>
  list[Math.floor(list.length ** chance()) - 1] as T;

const NAMES_OF_A_COUNTRY = 60_000;

/** Family and brand names of a country, the short and frequent ones first. */
function inventNames(chance: Chance, { openings, endings }: Style): string[] {
  const names = new Set<string>();
  for (const opening of openings) for (const ending of endings) names.add(opening + ending);
  const syllables = texts('a e i o ka le mi no ra sa ta vi lo du fe ga');
  while (names.size < NAMES_OF_A_COUNTRY) {
    names.add(
      pick(chance, openings) + pick(chance, syllables) + pick(chance, syllables) + pick(chance, endings),
    );
  }
  return [...names];
}

const NEARLY_ANOTHER_SHARE = 1 / 12;
const DISSOLVED_SHARE = 0.15;
const DAY_SECONDS = 86_400;
/** 1950 to 2024. */
const FIRST_DAY = -7_305;
const DAYS = 27_300;

/** Companies of the registry INVENTED, in the order of their keys. */
export function* inventCompanies(seed: number, count: number): Generator<RegistryEntry> {
  const chance = chanceFrom(seed);
  const countries = STYLES.map((each) => ({ ...each, names: inventNames(chance, each) }));
  const wheel = countries.flatMap((each) => Array.from({ length: each.weight }, () => each));
  const previous = new Map<string, string>();
  for (let number = 1; number <= count; number++) {
    const own = pick(chance, wheel);
    const before = previous.get(own.country);
    const stem =
      before !== undefined && chance() < NEARLY_ANOTHER_SHARE
        ? varied(chance, before, own)
        : inventStem(chance, own);
    previous.set(own.country, stem);
    yield company(chance, number, own, `${stem} ${pick(chance, own.forms)}`);
  }
}

function inventStem(chance: Chance, own: Style & { names: readonly string[] }): string {
  const name = () => pickUnequally(chance, own.names);
  const trade = () => pickUnequally(chance, own.trades);
  const kind = chance();
  if (kind < 0.45) return `${name()} ${trade()}`;
  if (kind < 0.6) return `${name()} & ${name()}`;
  if (kind < 0.72) return `${name()} ${name()} ${trade()}`;
  if (kind < 0.82) return `${trade()} ${name()} ${pickUnequally(chance, own.towns)}`;
  if (kind < 0.92) return name();
  return `${name()} ${trade()} ${Math.floor(chance() * 2_000)}`;
}

/** Names of sister companies: with a number, a place or another trade. */
function varied(chance: Chance, stem: string, own: Style): string {
  return `${stem} ${pick(chance, ['II', 'International', pick(chance, own.towns), pick(chance, own.trades)])}`;
}

function company(chance: Chance, number: number, own: Style, legalName: string): RegistryEntry {
  const { country } = own;
  const key = String(number).padStart(9, '0');
  const postcode = String(Math.floor(chance() * 10 ** own.postcodeDigits)).padStart(own.postcodeDigits, '0');
  return {
    registry: 'INVENTED',
    registryKey: key,
    legalName,
    tradingName: chance() < 0.05 ? legalName.split(' ').slice(0, 2).join(' ') : null,
    otherNames: [],
    legalForm: null,
    elfCode: null,
    address: {
      street: pick(chance, own.streets),
      house: String(1 + Math.floor(chance() * 150)),
      postcode,
      city: pickUnequally(chance, own.towns),
      country,
      additional: null,
    },
    identifiers: [
      { type: 'REGISTER_ID', value: key, country },
      ...(chance() < 0.5 ? [{ type: 'VAT_ID' as const, value: `${country}${key}`, country }] : []),
    ],
    incorporatedAt: (FIRST_DAY + Math.floor(chance() * DAYS)) * DAY_SECONDS,
    website: null,
    isActive: chance() >= DISSOLVED_SHARE,
  };
}
