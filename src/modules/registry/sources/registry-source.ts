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
  /** Entries wanted at most, 1 to 100. */
  limit: number;
}

/** What a company is asked for by. */
export type QueriedBy = IdentifierQuery['type'] | 'NAME';

/** What a guard hands its source for one call. */
export interface SourceCall {
  /** Aborted when the call's whole time is over. */
  signal: AbortSignal;
  /** To be called before each request. Throws RegistryUnavailable where none may be sent now. */
  beforeRequest(): void;
}

/** A live registry. Its promises reject with RegistryUnavailable where there is no answer, and with nothing else. */
export interface RegistrySource {
  readonly registry: string;
  /** Whether it knows companies of this country (ISO 3166-1 alpha-2) by this. */
  covers(country: string, by: QueriedBy): boolean;
  /** Empty when the registry has no such company, or does not know this type of identifier. */
  findByIdentifier(query: IdentifierQuery, call?: SourceCall): Promise<RegistryEntry[]>;
  /** The registry's own order. Empty where it cannot search by name. */
  findByName(query: NameQuery, call?: SourceCall): Promise<RegistryEntry[]>;
}

/** A source that keeps connections. */
export interface OpenSource extends RegistrySource {
  /** Closes what is idle and waits for the requests under way. */
  close(): Promise<void>;
}
