import type { RegistryEntry } from '../registry-entry.ts';

export interface IdentifierQuery {
  type: 'VAT_ID' | 'REGISTER_ID' | 'LEI';
  /** As the caller wrote it: spaces, dots, case and a country prefix do not matter. */
  value: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
}

export interface NameQuery {
  name: string;
  /** ISO 3166-1 alpha-2. */
  country: string;
  postcode?: string;
  city?: string;
  /** The maximum number of entries, 1 to 100. */
  limit: number;
}

/** What a company is queried by. */
export type QueriedBy = IdentifierQuery['type'] | 'NAME';

/** What a guard passes to its source for one query. */
export interface SourceCall {
  /** Aborted when the time of the query is over. */
  signal: AbortSignal;
  /** The source calls it before each request. Throws RegistryUnavailable if no request may be sent now. */
  beforeRequest(): void;
}

/** A live registry. Its promises reject only with RegistryUnavailable, if there is no answer. */
export interface RegistrySource {
  readonly registry: string;
  /** Whether the registry has companies of this country (ISO 3166-1 alpha-2) and supports this kind of query. */
  covers(country: string, by: QueriedBy): boolean;
  /** Empty if the registry has no such company, or does not know this type of identifier. */
  findByIdentifier(query: IdentifierQuery, call?: SourceCall): Promise<RegistryEntry[]>;
  /** In the registry's own order. Empty if it cannot search by name. */
  findByName(query: NameQuery, call?: SourceCall): Promise<RegistryEntry[]>;
}

/** A source that keeps connections open. */
export interface OpenSource extends RegistrySource {
  /** Closes idle connections and waits for running requests. */
  close(): Promise<void>;
}
