/** The language in which an order was placed in the checkout. */
import { sql } from 'kysely';
import { type Db, UNPREPARED } from '#infra/database/database';
import { byPlatform, gathered } from '#infra/database/gather';
import { unnestNumberedKeys } from '#infra/database/unnest-rows';
import type { Formality, Language } from '#kernel/language';
import type { OrderKey } from '#modules/orders';

/** The language of the buyer's last consent. */
export interface ConsentLocale {
  language: Language;
  formality: Formality;
}

/** Returns in the order of the keys; undefined for an order that was not placed in the checkout. */
export async function findConsentLocales(db: Db, keys: OrderKey[]): Promise<(ConsentLocale | undefined)[]> {
  const { rows } = await sql<{ locale: ConsentLocale | null }>`
    select (
      select json_build_object('language', language, 'formality', formality) from checkout_consents c
      where c.platform_id = k.platform_id and c.order_external_id = k.external_id
      order by consented_at desc limit 1
    ) as locale
    from ${unnestNumberedKeys(keys)}
    order by k.nth ${sql.raw(UNPREPARED)}`.execute(db);
  return rows.map(({ locale }) => locale ?? undefined);
}

export const findConsentLocale = gathered(findConsentLocales, byPlatform);
