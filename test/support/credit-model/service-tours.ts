/** Sequences about services and payouts, in the form of `TOURS`. */
import {
  bankBatch,
  bankDetails,
  bankMoney,
  bankPayment,
  bankReversal,
  bankTransfer,
  matchCharge,
  matchInvoice,
  matchPayout,
  unmatch,
} from './bank-commands.ts';
import { advance } from './clock-commands.ts';
import type { Command } from './command.ts';
import { freezeByOperator, requestFacility, simulateFacility, useScript } from './facility-commands.ts';
import {
  credit,
  invoice,
  invoiceWithoutOrder,
  pay,
  payRest,
  postpone,
  refund,
  reverse,
} from './invoice-commands.ts';
import { createOrder } from './order-commands.ts';
import {
  addPayee,
  cancelPayout,
  deletePayee,
  rejectPayee,
  replacePayee,
  retryPayout,
  simulatePayout,
  verifyPayee,
} from './payout-commands.ts';
import {
  attachFile,
  cancelService,
  financedInvoice,
  requestService,
  simulateService,
  writeOff,
} from './service-commands.ts';
import { DAY_SECONDS, HOUR_SECONDS } from './state.ts';

const days = (count: number) => advance(count * DAY_SECONDS);
const byMerchant = { isAtPlatform: false, daysAgo: 0 };
const account = () => [addPayee(), verifyPayee(0)];
const financed = (gross = 30_000, dueIn = 30) => [
  ...[invoiceWithoutOrder(gross, dueIn), attachFile(0), requestService(0, 'FINANCING')],
];
const transfer = () => [simulatePayout(0, 'instruct'), simulatePayout(0, 'confirm')];
const simulated = (...triggers: string[]) => triggers.map((trigger) => simulateService(0, trigger));

/** The order in which two services are examined depends on their random ids. Some of these runs have the relevant order. */
const CHANCES = [1, 2, 3, 4, 5, 6];

export const SERVICE_TOURS: Record<string, () => Command[]> = {
  ...Object.fromEntries(
    CHANCES.map((nth) => [
      `a financing paid out so late that it is examined twice in the instant of its collection's, ${nth}`,
      () => [
        ...[requestFacility(null), ...account(), financedInvoice(5_000, 1), days(100)],
        ...[simulatePayout(0, 'instruct'), requestService(0, 'COLLECTION'), bankPayment(0, -101)],
        ...[simulatePayout(0, 'confirm'), advance(12 * HOUR_SECONDS)],
      ],
    ]),
  ),
  'a financing that is paid out, paid by the buyer, and opened again by a payment that bounces': () => [
    ...[requestFacility(null), ...account(), ...financed(), days(5), ...transfer(), days(1)],
    ...[pay(0, 'half'), payRest(0), reverse(0), days(1), payRest(0), refund(0)],
  ],
  'a financing of an order, whose buyer pays before the payout, and the merchant later': () => [
    ...[requestFacility(null), ...account(), createOrder(10_000, 'DEFER_30D', null), invoice(0, 'half')],
    ...[attachFile(0), requestService(0, 'FINANCING'), cancelService(0), requestService(0, 'FINANCING')],
    ...[payRest(0), cancelService(0), days(5), ...transfer(), days(1)],
    ...[invoice(0, 'whole'), attachFile(0), requestService(0, 'FINANCING'), payRest(0, byMerchant), days(5)],
  ],
  'a financing of which everything is missing, one after the other': () => [
    ...[invoiceWithoutOrder(30_000, 30), requestService(0, 'FINANCING'), requestService(0, 'FINANCING')],
    ...[attachFile(0), days(1), addPayee(), verifyPayee(0), days(1), requestFacility(10_000), days(1)],
    ...[simulateFacility('freeze', null), days(1), simulateFacility('unfreeze', null), days(1)],
    ...[simulateFacility('renew', 100_000), days(1)],
  ],
  'a financing that waits while the buyer is refused a facility, and then waits for one': () => [
    ...[...financed(), useScript('rejected'), requestFacility(null), days(1)],
    ...[...financed(), useScript('in-review'), requestFacility(null), advance(3_600), days(1)],
  ],
  'a financing that waits while the buyer waits for a facility': () => [
    ...[...financed(), useScript('in-review'), requestFacility(null), advance(3_600)],
  ],
  'requests that wait until they are refused, are hopeless, withdrawn and refused by a person': () => [
    ...[requestFacility(null), ...financed(), days(31)],
    ...[invoiceWithoutOrder(30_000, 100), requestService(0, 'FINANCING')],
    ...[...financed(), payRest(0), days(1), requestService(0, 'FINANCING')],
    ...[...financed(), cancelService(0), requestService(0, 'FINANCING'), ...simulated('accept', 'reject')],
  ],
  'acceptances that are undone, with a payout that is scheduled, and one that is instructed': () => [
    ...[requestFacility(null), ...account(), ...financed(20_000), ...financed(30_000)],
    ...[...simulated('reject'), days(5), cancelService(1)],
    ...[requestService(0, 'FINANCING'), days(5), simulatePayout(0, 'instruct'), ...simulated('reject')],
  ],
  'a merchant who owes more than it is paid, and is paid the rest later': () => [
    ...[requestFacility(null), ...account(), ...financed(30_000), days(5), ...transfer()],
    ...[payRest(0, byMerchant), ...financed(20_000), days(5), ...financed(50_000), days(5)],
    ...[...transfer(), days(1)],
  ],
  'credit notes on financed invoices, before and after the payout': () => [
    ...[requestFacility(null), ...account(), ...financed(20_000), credit(0, 'half'), cancelService(0)],
    ...[days(5), ...transfer(), credit(0, 'whole'), days(1), ...financed(30_000), credit(0, 'whole')],
    ...[cancelService(0), days(5), ...financed(40_000), days(5)],
  ],
  'a default that is written off, recovered, and bounces': () => [
    ...[requestFacility(null), ...account(), ...financed(30_000, 10), days(5), ...transfer()],
    ...[days(100), writeOff(0), writeOff(0), pay(0, 'half'), payRest(0), reverse(0), days(1), writeOff(0)],
    ...[credit(0, 'half'), credit(0, 'whole')],
  ],
  'a default that a simulator makes, and that is paid': () => [
    ...[requestFacility(null), ...account(), ...financed(), days(5), ...transfer(), ...simulated('default')],
    ...[postpone(0, 60), ...financed(), payRest(1), payRest(0)],
  ],
  'money of buyers that is paid out to the merchant, and taken back': () => [
    ...[...account(), invoiceWithoutOrder(30_000, 30), pay(0, 'half'), days(5), ...transfer()],
    ...[reverse(0), days(5), payRest(0), days(5), ...transfer()],
  ],
  'payouts that fail, are returned, made again and cancelled': () => [
    ...[...account(), invoiceWithoutOrder(30_000, 30), payRest(0), days(5), simulatePayout(0, 'fail')],
    ...[simulatePayout(0, 'instruct'), simulatePayout(0, 'fail'), retryPayout(0), ...transfer()],
    ...[simulatePayout(0, 'return'), retryPayout(0), cancelPayout(0), days(3), ...transfer(), retryPayout(0)],
  ],
  'accounts that are verified, replaced, refused and removed': () => [
    ...[addPayee(), replacePayee(0), rejectPayee(0), replacePayee(0), verifyPayee(0), verifyPayee(0)],
    rejectPayee(0),
    ...[replacePayee(0), verifyPayee(0), replacePayee(0), deletePayee(0), addPayee(true), addPayee()],
    ...[verifyPayee(0), invoiceWithoutOrder(30_000, 30), payRest(0), days(7), deletePayee(0)],
    ...[replacePayee(0), simulatePayout(0, 'instruct'), verifyPayee(0), simulatePayout(0, 'instruct')],
    ...[days(1), ...transfer(), deletePayee(0), addPayee(), rejectPayee(0), deletePayee(0)],
  ],
  'insurances, to each of their ends': () => [
    ...[requestFacility(null), invoiceWithoutOrder(30_000, 30)],
    ...['reject', 'cancel'].flatMap((end) => [requestService(0, 'INSURANCE'), ...simulated(end)]),
    ...['expire', 'cancel'].flatMap((end) => [requestService(0, 'INSURANCE'), ...simulated('accept', end)]),
    ...['pay_claim', 'deny_claim'].flatMap((end) => [
      requestService(0, 'INSURANCE'),
      ...simulated('accept', 'notify_claim', 'assess', end),
    ]),
    ...[requestService(0, 'INSURANCE'), postpone(0, 60), refund(0), freezeByOperator(true), days(31)],
  ],
  'collections, to each of their ends': () => [
    invoiceWithoutOrder(30_000, 30),
    ...[requestService(0, 'COLLECTION'), ...simulated('reject')],
    ...['collect', 'cancel'].flatMap((end) => [
      ...[requestService(0, 'COLLECTION'), ...simulated('accept', end)],
    ]),
    ...['collect', 'give_up'].flatMap((end) => [
      ...[requestService(0, 'COLLECTION'), ...simulated('accept', 'escalate', end)],
    ]),
  ],
  'money that the bank names, is short of, or has too much of, and takes back': () => [
    ...[invoiceWithoutOrder(30_000, 30), bankPayment(0, -5_000), bankPayment(0, -100), bankPayment(0, 500)],
    ...[bankReversal(0), bankReversal(0), bankReversal(0, 'REVERSED'), bankPayment(0, -101), refund(0)],
    ...[bankPayment(0, 0), invoiceWithoutOrder(5_000, 30), bankPayment(0, 0), reverse(0), bankReversal(0)],
    ...[unmatch(0), bankPayment(0, 0), reverse(0), unmatch(0)],
  ],
  'money that names nothing, which an operator matches, and puts back': () => [
    ...[invoiceWithoutOrder(5_000, 30), bankMoney(4_950), matchInvoice(0), unmatch(0), matchCharge(0)],
    ...[
      unmatch(0),
      bankReversal(0, 'QUEUED'),
      matchInvoice(0),
      bankMoney(-50),
      matchInvoice(0),
      matchCharge(0),
    ],
    ...[bankReversal(0), bankMoney(30_000), matchInvoice(0), days(1), unmatch(0)],
  ],
  'batches whose payments come later, at once, and too late': () => [
    ...[invoiceWithoutOrder(30_000, 30), bankBatch(0, false), days(1), bankDetails(0), bankDetails(0)],
    ...[reverse(0), bankBatch(0, true), bankReversal(0), unmatch(0)],
    ...[bankBatch(0, false), matchCharge(0), bankDetails(0), bankBatch(0, false), bankReversal(0, 'QUEUED')],
    ...[bankDetails(0), bankBatch(0, false), matchInvoice(0), bankDetails(0)],
  ],
  'payouts that the bank pays, proves and returns': () => [
    ...[...account(), invoiceWithoutOrder(30_000, 30), bankPayment(0, 0), days(5), bankTransfer(0, false)],
    ...[simulatePayout(0, 'instruct'), matchPayout(0), bankTransfer(0, false), bankTransfer(0, true)],
    ...[retryPayout(0), ...transfer(), bankTransfer(0, false), bankTransfer(0, false), unmatch(0)],
    ...[simulatePayout(0, 'return'), retryPayout(0), ...transfer(), bankTransfer(0, true)],
  ],
};
