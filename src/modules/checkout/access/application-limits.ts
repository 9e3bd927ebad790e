/**
 * Limits of codes and applications for credit, in the memory of this process. They protect one company, one mailbox and one network
 * from being flooded, and do not affect others.
 */
import type { Clock } from '#infra/time/clock';
import { createRateLimit, type RateLimit } from '#operation/rate-limit';
import type { CompanyEntry, FieldError } from '../state/checkout.view.ts';

/** Times the limit of a company. A buyer with many drafts gets a code for each. */
const MAILBOX_FACTOR = 2;
/** Times the limit of a company. An office shares one network, and a provider may share one among many offices. */
const NETWORK_FACTOR = 12;
const HOUR_SECONDS = 3_600;

export interface CodeToLimit {
  email: string;
  /** Null for a code that only opens what is on file. */
  company: CompanyEntry | null;
  /** Null if browsers cannot be distinguished, as behind a proxy. */
  network: string | null;
}

export interface ApplicationLimits {
  /** Counts a code before it is sent. Once the limit is reached, returns what the buyer can do instead. */
  refusalOfCode(platformId: number, code: CodeToLimit): FieldError | null;
  /** Counts an application for credit. */
  refusalOfApplication(platformId: number, company: CompanyEntry | null): FieldError | null;
}

/** @param companyAnHour Codes, and applications, per hour for one company; the other limits follow from it. 0 for no limit. */
export function createApplicationLimits(
  companyAnHour: number,
  clock: Pick<Clock, 'elapsedMs'>,
): ApplicationLimits {
  if (companyAnHour === 0) return { refusalOfCode: () => null, refusalOfApplication: () => null };
  const anHour = (count: number) => createRateLimit(count / HOUR_SECONDS, count, clock);
  const codesToMailbox = anHour(companyAnHour * MAILBOX_FACTOR);
  const codesFromNetwork = anHour(companyAnHour * NETWORK_FACTOR);
  const codesForCompany = anHour(companyAnHour);
  const applications = anHour(companyAnHour);
  // Counts every name of the company, even after one of them has no attempts left.
  const areFree = (limit: RateLimit, keys: string[]) => keys.map((key) => limit.tryTake(key)).every(Boolean);
  return {
    refusalOfCode(platformId, { email, company, network }) {
      if (!areFree(codesForCompany, keysOfCompany(platformId, company))) return TOO_MANY_APPLICATIONS;
      const isFree =
        codesToMailbox.tryTake(email.toLowerCase()) &&
        (network === null || codesFromNetwork.tryTake(network));
      return isFree ? null : TOO_MANY_CODES;
    },
    refusalOfApplication: (platformId, company) =>
      areFree(applications, keysOfCompany(platformId, company)) ? null : TOO_MANY_APPLICATIONS,
  };
}

const TOO_MANY_APPLICATIONS: FieldError = { field: null, error: 'error.applications_too_many' };
const TOO_MANY_CODES: FieldError = { field: null, error: 'error.code_too_many' };

/** One key for each name that the company may be given, so that another spelling of it does not raise the limit. */
function keysOfCompany(platformId: number, company: CompanyEntry | null): string[] {
  if (company === null) return [];
  const { businessId, country, vatId, registerId, legalName } = company;
  const plain = (text: string) =>
    text
      .normalize('NFKC')
      .toUpperCase()
      .replaceAll(/[^\p{L}\p{N}]/gu, '');
  const names = [
    businessId ?? '',
    ...[vatId, registerId, legalName].map((text) => text && `${country}/${plain(text)}`),
  ];
  return names.filter((name) => name !== '').map((name) => `${platformId}/${name}`);
}
