/**
 * Writes the demo registry, registry/demo-companies.csv: invented companies of all countries with a supported currency, in
 * the shapes of real ones. The output is deterministic: it changes only with these files.
 *
 *   node scripts/generate-demo-registry.ts
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buyers, merchants } from '../src/cli/demo-cast.ts';
import { stripLegalForm } from '../src/modules/registry/legal-form.rules.ts';
import { LOCAL_FORMS, type LocalForm } from '../src/modules/registry/legal-forms/local-forms.ts';
import {
  affixOf,
  type DemoCompany,
  formColumns,
  inventAddress,
  inventDay,
  inventName,
  inventNumbers,
  inventWebsite,
  latinName,
  type Making,
  withForm,
} from './demo-registry/company.ts';
import { Dice } from './demo-registry/dice.ts';
import * as germanic from './demo-registry/germanic.ts';
import type { Lexicon } from './demo-registry/lexicon.ts';
import { MALFORMED_SHAPES, twinsOf } from './demo-registry/malformed-shapes.ts';
import * as northern from './demo-registry/northern.ts';
import * as overseas from './demo-registry/overseas.ts';
import * as romance from './demo-registry/romance.ts';
import * as slavic from './demo-registry/slavic.ts';

export const DEMO_REGISTRY = join(import.meta.dirname, '..', 'registry', 'demo-companies.csv');

const LEXICONS: Readonly<Record<string, Lexicon>> = {
  ...germanic,
  ...romance,
  ...slavic,
  ...northern,
  ...overseas,
};
/** Companies per country with a usual shape and form, in addition to one of each unusual shape and each form. */
const USUAL_COMPANIES = 20;

const COLUMNS = [
  ...[
    'registry',
    'registry_key',
    'country',
    'legal_name',
    'trading_name',
    'other_names',
    'legal_form',
    'elf_code',
  ],
  ...[
    'street',
    'house',
    'additional',
    'postcode',
    'city',
    'vat_id',
    'tax_id',
    'register_id',
    'incorporated_on',
  ],
  ...['website', 'status'],
];

/** Returns the content of the file. */
export function generateDemoRegistry(): string {
  const companies = [...castOfTheStory(), ...Object.keys(LEXICONS).sort().flatMap(companiesOf)];
  const lines = companies.map((company) =>
    COLUMNS.map((column) => quote(column === 'registry' ? 'DEMO' : (company[column] ?? ''))).join(','),
  );
  return `${[COLUMNS.join(','), ...lines].join('\n')}\n`;
}

const quote = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function companiesOf(country: string): DemoCompany[] {
  const lexicon = LEXICONS[country] as Lexicon;
  const forms =
    LOCAL_FORMS.get(country) ?? (lexicon.forms ?? '').split('|').map((affix) => untabled(country, affix));
  const usual = forms.filter(
    ({ affixes, legalForm }) => affixes.length > 0 && /LIMITED|PUBLIC/.test(legalForm),
  );
  const mostUsual = (usual.find(({ code }) => code === lexicon.usualForm) ?? usual[0]) as LocalForm;
  let count = 0;
  const make = (): Making => {
    const key = `${country}-${String(++count).padStart(4, '0')}`;
    return { country, lexicon, key, dice: new Dice(key) };
  };
  const ofUsualForm = () => {
    const making = make();
    const form = making.dice.oneIn(2) ? mostUsual : making.dice.pick(usual.slice(0, 4));
    return { making, form, company: invent(making, form) };
  };
  const malformed = MALFORMED_SHAPES.map((shape) => {
    const { making, form, company } = ofUsualForm();
    return { ...company, ...shape(company, making, affixOf(form, making.dice) ?? '') };
  });
  const { making, company } = ofUsualForm();
  const [first, second = first] = usual.map(({ affixes }) => affixes[1] ?? affixes[0] ?? '');
  return [
    ...Array.from({ length: USUAL_COMPANIES }, () => ofUsualForm().company),
    ...forms.map((form) => invent(make(), form)),
    ...malformed,
    ...twinsOf(company, making, [first ?? '', second ?? '']),
  ];
}

function invent(making: Making, form: LocalForm): DemoCompany {
  const { country, lexicon, dice, key } = making;
  const affix = affixOf(form, dice);
  const stem =
    form.legalForm === 'SOLE_TRADER'
      ? `${dice.pickFrom(lexicon.given)} ${dice.pickFrom(lexicon.surnames)}`
      : inventName(making);
  // A form without an addition is a word of the name: Stiftung Morgalis.
  const isNamedByForm = affix === null && form.legalForm !== 'SOLE_TRADER';
  const name = isNamedByForm ? `${form.readings[0] ?? ''} ${stem}` : withForm(stem, affix, making);
  const latin = latinName(stem, making);
  return {
    registry_key: key,
    country,
    legal_name: name,
    trading_name: form.legalForm === 'SOLE_TRADER' && dice.oneIn(2) ? inventName(making) : '',
    other_names: [latin, dice.oneIn(8) ? inventName(making) : ''].filter((other) => other !== '').join('|'),
    ...formColumns(form, dice),
    ...inventAddress(making),
    ...inventNumbers(making),
    incorporated_on: dice.oneIn(10) ? '' : inventDay(dice),
    website: inventWebsite(latin || stem, dice),
    status: dice.oneIn(15) ? 'INACTIVE' : 'ACTIVE',
  };
}

function untabled(country: string, affix: string): LocalForm {
  const form = { code: affix, country, legalForm: 'LIMITED_COMPANY', elfCode: null, displayNames: new Map() };
  return { ...form, affixes: [affix], readings: [affix] } as unknown as LocalForm;
}

/** The buyers and merchants of the demo, so that searches find them. */
function castOfTheStory(): DemoCompany[] {
  return [...merchants, ...buyers].map((company) => {
    const { country, street, house, postcode, city } = company.business_address;
    const identifiers = company.business_identifiers ?? [];
    const numberOf = (wanted: string) => identifiers.find(({ type }) => type === wanted)?.value ?? '';
    const since = 'incorporated_at' in company ? company.incorporated_at : null;
    return {
      registry_key: company.external_id,
      country,
      legal_name: company.legal_name,
      trading_name: company.trading_name ?? '',
      legal_form: stripLegalForm(company.legal_name, country).form?.text ?? '',
      street: street ?? '',
      house: house ?? '',
      postcode,
      city,
      vat_id: numberOf('VAT_ID'),
      tax_id: numberOf('TAX_ID'),
      register_id: numberOf('REGISTER_ID'),
      incorporated_on: since == null ? '' : new Date(since * 1_000).toISOString().slice(0, 10),
      website: `https://${company.external_id}.example`,
      status: 'ACTIVE',
    };
  });
}

if (import.meta.main) {
  const text = generateDemoRegistry();
  writeFileSync(DEMO_REGISTRY, text);
  console.log(`${text.split('\n').length - 2} companies are in ${DEMO_REGISTRY}.`);
}
