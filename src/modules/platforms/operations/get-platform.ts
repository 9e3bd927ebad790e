import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { logoUrlOf } from '../logo.rules.ts';
import { findPlatform } from '../platform.queries.ts';
import { Platform } from '../platform.schemas.ts';
import { platformLanguage } from '../platform-language.rules.ts';
import type { FinancingReview, LateChargeOrder, TermFeePayer } from '../platform-settings.rules.ts';

export const getPlatform = operation({
  id: 'getPlatform',
  summary: 'Retrieve the platform of the API key',
  tag: 'Platform',
  scope: 'read',
  effect: 'read',
  isVersioned: true,
  status: 200,
  response: Platform,
  problems: ['NOT_FOUND'],
  example: {},
  async run({ db, platformId, baseUrl }) {
    const row = await findPlatform(db, platformId);
    if (!row) throw notFound();
    const body = {
      ...row,
      financing_review: row.financing_review as FinancingReview,
      term_fee_payer: row.term_fee_payer as TermFeePayer,
      late_charge_order: row.late_charge_order as LateChargeOrder,
      language: platformLanguage(row),
      logo_url: logoUrlOf(row, baseUrl),
    };
    return { body, version: row.version };
  },
});
