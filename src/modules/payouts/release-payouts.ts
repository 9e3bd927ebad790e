/** Two operators release payouts. A released payout is instructed to the bank. */
import { transitionOf } from '#kernel/lifecycle';
import { notFound, refusal } from '#kernel/problem';
import { StartRefused } from '#kernel/start-refused';
import { type ChangeKind, mayAct } from '#modules/operators';
import { lockInstructionsOfPayouts, maskAccount, openPayoutDetails } from '#modules/payees';
import type { ChangeContext, Context } from '#operation/operation';
import { findDebtor } from './debtor.ts';
import { lockPayoutsAndAccounts } from './lock-payouts.ts';
import { payoutLifecycle } from './payout.lifecycle.ts';
import { findPayouts, type PayoutGrounds, type PayoutRow } from './payout.queries.ts';
import { transitionPayouts } from './transition-payouts.ts';

export interface PayoutRelease {
  /** Each payout with the version that the operator has seen. */
  payouts: { payout: string; version: number }[];
}

/** A payout that can be released, as the approval shows it. */
interface Releasable {
  payout: PayoutRow;
  account: string;
  instructionVersion: number;
}

export const payoutRelease: ChangeKind<PayoutRelease> = {
  name: 'PAYOUT_RELEASE',
  role: 'FINANCE',
  mayApprove: (role) => mayAct(role, 'FINANCE'),
  /** Throws StartRefused for a payout that has changed, and everything that `releasePayouts` and `findDebtor` throw. */
  async plan(context, { payouts: requested }) {
    const releasable = await lockReleasable(
      context,
      requested.map(({ payout }) => payout),
    );
    for (const { payout, version } of requested) {
      const found = releasable.find((each) => each.payout.external_id === payout);
      if (found?.payout.version !== version)
        throw new StartRefused(
          `The payout ${payout} has changed: check it with tradeline payout show, then propose it again.`,
        );
    }
    // A payout that no file can instruct is not released.
    await findDebtor(
      context,
      releasable.map(({ payout }) => payout),
    );
    const statusOf = (status: string) => ({ status, payouts: releasable.length });
    return {
      subject: releasable.length === 1 ? `payout ${requested[0]?.payout}` : `${releasable.length} payouts`,
      before: statusOf('SCHEDULED'),
      after: {
        ...statusOf('INSTRUCTED'),
        ...Object.fromEntries(
          releasable.map(({ payout, account }) => [
            payout.external_id,
            `${payout.amount} ${payout.currency} to ${payout.merchant_external_id}, account ${account}`,
          ]),
        ),
      },
      takesTwo: true,
      async apply({ actor, approvedBy, reason }) {
        await release({ ...context, actor }, releasable, { reason, approvedBy });
      },
    };
  },
};

/**
 * Releases payouts without operators, as the sandbox does. Throws NOT_FOUND, INVALID_STATUS_TRANSITION and
 * NO_VERIFIED_PAYOUT_INSTRUCTION.
 */
export async function releasePayouts(
  context: ChangeContext & Pick<Context, 'vault'>,
  externalIds: readonly string[],
  grounds: PayoutGrounds,
): Promise<PayoutRow[]> {
  return release(context, await lockReleasable(context, externalIds), grounds);
}

function release(
  context: ChangeContext,
  releasable: readonly Releasable[],
  grounds: PayoutGrounds,
): Promise<PayoutRow[]> {
  const versions = new Map(
    releasable.map(({ payout, instructionVersion }) => [payout.external_id, instructionVersion]),
  );
  return transitionPayouts(
    context,
    releasable.map(({ payout }) => payout),
    'release',
    ({ external_id }) => ({ instruction_version: versions.get(external_id) ?? null }),
    grounds,
  );
}

async function lockReleasable(
  { db, platformId, vault, now }: ChangeContext & Pick<Context, 'vault'>,
  externalIds: readonly string[],
): Promise<Releasable[]> {
  const payouts = await lockPayoutsAndAccounts({ db, platformId }, externalIds);
  if (payouts.length < new Set(externalIds).size) throw notFound();
  const instructions = await lockInstructionsOfPayouts(
    db,
    platformId,
    payouts.map(({ payout_instruction_external_id }) => payout_instruction_external_id),
  );
  return payouts.map((payout) => {
    const { external_id: id, status, amount } = payout;
    const instruction = instructions.find(
      (each) => each.external_id === payout.payout_instruction_external_id,
    );
    transitionOf(payoutLifecycle, status, 'release');
    if (amount === 0)
      throw refusal('INVALID_STATUS_TRANSITION', `The payout ${id} transfers no money`, {
        ...{ status, trigger: 'release', allowed: [] },
      });
    if (instruction?.status !== 'VERIFIED' || instruction.payable_from > now)
      throw refusal(
        'NO_VERIFIED_PAYOUT_INSTRUCTION',
        `The account ${payout.payout_instruction_external_id} cannot be paid: it is not verified, or was replaced less than a day ago`,
        { merchant_external_id: payout.merchant_external_id, currency: payout.currency },
      );
    return {
      payout,
      account: maskAccount(openPayoutDetails(vault, instruction)),
      instructionVersion: instruction.version,
    };
  });
}

/** Payouts by their external_ids, in the form that a release names them, with their versions. Unknown ones are missing. */
export async function listForRelease(
  { db, platformId }: Pick<ChangeContext, 'db' | 'platformId'>,
  externalIds: readonly string[],
): Promise<PayoutRelease['payouts']> {
  const found = await findPayouts(db, platformId, externalIds);
  return found.map(({ external_id: payout, version }) => ({ payout, version }));
}
