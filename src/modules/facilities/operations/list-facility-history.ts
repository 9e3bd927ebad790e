import { closed } from '#kernel/fields';
import { notFound } from '#kernel/problem';
import { toHistoryEntry } from '#operation/history';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
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
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(FacilityHistoryEntry, 'FacilityHistory'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'cafe-morgenrot' } },
  async run(context, { params: { external_id: buyerExternalId }, query }) {
    const { db, platformId, caller } = context;
    if (!(await findFacility(db, { platformId, buyerExternalId }))) throw notFound();
    const { rows, listed } = await listFacilityTransitions(context, buyerExternalId, cursorPageOf(query));
    const items = rows.map((row) => toHistoryEntry(row, caller) as FacilityHistoryEntry);
    return { body: { items, ...listed } };
  },
});
