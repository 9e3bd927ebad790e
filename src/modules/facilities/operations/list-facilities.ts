import { CurrencySchema, closed, externalId } from '#kernel/fields';
import { RiskBandSchema } from '#modules/underwriting';
import {
  cursorListOf,
  cursorPageOf,
  cursorPaging,
  filterByAmount,
  filterByList,
  filterBySeconds,
  sortBy,
} from '#operation/list';
import { operation } from '#operation/operation';
import { Facility, FacilityActionSchema, FacilityStatusSchema } from '../facility.schemas.ts';
import { FACILITY_SORTS, listFacilityViews, toFacility } from '../facility-view.queries.ts';

export const listFacilities = operation({
  id: 'listFacilities',
  summary: 'List credit facilities',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  query: closed({
    ...cursorPaging,
    buyer_external_ids: filterByList(externalId('A buyer'), 'Only facilities of these buyers'),
    status: filterByList(FacilityStatusSchema, 'Only these statuses'),
    currency: filterByList(CurrencySchema, 'Only these currencies'),
    risk_band: filterByList(RiskBandSchema, 'Only these risk bands'),
    pending_action: filterByList(FacilityActionSchema, 'Only facilities with this pending action'),
    created_at: filterBySeconds('First requested'),
    updated_at: filterBySeconds('Last changed'),
    expires_at: filterBySeconds('End of the period'),
    total_amount: filterByAmount('Limit'),
    available_amount: filterByAmount('Available'),
    sort_by: sortBy(FACILITY_SORTS),
  }),
  status: 200,
  response: cursorListOf(Facility, 'FacilityList'),
  problems: [],
  example: { query: { status: 'ACTIVE,PENDING', sort_by: 'created_at', limit: '3' } },
  async run(context, { query }) {
    const { rows, listed } = await listFacilityViews(context, query, cursorPageOf(query));
    return { body: { items: rows.map(toFacility), ...listed } };
  },
});
