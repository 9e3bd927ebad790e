/** One list of columns per table: the type of its rows, inserts, updates, lists and JSON rows follow from it. */
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { DB } from './schema.ts';
import type { ListedColumns, ListType } from './unnest-rows.ts';

export type PgType = ListType | 'date' | 'int[]' | 'smallint' | 'text[]' | 'timestamptz';

/** The types that a column with these values can have. */
type PgTypeOf<Value> = unknown extends Value
  ? 'json' | 'jsonb'
  : NonNullable<Value> extends number
    ? 'bigint' | 'float8' | 'int' | 'smallint'
    : NonNullable<Value> extends boolean
      ? 'boolean'
      : NonNullable<Value> extends string
        ? 'text' | 'uuid'
        : NonNullable<Value> extends Buffer
          ? 'bytea'
          : NonNullable<Value> extends Date
            ? 'date' | 'timestamptz'
            : NonNullable<Value> extends readonly string[]
              ? 'text[]'
              : NonNullable<Value> extends readonly number[]
                ? 'int[]'
                : 'json' | 'jsonb';

/** A column whose values have a narrower type than the database declares. */
interface NarrowedColumn<Type extends PgType, Value> {
  readonly type: Type;
  /** For the compiler only. */
  readonly value?: [Value];
}

type Columns<Name extends keyof DB> = {
  readonly [Column in keyof Selectable<DB[Name]>]?:
    | PgTypeOf<Selectable<DB[Name]>[Column]>
    | NarrowedColumn<PgTypeOf<Selectable<DB[Name]>[Column]>, unknown>;
};

type RowWith<Name extends keyof DB, Listed> = {
  -readonly [Column in keyof Listed & keyof Selectable<DB[Name]>]: Listed[Column] extends NarrowedColumn<
    PgType,
    infer Value
  >
    ? Value
    : Selectable<DB[Name]>[Column];
};

type OptionalKey<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];

/** A row to be inserted: columns with a default, and columns that may be null, can be left out. */
type NewRowWith<Name extends keyof DB, Row> = Omit<Row, OptionalKey<Insertable<DB[Name]>>> &
  Partial<Pick<Row, OptionalKey<Insertable<DB[Name]>> & keyof Row>>;

type ListableColumn<Row> = keyof Row & string;

/** A row of the table as it is read. */
export type RowOf<T extends { fromJson(json: object): object }> = ReturnType<T['fromJson']>;
/** A row of the table as it is inserted. */
export type NewRowOf<T extends { insertable(row: never): object }> = Parameters<T['insertable']>[0];

export class Table<Name extends keyof DB, Row extends object, New extends object> {
  readonly name: Name;
  readonly types: ReadonlyMap<string, PgType>;
  readonly columns: readonly ListableColumn<Row>[];
  readonly #writtenOut = new Map<string, RawBuilder<unknown>>();
  readonly #json: readonly string[];
  readonly #bytes: readonly string[];
  readonly #instants: readonly string[];

  constructor(name: Name, types: ReadonlyMap<string, PgType>) {
    const ofType = (...wanted: PgType[]) =>
      [...types].filter(([, type]) => wanted.includes(type)).map(([column]) => column);
    this.name = name;
    this.types = types;
    this.columns = [...types.keys()] as ListableColumn<Row>[];
    this.#json = ofType('json', 'jsonb');
    this.#bytes = ofType('bytea');
    this.#instants = ofType('timestamptz', 'date');
  }

  /** `b.platform_id, b.external_id, …`. Cached per alias: composing it costs more than the rest of a statement. */
  of(alias: string): RawBuilder<unknown> {
    const known = this.#writtenOut.get(alias);
    if (known) return known;
    const writtenOut = sql.raw(this.columns.map((column) => `${alias}.${column}`).join(', '));
    this.#writtenOut.set(alias, writtenOut);
    return writtenOut;
  }

  /** These columns for `unnestRows`, from items that have them by the same names. */
  list<Column extends ListableColumn<Row>>(...columns: Column[]): ListedColumns<Pick<Row, Column>> {
    return Object.fromEntries(
      columns.map((column) => [column, [this.types.get(column) as ListType, column]]),
    );
  }

  /** These columns for `unnestRows`, from items that hold the row. */
  listOf<Item, Column extends ListableColumn<Row>>(
    rowOf: (item: Item) => Pick<Row, Column>,
    ...columns: Column[]
  ): ListedColumns<Item> {
    return Object.fromEntries(
      columns.map((column) => [
        column,
        [this.types.get(column) as ListType, (item: Item) => rowOf(item)[column]],
      ]),
    );
  }

  /** The row as the query builder takes it. JSON becomes text: the driver would send a list as an array. */
  insertable(row: New): Insertable<DB[Name]> {
    return this.#withJsonAsText(row) as Insertable<DB[Name]>;
  }

  /** The changes as the query builder takes them. */
  updateable(changes: Partial<Row>): Updateable<DB[Name]> {
    return this.#withJsonAsText(changes) as Updateable<DB[Name]>;
  }

  /** Restores bytes and instants in a row that was read through `to_json`. Changes the given object. */
  fromJson(json: object): Row {
    const row = json as Record<string, unknown>;
    for (const column of this.#bytes) {
      const hex = row[column];
      if (typeof hex === 'string') row[column] = Buffer.from(hex.slice('\\x'.length), 'hex');
    }
    for (const column of this.#instants) {
      const text = row[column];
      if (typeof text === 'string') row[column] = new Date(text);
    }
    return row as Row;
  }

  #withJsonAsText(values: object): object {
    const row = { ...values } as Record<string, unknown>;
    for (const column of this.#json) {
      const value = row[column];
      if (value !== null && value !== undefined) row[column] = JSON.stringify(value);
    }
    return row;
  }
}

/**
 * A table with the columns that the program reads and writes, each with its type in PostgreSQL. The compiler compares
 * the list with the migrated schema; a test compares the types.
 */
export function table<Name extends keyof DB, const Listed extends Columns<Name>>(
  name: Name,
  columns: Listed & Record<Exclude<keyof Listed, keyof DB[Name]>, never>,
): Table<Name, RowWith<Name, Listed>, NewRowWith<Name, RowWith<Name, Listed>>> {
  const entries = Object.entries<PgType | NarrowedColumn<PgType, unknown>>(columns);
  return new Table(
    name,
    new Map(entries.map(([column, type]) => [column, typeof type === 'string' ? type : type.type])),
  );
}

/** A column of JSON with values of this type. */
export function jsonb<Value>(): NarrowedColumn<'jsonb', Value> {
  return { type: 'jsonb' };
}

/** `json` keeps the text as it was written, with the order of its keys. */
export function json<Value>(): NarrowedColumn<'json', Value> {
  return { type: 'json' };
}

/** A column of text with these values. */
export function text<Value extends string | null>(): NarrowedColumn<'text', Value> {
  return { type: 'text' };
}

/** A column of lists of these values. */
export function textList<Value extends string>(): NarrowedColumn<'text[]', Value[]> {
  return { type: 'text[]' };
}

/** `platform_id, external_id, …`: the names of a list, for an insert or a select. */
export function namesOf(columns: readonly string[]): RawBuilder<unknown> {
  return sql.raw(columns.join(', '));
}

/** `legal_name = u.legal_name, …`: what an update sets from a list, or an upsert from `excluded`. */
export function assignmentsOf(columns: readonly string[], from: string): RawBuilder<unknown> {
  return sql.raw(columns.map((column) => `${column} = ${from}.${column}`).join(', '));
}
