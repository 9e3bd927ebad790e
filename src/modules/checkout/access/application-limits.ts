/**
 * Limits of codes and applications for credit, in the memory of this process. They keep one company, one mailbox and one
 * network from being flooded; others are not affected.
 */
import type { Clock } from '#infra/time/clock';
import { createRateLimit, type RateLimit } from '#operation/rate-limit';
import type { CompanyEntry, FieldError } from '../state/checkout.view.ts';

/** Of the limit for a company. A buyer with many drafts gets a code for each. */
const MAILBOX_FACTOR = 2;
/** Of the limit for a company. An office shares one network, and a provider may share one among many offices. */
const NETWORK_FACTOR = 12;
const HOUR_SECONDS = 3_600;

export interface CodeToLimit {
  email: string;
  /** Null for a code that only opens what is on file. */
  company: CompanyEntry | null;
  /** Null where browsers cannot be distinguished: behind a proxy. */
  network: string | null;
}

export interface ApplicationLimits {
  /** Counts a code that is to be sent. Returns what the buyer can do instead once too many were sent. */
  refusalOfCode(platformId: number, code: CodeToLimit): FieldError | null;
  /** Counts an application for credit. */
  refusalOfApplication(platformId: number, company: CompanyEntry | null): FieldError | null;
}

/** @param companyAnHour Codes, and applications, an hour for one company; the other limits follow from it. 0: no limit. */
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
  // Every name of the company is counted, also after one of them is used up.
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
