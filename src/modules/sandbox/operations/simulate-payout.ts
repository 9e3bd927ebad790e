import { rethrowNaming } from '#kernel/missing-entity';
import {
  confirmPayouts,
  failPayouts,
  failsByScript,
  Payout,
  type PayoutRow,
  releasePayouts,
  returnPayouts,
  toPayout,
} from '#modules/payouts';
import { assertPlatformWide } from '#operation/caller';
import { type Context, operation } from '#operation/operation';
import { type PAYOUT_TRIGGERS, PayoutSimulation, SIMULATED } from '../simulator.schemas.ts';

export const simulatePayout = operation({
  id: 'simulatePayout',
  summary: 'Simulate what happens to a payout',
  description:
    'instruct: two operators release it, and the bank receives it. confirm: the bank pays it. fail: the bank rejects it. return: ' +
    'the money comes back. A payout for an invoice of a buyer with the script `payout-fails` fails as soon as it is instructed.',
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: PayoutSimulation,
  isVersioned: true,
  status: 200,
  response: Payout,
  problems: [
    'NOT_FOUND',
    'MERCHANT_NOT_ALLOWED',
    'INVALID_STATUS_TRANSITION',
    'NO_VERIFIED_PAYOUT_INSTRUCTION',
  ],
  example: { body: { external_id: 'example-payout', trigger: 'return' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const { external_id: id, trigger } = body;
    const [payout] = await simulate({ ...context, actor: 'sandbox' }, id, trigger).catch(
      rethrowNaming({
        field: 'body.external_id',
        value: id,
        remedy: 'No payout has this external_id: GET /v1/payouts lists them.',
      }),
    );
    const row = payout as PayoutRow;
    return { body: toPayout(row), version: row.version };
  },
});

async function simulate(
  context: Context,
  id: string,
  trigger: (typeof PAYOUT_TRIGGERS)[number],
): Promise<PayoutRow[]> {
  const grounds = { reason: SIMULATED };
  const fails = await failsByScript(context.db, context.platformId, id);
  switch (trigger) {
    case 'instruct': {
      const instructed = await releasePayouts(context, [id], grounds);
      return fails ? failPayouts(context, [id], grounds) : instructed;
    }
    case 'confirm':
      return confirmPayouts(context, [id], grounds);
    case 'fail':
      return failPayouts(context, [id], grounds);
    case 'return':
      return returnPayouts(context, [id], grounds);
  }
}
