import { rethrowNaming } from '#kernel/missing-entity';
import { changePayoutInstruction, PayoutInstruction, toPayoutInstruction } from '#modules/payees';
import { assertPlatformWide } from '#operation/caller';
import { operation } from '#operation/operation';
import { PayoutInstructionSimulation, SIMULATED } from '../simulator.schemas.ts';

export const simulatePayoutInstruction = operation({
  id: 'simulatePayoutInstruction',
  summary: 'Simulate the verification of a payout instruction',
  description:
    'Makes the transition that operators make outside the API, with the same event. `unverify` stands for an account that ' +
    "turns out not to be the merchant's.",
  tag: 'Sandbox',
  scope: 'admin',
  effect: 'transaction',
  isSandboxOnly: true,
  body: PayoutInstructionSimulation,
  isVersioned: true,
  status: 200,
  response: PayoutInstruction,
  problems: ['NOT_FOUND', 'MERCHANT_NOT_ALLOWED', 'INVALID_STATUS_TRANSITION'],
  example: { body: { external_id: 'keramika-account', trigger: 'verify' } },
  async run(context, { body }) {
    assertPlatformWide(context.caller);
    const trigger = body.trigger === 'verify' ? 'verify' : 'reject';
    const simulated = { ...context, actor: 'sandbox' };
    const row = await changePayoutInstruction(simulated, body.external_id, trigger, {
      reason: SIMULATED,
    }).catch(
      rethrowNaming({
        field: 'body.external_id',
        value: body.external_id,
        remedy:
          'No payout instruction has this external_id: create it first with POST /v1/payout_instructions.',
      }),
    );
    return { body: toPayoutInstruction(row, context.vault), version: row.version };
  },
});
