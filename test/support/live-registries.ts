/** Settings with which a world or a program queries the local registries. */
import type { Api, RegistryServers } from './registry-servers.ts';

const SETTINGS: Record<Api, string> = {
  gleif: 'REGISTRY_GLEIF_URL',
  vies: 'REGISTRY_VIES_URL',
  'companies-house': 'REGISTRY_COMPANIES_HOUSE_URL',
};

export function liveRegistries(servers: RegistryServers, apis: Api[]): Record<string, string> {
  return {
    ...Object.fromEntries(apis.map((api) => [SETTINGS[api], servers.url(api)])),
    ...(apis.includes('companies-house') && { REGISTRY_COMPANIES_HOUSE_API_KEY: servers.apiKey }),
  };
}

/** The query of a search by name. */
export function named(name: string, country: string, more: Record<string, string> = {}): string {
  return pathOf({ search_type: 'name_address', country, name, ...more });
}

/** The query of a search by identifier. */
export function numbered(type: 'VAT_ID' | 'REGISTER_ID', value: string, country: string): string {
  return pathOf({ search_type: 'identifier', country, identifier_type: type, identifier_value: value });
}

const pathOf = (query: Record<string, string>) => `/v1/businesses/search?${new URLSearchParams(query)}`;
