/** `tradeline verify`: compares maintained totals with the rows that they count. */
import { StartRefused } from '#kernel/start-refused';
import { buyerTotals, contactTotals } from '#modules/buyers';
import { facilityTotals } from '#modules/facilities';
import { creditNoteTotals, invoiceTotals } from '#modules/invoices';
import { merchantTotals } from '#modules/merchants';
import { orderTotals } from '#modules/orders';
import { payoutInstructionTotals } from '#modules/payees';
import { payoutTotals } from '#modules/payouts';
import { reviewTotals } from '#modules/underwriting';
import { correctMiscounts, findMiscounts, type Miscount } from '#operation/list-counts.queries';
import { readArguments } from './arguments.ts';
import { commandWithoutVerbs } from './command.ts';
import { onPlatform } from './installation.ts';
import { printDone } from './result.ts';

export const verifyCommand = commandWithoutVerbs(verify);

/** All maintained totals. */
export const LIST_TOTALS = [
  merchantTotals,
  payoutInstructionTotals,
  buyerTotals,
  contactTotals,
  reviewTotals,
  facilityTotals,
  orderTotals,
  invoiceTotals,
  creditNoteTotals,
  payoutTotals,
];

/** Exit code 1 if a total is wrong and was not corrected. */
async function verify(args: string[]): Promise<void> {
  const { values } = readArguments({
    args,
    options: { platform: { type: 'string' }, correct: { type: 'boolean', default: false } },
  });
  await onPlatform(values.platform, async ({ db, platform: { platform_id, code } }) => {
    const find = values.correct ? correctMiscounts : findMiscounts;
    const wrong = await find(db, platform_id, LIST_TOTALS);
    const sentences = wrong.map(miscountSentence);
    if (wrong.length > 0 && !values.correct)
      throw new StartRefused(
        [`Totals of lists of ${code} are wrong. Correct them with --correct.`, ...sentences].join('\n'),
      );
    printDone(
      values.json,
      wrong,
      [...sentences, `The totals of lists of ${code} match their rows.`].join('\n'),
    );
  });
}

export function miscountSentence({ list, filter, value, counted, maintained }: Miscount): string {
  const rows = filter === '' ? list : `${list} by ${filter}, ${value}`;
  return `${rows}: the total is ${maintained}, but there are ${counted}.`;
}
