/** The unusual data of real registries, each shape once per country, as differences from a usual company. */
import { coin, type DemoCompany, inventAddress, type Making, withForm } from './company.ts';

type Shape = (company: DemoCompany, making: Making, affix: string) => Partial<DemoCompany>;

const named = (name: string, making: Making, affix: string) => ({
  legal_name: withForm(name, affix, making),
});

export const MALFORMED_SHAPES: readonly Shape[] = [
  // A name of more than 150 letters.
  (_, making, affix) => {
    const { lexicon, dice } = making;
    const goods = Array.from({ length: 4 }, () => coin(making)).join(
      making.lexicon.order === 'joined' ? '・' : ', ',
    );
    const cities = Array.from({ length: 2 }, () => dice.pickFrom(lexicon.surnames)).join(
      ` ${dice.pickFrom(lexicon.and)} `,
    );
    return named(`${lexicon.purpose} ${goods} (${cities})`, making, affix);
  },
  // A single letter; numbers.
  (_, making, affix) => named(making.dice.pick([...'QXZÜØ']), making, affix),
  (_, making, affix) => named(String(1_000 + making.dice.below(9_000)), making, affix),
  (_, making, affix) =>
    named(`${making.dice.below(10)}.${making.dice.below(10)} ${coin(making)} 24/7`, making, affix),
  // Signs.
  (_, making, affix) => named(`${coin(making)} & "${coin(making)}"`, making, affix),
  (_, making, affix) => named(`«${coin(making)}» + ‘${coin(making)}’, ${coin(making)}`, making, affix),
  (_, making, affix) =>
    named(`A.B.${making.dice.pick([...'CDEFG'])}.-${coin(making)}/${coin(making)}!`, making, affix),
  (_, making, affix) => named(`@${coin(making)}.example #${making.dice.below(100)}`, making, affix),
  // Upper case, lower case and mixed case.
  (company) => ({ legal_name: company.legal_name.toUpperCase() }),
  (company) => ({ legal_name: company.legal_name.toLowerCase() }),
  (_, making, affix) => named(`i${coin(making)}X`, making, affix),
  // A name that consists of the form or the city only.
  (_, making, affix) => named(affix, making, affix),
  (company, making, affix) => named(company.city ?? '', making, affix),
  // Other names: an unrelated trading name, and many former names.
  (_, making) => ({ trading_name: coin(making) }),
  (company, making) => ({
    trading_name: `${coin(making)} ${making.dice.below(100)}`,
    other_names: Array.from({ length: 6 }, () => coin(making))
      .concat(company.other_names || [])
      .join('|'),
  }),
  // Addresses: a PO box, none, a city only, a street without number, and c/o.
  (_, { lexicon, dice }) => ({ street: '', house: '', additional: dice.fill(lexicon.poBox) }),
  () => ({ street: '', house: '', postcode: '', city: '' }),
  () => ({ street: '', house: '', postcode: '' }),
  () => ({ house: '' }),
  (_, { lexicon, dice }) => ({
    additional: `c/o ${dice.pickFrom(lexicon.given)} ${dice.pickFrom(lexicon.surnames)}`,
  }),
  // No numbers; a company older than all numbers.
  () => ({ vat_id: '', tax_id: '', register_id: '', incorporated_on: '' }),
  () => ({ vat_id: '', incorporated_on: '1670-05-02' }),
  () => ({ status: 'INACTIVE' }),
];

/** Companies with the same name: two in one city, one elsewhere, one dissolved, one with another form. */
export function twinsOf(
  company: DemoCompany,
  making: Making,
  affixes: readonly [string, string],
): DemoCompany[] {
  const name = `${coin(making)} ${coin(making)}`;
  const twin = (nth: number, differing: Partial<DemoCompany>): DemoCompany => ({
    ...company,
    registry_key: `${company.registry_key}-${nth}`,
    legal_name: `${name} ${affixes[0]}`,
    status: 'ACTIVE',
    vat_id: '',
    tax_id: '',
    register_id: making.dice.fill(making.lexicon.registerId),
    ...differing,
  });
  const { city, postcode } = inventAddress(making);
  return [
    twin(1, {}),
    twin(2, {
      street: making.dice.pickFrom(making.lexicon.streets),
      house: String(making.dice.below(90) + 1),
    }),
    twin(3, { city, postcode }),
    twin(4, { status: 'INACTIVE' }),
    twin(5, { legal_name: `${name} ${affixes[1]}` }),
  ];
}
