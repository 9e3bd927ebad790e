import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { AmountInput } from '#kernel/amount';
import { BusinessIdentifierInput } from '#kernel/business-identifier';
import {
  CountrySchema,
  CustomDataSchema,
  closed,
  EmailSchema,
  externalId,
  line,
  nullable,
  oneOf,
  optional,
  unixSeconds,
} from '#kernel/fields';
import { filterByAmount, filterByList, filterBySeconds, paging } from '#operation/list';
import { compileQueryReader, compileValidator, ISSUES_MAX } from './validation.ts';

/** `code path` of every issue. */
function seen(
  schema: Parameters<typeof compileValidator>[0],
  value: unknown,
  source: 'body' | 'params' = 'body',
) {
  return compileValidator(schema, source)(value).map(({ code, path }) => `${code} ${path}`);
}

describe('one issue per path', () => {
  const id = closed({ id: externalId('An id') });
  it.each([
    ['an empty text is too short, not also of the wrong pattern', { id: '' }, 'TOO_SHORT body.id'],
    ['a long text is too long, not also of the wrong pattern', { id: '!'.repeat(101) }, 'TOO_LONG body.id'],
    ['a missing field is required', {}, 'REQUIRED body.id'],
    ['a number is of the wrong type, and nothing else', { id: 5 }, 'INVALID_TYPE body.id'],
    ['null is of the wrong type', { id: null }, 'INVALID_TYPE body.id'],
    ['another pattern', { id: 'a b' }, 'INVALID_FORMAT body.id'],
  ])('%s', (_, value, issue) => {
    expect(seen(id, value)).toEqual([issue]);
  });

  it.each([
    [' ', 'TOO_SHORT body.name'],
    ['\n', 'TOO_SHORT body.name'],
    ['a\nb', 'INVALID_VALUE body.name'],
    ['a\n'.repeat(20), 'TOO_LONG body.name'],
  ])('a line of text %j: %s', (name, issue) => {
    expect(seen(closed({ name: line(20) }), { name })).toEqual([issue]);
  });

  it.each([
    ['EURO', 'INVALID_ENUM body.currency'],
    ['', 'INVALID_ENUM body.currency'],
    [1, 'INVALID_TYPE body.currency'],
  ])('a value of a list as %j: %s', (currency, issue) => {
    expect(seen(closed({ currency: nullable(oneOf(['EUR', 'GBP'])) }), { currency })).toEqual([issue]);
  });

  it.each([
    [-1, 'TOO_SMALL body.at'],
    [1e15, 'TOO_BIG body.at'],
    [1.5, 'INVALID_TYPE body.at'],
    [-1.5, 'INVALID_TYPE body.at'],
    ['1', 'INVALID_TYPE body.at'],
  ])('an instant as %j: %s', (at, issue) => {
    expect(seen(closed({ at: unixSeconds('An instant') }), { at })).toEqual([issue]);
  });

  it.each([
    ['de', 'INVALID_FORMAT body.country'],
    ['XX', 'INVALID_VALUE body.country'],
  ])('a country as %j: %s', (country, issue) => {
    expect(seen(closed({ country: CountrySchema }), { country })).toEqual([issue]);
  });
});

describe('every issue at once', () => {
  it('at its path', () => {
    const schema = closed({
      email: optional(EmailSchema),
      lines: Type.Array(closed({ price: Type.Integer(), name: line(10) }), { maxItems: 2 }),
      amount: AmountInput,
      identifier: BusinessIdentifierInput,
    });
    const value = {
      email: 'nobody',
      lines: [{ price: 1.5, name: '' }, { price: 1, name: 'good', 'a/b~c.d': 1 }, 5],
      amount: { net: 1, gross: 3, tax: 1 },
      identifier: { type: 'VAT_ID', value: '1', country: 'DE' },
      other: null,
    };
    expect(seen(schema, value).sort()).toEqual([
      'AMOUNT_MISMATCH body.amount.gross',
      'INVALID_FORMAT body.email',
      'INVALID_FORMAT body.identifier.value',
      'INVALID_TYPE body.lines.0.price',
      'INVALID_TYPE body.lines.2',
      'TOO_LONG body.lines',
      'TOO_SHORT body.lines.0.name',
      'UNRECOGNIZED_KEYS body.lines.1.a/b~c.d',
      'UNRECOGNIZED_KEYS body.other',
    ]);
  });

  it('up to a maximum', () => {
    const schema = closed({ ids: Type.Array(externalId('An id')) });
    expect(seen(schema, { ids: Array(5_000).fill('') })).toHaveLength(ISSUES_MAX);
  });

  it('of the whole value if that is of the wrong type', () => {
    for (const value of [null, [], 'a', 5, true])
      expect(seen(closed({}), value)).toEqual(['INVALID_TYPE body']);
  });

  it('of parameters of the path', () => {
    expect(seen(closed({ id: externalId('An id') }), { id: '..' }, 'params')).toEqual([
      'INVALID_FORMAT params.id',
    ]);
  });

  it('without rules that depend on invalid fields', () => {
    expect(seen(AmountInput, { net: '1', gross: 2 })).toEqual(['INVALID_TYPE body.net']);
    expect(seen(BusinessIdentifierInput, { type: 'VAT_ID', value: 'x', country: 'XX' })).toEqual([
      'INVALID_VALUE body.country',
    ]);
  });
});

describe('custom_data', () => {
  const deep = (levels: number): unknown => (levels === 0 ? 1 : { a: deep(levels - 1) });
  it.each([
    ['8 levels', deep(8), []],
    ['9 levels', deep(9), ['TOO_BIG body']],
    ['9 levels of lists', { a: [[[[[[[[]]]]]]]] }, ['TOO_BIG body']],
    ['16 KiB', { a: 'x'.repeat(16_384 - 8) }, []],
    ['a byte more', { a: 'x'.repeat(16_384 - 7) }, ['TOO_LONG body']],
    ['16 KiB in half as many characters', { a: 'é'.repeat(8_192) }, ['TOO_LONG body']],
    ['keys of every kind', { '': 1, constructor: 2, toString: 3 }, []],
  ])('of %s', (_, value, issues) => {
    expect(seen(CustomDataSchema, value)).toEqual(issues);
  });
});

describe('a query', () => {
  const schema = closed({
    ...paging,
    id: filterByList(externalId('An id'), 'Ids'),
    created_at: filterBySeconds('Created'),
    amount: filterByAmount('Amount'),
  });
  const read = compileQueryReader(schema);
  const validate = compileValidator(schema, 'query');
  const issuesOf = (query: Record<string, unknown>) =>
    validate(read(query)).map(({ code, path }) => `${code} ${path}`);

  it('reads whole numbers, and lists with commas or repeated', () => {
    expect(read({ limit: '10', id: 'a,b' })).toEqual({ limit: 10, id: ['a', 'b'] });
    expect(read({ id: ['a,b', 'c'] })).toEqual({ id: ['a', 'b', 'c'] });
  });

  it.each([
    [{ limit: '0' }, 'TOO_SMALL query.limit'],
    [{ limit: '101' }, 'TOO_BIG query.limit'],
    [{ limit: '1e1' }, 'INVALID_TYPE query.limit'],
    [{ limit: ' 1' }, 'INVALID_TYPE query.limit'],
    [{ limit: '' }, 'INVALID_TYPE query.limit'],
    [{ limit: '1.0' }, 'INVALID_TYPE query.limit'],
    [{ limit: '0x1' }, 'INVALID_TYPE query.limit'],
    [{ limit: ['1', '2'] }, 'INVALID_TYPE query.limit'],
    [{ offset: '-1' }, 'TOO_SMALL query.offset'],
    [{ offset: '2147483648' }, 'TOO_BIG query.offset'],
    [{ offset: '9'.repeat(40) }, 'TOO_BIG query.offset'],
    [{ id: 'a,,b' }, 'TOO_SHORT query.id'],
    [{ id: '' }, 'TOO_SHORT query.id'],
    [{ id: 'a b,c d' }, 'INVALID_FORMAT query.id'],
    [{ id: Array(101).fill('a') }, 'TOO_LONG query.id'],
    [{ nobody: '1' }, 'UNRECOGNIZED_KEYS query.nobody'],
    [JSON.parse('{"__proto__":"1"}'), 'UNRECOGNIZED_KEYS query.__proto__'],
    [{ created_at: '253402300800' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '..' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '1..2..3' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '-1' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '1.5' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '1...2' }, 'INVALID_FORMAT query.created_at'],
    [{ created_at: '' }, 'INVALID_FORMAT query.created_at'],
    [{ amount: '1000000000001' }, 'INVALID_FORMAT query.amount'],
  ])('%j: %s', (query, issue) => {
    expect(issuesOf(query)).toEqual([issue]);
  });

  it.each([
    { limit: '1' },
    { limit: '100', offset: '2147483647' },
    { created_at: '0' },
    { created_at: '0..253402300799' },
    { created_at: '5..' },
    { created_at: '..5' },
    { created_at: '9..5' },
    { amount: '1000000000000' },
  ])('%j fits', (query) => {
    expect(issuesOf(query)).toEqual([]);
  });
});
