/** Random runs of all commands, and of those that follow invoices once the buyer has credit and the merchant an account. */
import fc from 'fast-check';
import { bankCommands } from './bank-commands.ts';
import { advance, clockCommands } from './clock-commands.ts';
import type { Command } from './command.ts';
import { companyCommands } from './company-commands.ts';
import {
  decideReviewNumber,
  facilityCommands,
  freezeByOperator,
  requestFacility,
  simulateFacility,
  useScript,
} from './facility-commands.ts';
import { invoiceCommands, invoiceWithoutOrder, moneyCommands } from './invoice-commands.ts';
import { limitCommands } from './limit-commands.ts';
import { createOrder, orderCommands } from './order-commands.ts';
import { addPayee, payeeCommands, payoutCommands, verifyPayee } from './payout-commands.ts';
import { financedInvoice, serviceCommands } from './service-commands.ts';
import { HOUR_SECONDS } from './state.ts';

const COMMANDS_A_RUN_MAX = 200;

const account = () => [addPayee(), verifyPayee(0)];

/** Most runs begin with a facility, because without one most commands are refused. */
const EVERYTHING = {
  beginning: fc.constantFrom<(() => Command[])[]>(
    () => [],
    () => [requestFacility(null)],
    () => [requestFacility(null), ...account()],
    () => [useScript('in-review'), requestFacility(null), decideReviewNumber(0, 'ACCEPT', null)],
    () => [useScript('in-review'), requestFacility(null)],
  ),
  commands: fc.commands(
    [
      ...[...facilityCommands, ...clockCommands, ...companyCommands, ...limitCommands, ...orderCommands],
      ...[...invoiceCommands, ...moneyCommands, ...serviceCommands, ...payeeCommands, ...payoutCommands],
      ...bankCommands,
    ],
    { maxCommands: COMMANDS_A_RUN_MAX, size: 'max' },
  ),
};

const often = <T>(each: fc.Arbitrary<T>, times: number) => Array.from({ length: times }, () => each);
/** Money moves within days; an invoice defaults after months. */
const days = fc.constantFrom(0.5, 1, 1, 1, 2, 2, 3, 3, 3, 5, 5, 5, 10, 10, 31, 31, 100);
const amount = fc.constantFrom(1, 119, 5_000, 20_000, 30_000);
const claiming = fc
  .tuple(amount, fc.constantFrom(1, 10, 30, 60))
  .map(([gross, dueInDays]) => invoiceWithoutOrder(gross, dueInDays));
const financing = fc
  .tuple(amount, fc.constantFrom(1, 10, 30, 60, 100))
  .map(([gross, dueInDays]) => financedInvoice(gross, dueInDays));
const ordering = fc
  .tuple(amount, fc.constantFrom('DEFER_30D', 'SPLIT_3M', 'PREPAYMENT'))
  .map(([gross, term]) => createOrder(gross, term, null));

const CLAIMS = {
  beginning: fc.constantFrom<(() => Command[])[]>(
    () => [requestFacility(null), ...account()],
    () => [requestFacility(null), simulateFacility('renew', 250_000), ...account()],
  ),
  commands: fc.commands(
    [
      ...often(
        days.map((count) => advance(count * 24 * HOUR_SECONDS)),
        8,
      ),
      ...[
        ...often(financing, 8),
        ...often(claiming, 2),
        ...often(ordering, 2),
        ...invoiceCommands,
        ...moneyCommands,
      ],
      ...[...serviceCommands, ...serviceCommands, ...payoutCommands, ...payoutCommands, ...payeeCommands],
      ...[...bankCommands, ...bankCommands],
      fc.boolean().map(freezeByOperator),
      fc.constantFrom(50_000, 250_000).map((total) => simulateFacility('renew', total)),
    ],
    { maxCommands: COMMANDS_A_RUN_MAX, size: 'max' },
  ),
};

/** Successive runs use the mixes in turn. */
export const MIXES = [EVERYTHING, CLAIMS] as const;
