/** The environment of a check. */
export interface Workplace {
  /** The description. */
  openapi: string;
  /** An empty folder of the check. */
  folder: string;
  /** The root of the repository. */
  root: string;
}

export interface Server {
  baseUrl: string;
  apiKey: string;
}

/** A tool that validates the description. */
export interface DescriptionCheck {
  name: string;
  /** Installs the tools in the cache folder and returns their versions. Rejects if the toolchain is missing. */
  prepare(cache: string): Promise<string>;
  /** Rejects if the description is invalid. */
  validate(workplace: Workplace, cache: string): Promise<void>;
}

/** A generator of clients, with the language it generates. */
export interface ClientCheck {
  name: string;
  /** Installs the tools in the cache folder and returns their versions. Rejects if the toolchain is missing. */
  prepare(cache: string): Promise<string>;
  generate(workplace: Workplace, cache: string): Promise<void>;
  /** Compiles the client and its round trip. */
  compile(workplace: Workplace, cache: string): Promise<void>;
  /**
   * Creates a draft order of ROUND_TRIP_GROSS with the generated client, reads it back, and returns the gross amount
   * as the client reads it.
   */
  roundTrip(workplace: Workplace, server: Server, cache: string): Promise<string>;
}

/** In cents. Above 2^31, so that a client with 32-bit integers fails. The programs in round-trips/ send it. */
export const ROUND_TRIP_GROSS = '3000000000';

/** The folder of the programs that use the generated clients. */
export const ROUND_TRIPS = new URL('round-trips/', import.meta.url);

/** The environment of a round trip. */
export function environmentOf({ baseUrl, apiKey }: Server): Record<string, string> {
  return { BASE_URL: baseUrl, API_KEY: apiKey };
}
