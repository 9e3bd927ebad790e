/** Counts an application together with those of the last day for the same company, from the same domain or address. */
import { randomUUID } from 'node:crypto';
import type { Db } from '#infra/database/database';
import type { PlatformVault } from '#infra/secrets/vault';
import type { Address } from '#kernel/address';
import type { KnownBuyer } from '#modules/buyers';
import type { CompanyCheck } from '#modules/registry';
import type { Application } from './assessment.rules.ts';
import {
  type ApplicationCounts,
  countApplications,
  insertApplication,
} from './credit-application.queries.ts';
import { domainOf } from './email-domain.rules.ts';

/** Stores the keys of an application and returns the counts. A renewal is not stored, because nobody applied for it. */
export async function countOneMore(
  { db, vault, now }: { db: Db; vault: PlatformVault; now: number },
  { platformId, subject, spokesperson }: Application,
  buyer: KnownBuyer,
  { companyKey }: CompanyCheck,
): Promise<ApplicationCounts> {
  const emailDomain = spokesperson.email === null ? null : domainOf(spokesperson.email);
  const address = addressKeyOf(spokesperson.deliveryAddress ?? buyer.business_address);
  const mac = (purpose: string, text: string | null) =>
    text === null ? null : vault.mac(`credit_applications/${purpose}`, text);
  const keys = {
    company: mac('company', companyKey),
    emailDomain: mac('email_domain', emailDomain),
    address: mac('address', address),
  };
  if (subject !== 'FACILITY_RENEWAL')
    await insertApplication(db, { platformId, applicationId: randomUUID(), appliedAt: now, keys });
  return countApplications(db, platformId, keys, now);
}

/** Null without a street, because many companies share a postcode. */
function addressKeyOf({ street, house, postcode, country }: Address): string | null {
  if (street === null) return null;
  return [country, postcode, street, house]
    .map((part) =>
      (part ?? '')
        .normalize('NFKC')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, ''),
    )
    .join('|');
}
