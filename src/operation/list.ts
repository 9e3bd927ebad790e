/** Lists: the envelope, the paging parameters, filters by list, range and sort. */
import { type TSchema, Type } from 'typebox';
import { closed, nullable, oneOf, UNIX_SECONDS_MAX } from '#kernel/fields';
import { invalidRequest } from '#kernel/problem';

export const LIMIT_MAX = 100;
const OFFSET_MAX = 2 ** 31 - 1;

export const paging = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMIT_MAX,
      default: LIMIT_MAX,
      description: 'Maximum number of items on a page',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: OFFSET_MAX,
      default: 0,
      description: 'Zero-based index of the first item',
    }),
  ),
};

export interface Page {
  limit: number;
  offset: number;
}

/** The default order of a list. */
export const LIST_SORT = '-created_at';

/** Parameters of a list that supports cursors. */
export const cursorPaging = {
  ...paging,
  after: Type.Optional(
    Type.String({
      minLength: 1,
      // Fits an item with a name of 255 characters of four bytes each.
      maxLength: 2_000,
      description:
        'Returns items after this cursor: `next` of the previous page. Cannot be combined with `offset`',
    }),
  ),
  total: Type.Optional(
    Type.Boolean({
      default: true,
      description: 'Whether to count the matching items; `total` is null otherwise',
    }),
  ),
};

export interface CursorPage extends Page {
  /** A cursor; null for a page that is found by its offset. */
  after: string | null;
  /** As in `sort_by`; undefined for the default order. */
  sort: string | undefined;
  hasTotal: boolean;
}

/** Throws INVALID_REQUEST for a cursor together with an offset. */
export function cursorPageOf(query: {
  limit?: number;
  offset?: number;
  after?: string;
  total?: boolean;
  sort_by?: string;
}): CursorPage {
  const { after = null, total: hasTotal = true, sort_by: sort } = query;
  if (after !== null && query.offset !== undefined)
    throw invalidRequest([
      { code: 'INVALID_VALUE', path: 'query.offset', message: 'is not allowed together with after' },
    ]);
  return { ...pageOf(query), after, sort, hasTotal };
}

export function pageOf(query: { limit?: number; offset?: number }): Page {
  return { limit: query.limit ?? LIMIT_MAX, offset: query.offset ?? 0 };
}

export function listOf<S extends TSchema>(item: S, title: string) {
  return closed(
    { items: Type.Array(item), total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() },
    title,
  );
}

/** A page of a list with cursors. */
export function cursorListOf<S extends TSchema>(item: S, title: string) {
  return closed(
    {
      items: Type.Array(item),
      total: nullable(
        Type.Integer({
          description:
            'The number of matching items on all pages; null with `total=false`, and if counting would take longer than two seconds',
        }),
      ),
      limit: Type.Integer(),
      offset: Type.Integer(),
      next: nullable(
        Type.String({
          description:
            'The cursor after this page, to send as `after` for the next one; null on the last page',
        }),
      ),
    },
    title,
  );
}

/** `a,b` or a repeated parameter matches any of the values. */
export function filterByList<S extends TSchema>(item: S, description: string) {
  return Type.Optional(Type.Array(item, { minItems: 1, maxItems: 100, description }));
}

export function filterBySeconds(description: string) {
  return Type.Optional(
    Type.String({
      format: 'seconds-range',
      maxLength: 40,
      description: `${description}: unix seconds, or a range gte..lte with either end open`,
    }),
  );
}

export function filterByDays(description: string) {
  return Type.Optional(
    Type.String({
      format: 'days-range',
      maxLength: 40,
      description: `${description}: days, or a range gte..lte with either end open`,
    }),
  );
}

export function filterByAmount(description: string) {
  return Type.Optional(
    Type.String({
      format: 'amount-range',
      maxLength: 40,
      description: `${description}: minor units, or a range gte..lte with either end open`,
    }),
  );
}

export function sortBy<const C extends readonly string[]>(columns: C) {
  const values = columns.flatMap((column) => [column, `-${column}`]) as (C[number] | `-${C[number]}`)[];
  return Type.Optional({
    ...oneOf(values, 'A leading - sorts downwards; ties are in order of external_id'),
    default: LIST_SORT,
  });
}

/** `5`, `5..9`, `5..` and `..9` as inclusive bounds. The format must be valid. */
export function rangeOf(text: string): { gte: number; lte: number } {
  const [low = '', high = low] = text.split('..');
  return { gte: low === '' ? 0 : Number(low), lte: high === '' ? UNIX_SECONDS_MAX * 100 : Number(high) };
}

export function listPage<T>(rows: T[], total: number, page: Page): { items: T[]; total: number } & Page {
  return { items: rows, total, ...page };
}
