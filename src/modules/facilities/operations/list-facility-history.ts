import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { toHistoryEntry } from '#operation/history';
import { listOf, listPage, pageOf, paging } from '#operation/list';
import { operation } from '#operation/operation';
import { findFacility, listFacilityTransitions } from '../facility.queries.ts';
import { FacilityHistoryEntry, FacilityParams } from '../facility.schemas.ts';

export const listFacilityHistory = operation({
  id: 'listFacilityHistory',
  summary: 'List the history of a credit facility',
  description:
    'Every transition, the latest first, with its actor, its reason and the decision that caused it. The ledger lists the ' +
    'changes of the amounts.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: FacilityParams,
  query: closed(paging),
  status: 200,
  response: listOf(FacilityHistoryEntry, 'FacilityHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run({ db, platformId, caller }, { params, query }) {
    const key = { platformId, buyerExternalId: params.external_id };
    const page = pageOf(query);
    const [facility, { rows, total }] = await Promise.all([
      findFacility(db, key),
      listFacilityTransitions(db, key, page),
    ]);
    if (!facility) throw notFound();
    const items = rows.map((row) => toHistoryEntry(row, caller) as FacilityHistoryEntry);
    return { body: listPage(items, total, page) };
  },
});
