/**
 * VIES, the European Commission's check of VAT numbers. It queries the tax office of the member state, so one state can
 * be unavailable while others answer. What it returns about the owner of a number depends on the state (Germany and
 * Spain: nothing). Its REST API needs no key (https://ec.europa.eu/taxation_customs/vies/#/technical-information).
 */
import { isVatIdFormat } from '#kernel/vat-id';
import type { RegistryEntry } from '../registry-entry.ts';
import { parseAddressText } from './postal-address.ts';
import { createRegistryHttp, readJson, statusFailure } from './registry-http.ts';
import { asList, asObject, compact, type JsonObject, otherNamesBeside, readText } from './registry-json.ts';
import type { IdentifierQuery, OpenSource } from './registry-source.ts';
import { RegistryUnavailable, type UnavailableKind } from './registry-unavailable.ts';

export interface ViesOptions {
  /** `https://ec.europa.eu/taxation_customs/vies/rest-api`, or a mirror of it. */
  baseUrl: string;
  extraCa?: string;
}

interface ViesNumber {
  countryCode: string;
  vatNumber: string;
}

const REGISTRY = 'VIES';
/** Registries of tax offices: they know who has a number, and neither its legal form nor its age. */
export const TAX_AUTHORITIES: ReadonlySet<string> = new Set([REGISTRY]);

const MEMBER_STATES = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
/** The format in the definition of the service (checkVatService.wsdl). */
const NUMBER_FORM = /^[0-9A-Z+*.]{2,12}$/;

/** The service's errors for "no such number can exist". */
const NO_SUCH_NUMBER = new Set(['INVALID_INPUT', 'VOW-ERR-2600']);

/** The meaning of its errors. Any other error is a SERVER_ERROR. */
const ERRORS: Record<string, UnavailableKind> = {
  MS_UNAVAILABLE: 'NATIONAL',
  MS_MAX_CONCURRENT_REQ: 'NATIONAL',
  MS_MAX_CONCURRENT_REQ_TIME: 'NATIONAL',
  TIMEOUT: 'NATIONAL',
  GLOBAL_MAX_CONCURRENT_REQ: 'THROTTLED',
  GLOBAL_MAX_CONCURRENT_REQ_TIME: 'THROTTLED',
  SERVICE_UNAVAILABLE: 'SERVER_ERROR',
  IP_BLOCKED: 'REFUSED',
  VAT_BLOCKED: 'REFUSED',
  INVALID_REQUESTER_INFO: 'REFUSED',
};

/** Creates the source. Throws a TypeError for an invalid base address. */
export function createViesSource({ baseUrl, ...options }: ViesOptions): OpenSource {
  const http = createRegistryHttp(REGISTRY, {
    ...options,
    baseUrl,
    headers: { accept: 'application/json' },
  });
  return {
    registry: REGISTRY,
    // Great Britain has left; Northern Ireland's numbers are still checked.
    covers: (country, by) => by === 'VAT_ID' && (MEMBER_STATES.has(country) || country === 'GB'),
    async findByIdentifier(query, call) {
      const number = query.type === 'VAT_ID' ? viesNumber(query) : null;
      if (number === null) return [];
      const reply = await http.send({ method: 'POST', path: '/check-vat-number', body: number }, call);
      // Errors come with status 200 as well as 400 and 500, and are more specific than the status.
      const body = reply.status === 200 ? readJson(REGISTRY, reply.body) : readJsonOrNothing(reply.body);
      const answer = asObject(body);
      const code = errorOf(answer);
      if (code !== null && NO_SUCH_NUMBER.has(code)) return [];
      if (code !== null) throw unavailable(code, query.country);
      if (reply.status !== 200) throw statusFailure(REGISTRY, reply);
      return readAnswer(answer, number, query.country);
    },
    findByName: async () => [],
    close: () => http.close(),
  };
}

/** Null if the service has no such numbers. */
function viesNumber({ value, country }: IdentifierQuery): ViesNumber | null {
  const written = value
    .normalize('NFKC')
    .replaceAll(/[\s.,/\p{Dash_Punctuation}]/gu, '')
    .toUpperCase();
  const prefix = country === 'GR' ? 'EL' : country === 'GB' ? 'XI' : country;
  const prefixes = country === 'GR' ? ['EL', 'GR'] : [prefix];
  const used = prefixes.find((each) => written.startsWith(each));
  if (country === 'GB' && used === undefined) return null;
  // A French number may itself begin with FR: if it is complete as written, it has no prefix.
  const isWhole = country !== 'GB' && isVatIdFormat(prefix + written, country);
  const vatNumber = used !== undefined && !isWhole ? written.slice(used.length) : written;
  return NUMBER_FORM.test(vatNumber) ? { countryCode: prefix, vatNumber } : null;
}

/** The first error in either format, or null. `VALID` and `INVALID` are not errors. */
function errorOf({ userError, errorWrappers, actionSucceed }: JsonObject): string | null {
  const [wrapper] = asList(errorWrappers);
  const code = asObject(wrapper).error ?? userError;
  if (typeof code === 'string' && code !== '' && code !== 'VALID' && code !== 'INVALID') return code;
  return actionSucceed === false ? 'FAILED' : null;
}

function unavailable(code: string, country: string): RegistryUnavailable {
  const kind = Object.hasOwn(ERRORS, code) ? ERRORS[code] : undefined;
  return new RegistryUnavailable(REGISTRY, kind ?? 'SERVER_ERROR', {
    code: kind === undefined ? 'UNKNOWN_ERROR' : code,
    country: kind === 'NATIONAL' ? country : null,
  });
}

function readAnswer(answer: JsonObject, covering: ViesNumber, country: string): RegistryEntry[] {
  const { countryCode, vatNumber, valid, name, address } = answer;
  const isOther = (value: unknown, own: string) =>
    typeof value === 'string' && compact(value) !== compact(own);
  if (
    typeof valid !== 'boolean' ||
    isOther(countryCode, covering.countryCode) ||
    isOther(vatNumber, covering.vatNumber)
  ) {
    throw new RegistryUnavailable(REGISTRY, 'PROTOCOL', { code: 'BAD_DOCUMENT' });
  }
  // The Greek registry writes the trading name after two bars.
  const [legalName = null, tradingName = null] =
    typeof name === 'string' ? name.split('||').map(readText) : [];
  if (!valid || legalName === null) return [];
  const key = covering.countryCode + covering.vatNumber;
  return [
    {
      registry: REGISTRY,
      registryKey: key,
      legalName,
      tradingName: otherNamesBeside([legalName], [tradingName])[0] ?? null,
      otherNames: [],
      legalForm: null,
      elfCode: null,
      address: parseAddressText(typeof address === 'string' ? address : '', country),
      identifiers: [{ type: 'VAT_ID', value: key, country }],
      incorporatedAt: null,
      website: null,
      isActive: true,
    },
  ];
}

function readJsonOrNothing(body: Buffer): unknown {
  try {
    return readJson(REGISTRY, body);
  } catch {
    return null;
  }
}
