import { changedFields, nextVersion } from '#kernel/changes';
import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { recordBuyerUpdated } from '../buyer.events.ts';
import { lockBuyer, updateBuyer } from '../buyer.queries.ts';
import { BuyerParams, BuyerSettings, BuyerSettingsReplacement } from '../buyer.schemas.ts';

export const replaceBuyerSettings = operation({
  id: 'replaceBuyerSettings',
  summary: "Replace a buyer's settings",
  description:
    'Language and formality of mails and pages for the buyer. Match the language to the country of the business address; ' +
    'FORMAL suits most business correspondence. A field that is null or omitted is cleared. Settings share the ETag of the buyer.',
  tag: 'Buyers',
  scope: 'orders:write',
  effect: 'transaction',
  params: BuyerParams,
  body: BuyerSettingsReplacement,
  isConditional: true,
  isVersioned: true,
  status: 200,
  response: BuyerSettings,
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' }, body: { language: 'DE', formality: 'FORMAL' } },
  async run({ db, platformId, now, assertVersion }, { params, body }) {
    const row = await lockBuyer(db, platformId, params.external_id);
    if (!row) throw notFound();
    assertVersion(row.version);
    const wanted = { language: body.language ?? null, formality: body.formality ?? null };
    const changed = changedFields(row, wanted);
    if (changed.length === 0) return { body: wanted, version: row.version };
    const replaced = await updateBuyer(db, platformId, params.external_id, {
      ...wanted,
      ...nextVersion(row, now),
    });
    await recordBuyerUpdated(db, replaced, changed);
    return { body: wanted, version: replaced.version };
  },
});
