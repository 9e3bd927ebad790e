import { closed, externalId } from '#kernel/fields';
import { cursorListOf, cursorPageOf, cursorPaging } from '#operation/list';
import { operation } from '#operation/operation';
import { listVisibleDecisions } from '../decision.queries.ts';
import { Decision } from '../decision.schemas.ts';
import { showDecisions } from '../show-decisions.ts';

export const listDecisions = operation({
  id: 'listDecisions',
  summary: "List a buyer's credit decisions",
  description:
    'Decisions about the facility and about orders, by the credit policy and by persons, the latest first. `internal` needs ' +
    'the scope `credit:read`.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: closed({ external_id: externalId('The buyer') }),
  query: closed(cursorPaging),
  status: 200,
  response: cursorListOf(Decision, 'DecisionList'),
  problems: ['NOT_FOUND'],
  example: { params: { external_id: 'harbour-tearooms' }, query: { limit: '1' } },
  async run(context, { params, query }) {
    const buyer = params.external_id;
    const { rows, listed } = await listVisibleDecisions(context, buyer, context.caller, cursorPageOf(query));
    return { body: { items: await showDecisions(context, buyer, rows), ...listed } };
  },
});
