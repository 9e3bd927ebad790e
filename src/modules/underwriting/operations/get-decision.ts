import { notFound } from '#kernel/problem';
import { operation } from '#operation/operation';
import { findVisibleDecision } from '../decision.queries.ts';
import { Decision, DecisionParams, EXAMPLE_DECISION_ID } from '../decision.schemas.ts';
import { showDecisions } from '../show-decisions.ts';

export const getDecision = operation({
  id: 'getDecision',
  summary: 'Retrieve a credit decision',
  description:
    "The outcome with the reasons that the buyer may know, in the buyer's language. With the scope `credit:read` also " +
    '`internal`: the inputs and their sources, the rules that fired, the internal reasons, and who decided.',
  tag: 'Facilities',
  scope: 'read',
  effect: 'read',
  params: DecisionParams,
  isVersioned: true,
  status: 200,
  response: Decision,
  problems: ['NOT_FOUND'],
  example: { params: { decision_id: EXAMPLE_DECISION_ID } },
  async run(context, { params }) {
    const { db, platformId, caller } = context;
    const row = await findVisibleDecision(db, platformId, params.decision_id, caller);
    if (!row) throw notFound();
    const [body] = await showDecisions(context, row.buyer_external_id, [row]);
    // A decision never changes. Its texts follow the buyer's language, and its links the later decisions.
    return { body: body as Decision, version: 1, isBeyondVersion: true };
  },
});
