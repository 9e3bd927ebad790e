/** Sequences that cover every transition, some of which random commands would rarely reach. */
import { advance } from './clock-commands.ts';
import type { Command } from './command.ts';
import { apply, replaceBuyer, writeRegistry } from './company-commands.ts';
import {
  approve,
  decideReviewNumber,
  freezeByOperator,
  increase,
  overrideRefusal,
  propose,
  refuse,
  renew,
  requestFacility,
  simulateFacility,
  useScript,
} from './facility-commands.ts';
import {
  apply as applyCash,
  credit,
  invoice,
  invoiceWithoutOrder,
  pay,
  payRest,
  postpone,
  refund,
  reverse,
} from './invoice-commands.ts';
import { readLimits, setLimits } from './limit-commands.ts';
import {
  cancel,
  checkout,
  close,
  createDraft,
  createOrder,
  disburse,
  recordPrepayment,
  simulateOrder,
} from './order-commands.ts';
import { DAY_SECONDS, type OrderScript, type Term } from './state.ts';

const days = (count: number) => advance(count * DAY_SECONDS);
const accept = () => decideReviewNumber(0, 'ACCEPT', null);
const reject = (which = 0) => decideReviewNumber(which, 'REJECT', null);
const order = (script: OrderScript = null) => createOrder(10_000, 'DEFER_30D', script);
const orderOn = (term: Term) => createOrder(10_000, term, null);
const byMerchant = { isAtPlatform: false, daysAgo: 0 };
const draft = (script: OrderScript = null) => createDraft(10_000, script);
const freeze = () => freezeByOperator(true);
const unfreeze = () => freezeByOperator(false);

export const TOURS: Record<string, () => Command[]> = {
  'a buyer who is refused, applies again and again, and is granted a facility at last': () => [
    useScript('rejected'),
    ...[requestFacility(null), requestFacility(null)],
    useScript('in-review'),
    ...[requestFacility(null), reject(), simulateFacility('grant', null)],
  ],
  'a facility whose every decision a person makes': () => [
    useScript('in-review'),
    ...[requestFacility(null), accept()],
    ...[renew(), reject(), renew(), accept()],
    ...[increase(250_000), reject()],
    ...[renew(), freeze(), reject(), renew(), accept(), unfreeze()],
    ...[increase(250_000), freeze(), reject(), unfreeze()],
    ...[increase(250_000), simulateFacility('expire', null), reject()],
    ...[renew(), reject(), renew(), accept()],
    // The automatic renewal stays undecided: the increase is the earlier review.
    ...[increase(250_000), days(100), reject(1), reject()],
  ],
  'a payment that bounces on a facility that is full, frozen and expired since': () => [
    ...[requestFacility(10_000), order(), invoice(0, 'whole'), pay(0, 'half'), pay(0, 'whole')],
    ...[order(), reverse(0), order(), freeze(), reverse(0), unfreeze()],
    ...[pay(0, 'whole'), simulateFacility('expire', null), reverse(0), renew(), payRest(0)],
  ],
  'a limit that is raised': () => [requestFacility(50_000), increase(80_000)],
  'a refusal that two persons override after the buyer has been granted something anyway': () => [
    useScript('rejected'),
    ...[requestFacility(null), overrideRefusal(50_000)],
    useScript('accepted'),
    ...[requestFacility(null), approve(0, true), approve(0, false)],
  ],
  'a rejection under review that is left alone once the buyer has a facility': () => [
    useScript('rejected'),
    ...[requestFacility(null), overrideRefusal(50_000), refuse(0)],
    useScript('accepted'),
    ...[requestFacility(null), reject(), overrideRefusal(50_000)],
  ],
  'a renewal that is granted against its refusal while another is under way': () => [
    ...[requestFacility(null), useScript('rejected'), renew(), overrideRefusal(50_000)],
    useScript('review-then-accept'),
    ...[renew(), approve(1, false), renew(), days(1)],
  ],
  'a review whose script falls due while its override waits': () => [
    useScript('review-then-accept'),
    ...[requestFacility(null), propose(0, 250_000), days(13), refuse(0), days(1)],
  ],
  'a renewal that falls due while the facility is frozen': () => [
    ...[requestFacility(null), freeze(), days(80), unfreeze(), days(1)],
  ],
  'a facility that is frozen after its end, while a person decides about its renewal': () => [
    ...[useScript('in-review'), requestFacility(null), accept(), simulateFacility('expire', null), renew()],
    ...[freeze(), freeze(), accept(), reject(), renew(), unfreeze(), renew(), accept()],
  ],
  'an order that takes the whole limit, and is confirmed by its script': () => [
    requestFacility(null),
    ...[createOrder(100_000, 'DEFER_30D', 'review-then-accept'), days(1)],
    ...[createOrder(1, 'DEFER_30D', null), createOrder(1, 'PREPAYMENT', null)],
  ],
  'orders whose scripts accept what the facility does not allow any more': () => [
    requestFacility(null),
    createOrder(60_000, 'DEFER_30D', 'review-then-accept'),
    ...[createOrder(40_000, 'DEFER_30D', 'review-then-accept'), simulateFacility('renew', 50_000), days(1)],
    ...[order('review-then-accept'), freeze(), days(1)],
  ],
  'an order whose script accepts it at the very instant at which its facility ends': () => [
    ...[useScript('in-review'), requestFacility(null), accept()],
    ...[days(89), order('review-then-accept'), days(40)],
  ],
  'orders within a tolerance that a buyer has for a day': () => [
    ...[requestFacility(null), setLimits('buyer', { tolerance_percent: 10 }, 1)],
    ...[createOrder(110_001, 'DEFER_30D', null), createOrder(109_999, 'DEFER_30D', 'in-review')],
    ...[days(2), accept(), createOrder(1, 'DEFER_30D', null), readLimits(25)],
  ],
  'settings that are made stricter, looser and cleared': () => [
    ...[setLimits('platform', { tolerance_percent: 10, authorization_limit_days: 60 }, 0), days(1)],
    ...[setLimits('buyer', { tolerance_percent: 25, authorization_limit_days: 10 }, 31), days(1)],
    ...[setLimits('platform', { tolerance_percent: 5 }, 0), setLimits('buyer', null, 0), days(1)],
    ...[setLimits('platform', null, 0), readLimits(12), readLimits(36), readLimits(60), readLimits(90)],
  ],
  'a company that is dissolved while its facility runs, waits, is frozen and has expired': () => [
    ...[useScript('none'), requestFacility(null), writeRegistry('DISSOLVED'), renew(), unfreeze()],
    ...[
      writeRegistry('ACTIVE'),
      unfreeze(),
      writeRegistry('IN_LIQUIDATION'),
      renew(),
      useScript('in-review'),
    ],
    ...[renew(), writeRegistry('DISSOLVED'), accept(), days(100), unfreeze(), renew(), accept()],
  ],
  'a company that nobody confirms, then a person, then the registry': () => [
    ...[useScript('none'), replaceBuyer(true, false), requestFacility(null), reject()],
    ...[apply('VOUCHED', null), renew(), accept(), renew(), replaceBuyer(false, true), renew()],
  ],
  'an order that is paid in advance, before or after its invoice': () => [
    ...[createOrder(1, 'PREPAYMENT', null), recordPrepayment(0), recordPrepayment(0)],
    ...[invoice(0, 'whole'), refund(0), days(31)],
    ...[createOrder(1, 'PREPAYMENT', null), invoice(0, 'whole'), recordPrepayment(0), refund(0), days(31)],
  ],
  'an order that is paid in advance, and whose invoices are refunded, credited and bounce': () => [
    ...[orderOn('PREPAYMENT'), recordPrepayment(0), days(1), invoice(0, 'half'), refund(0)],
    ...[invoice(0, 'half'), credit(0, 'half'), invoice(0, 'whole'), refund(0), invoice(0, 'whole')],
    ...[orderOn('PREPAYMENT'), recordPrepayment(0), invoice(0, 'half'), reverse(0), refund(0)],
    ...[invoice(0, 'whole'), payRest(0)],
  ],
  'an invoice of orders of which one is paid in advance': () => [
    ...[orderOn('PREPAYMENT'), recordPrepayment(0), orderOn('PREPAYMENT'), invoice(0, 'half', 2)],
    ...[invoice(0, 'whole', 2), payRest(0), payRest(1)],
  ],
  'orders that come to nothing': () => [
    requestFacility(null),
    ...[order(), cancel(0), order(), close(0), order(), days(31)],
    ...[order('in-review'), reject(), order('in-review'), cancel(0), order('in-review'), days(15)],
    ...[draft(), cancel(0)],
  ],
  'drafts whose checkout is completed': () => [
    requestFacility(null),
    ...[draft(), checkout(0, 'DEFER_30D')],
    ...[draft('in-review'), checkout(0, 'DEFER_30D'), accept()],
    ...[draft('in-review'), checkout(0, 'DEFER_30D'), simulateOrder(0, 'confirm')],
  ],
  'drafts whose checkout is completed while a person decides about the facility': () => [
    ...[useScript('in-review'), requestFacility(null)],
    ...[draft(), checkout(0, 'DEFER_30D'), draft('in-review'), checkout(0, 'DEFER_30D')],
    ...[draft('rejected'), checkout(0, 'DEFER_30D'), draft(), checkout(0, 'PREPAYMENT')],
    ...[simulateOrder(0, 'confirm'), simulateOrder(0, 'decline'), reject()],
    ...[requestFacility(null), draft(), checkout(0, 'DEFER_30D'), reject()],
    ...[requestFacility(null), createDraft(60_000, null), checkout(0, 'DEFER_30D'), days(1)],
    ...[createDraft(60_000, null), checkout(0, 'DEFER_30D'), draft(), checkout(0, 'DEFER_30D'), accept()],
  ],
  'orders that wait for a facility which a script grants, or a simulator': () => [
    ...[useScript('review-then-reject'), requestFacility(null), draft(), checkout(0, 'DEFER_30D'), days(1)],
    ...[useScript('review-then-accept'), requestFacility(null), draft(), checkout(0, 'DEFER_30D')],
    ...[draft(), checkout(0, 'DEFER_30D'), cancel(0), days(1)],
  ],
  'orders that wait for an increase, which a person grants, and one rejects': () => [
    ...[requestFacility(null), useScript('in-review'), increase(250_000)],
    ...[
      createDraft(200_000, null),
      checkout(0, 'DEFER_30D'),
      createDraft(90_000, null),
      checkout(0, 'DEFER_30D'),
    ],
    ...[createDraft(150_000, 'rejected'), checkout(0, 'DEFER_30D'), propose(0, 250_000), approve(0, false)],
    ...[cancel(0), increase(400_000), createDraft(300_000, null), checkout(0, 'DEFER_30D'), reject()],
  ],
  'orders that wait for a facility until they expire': () => [
    ...[useScript('in-review'), requestFacility(null), draft(), checkout(0, 'DEFER_30D'), days(15)],
    ...[draft(), checkout(0, 'DEFER_30D'), simulateFacility('grant', 15_000)],
  ],
  'an order that is invoiced in part, and settled': () => [
    requestFacility(null),
    ...[order(), invoice(0, 'half'), refund(0), invoice(0, 'half')],
    ...[close(0), payRest(0)],
  ],
  'an order of which a part is paid out': () => [
    requestFacility(null),
    ...[order(), invoice(0, 'half'), disburse(0), invoice(0, 'half'), refund(0)],
    ...[close(0), payRest(0)],
  ],
  'an order that is closed short, and whose invoice is cancelled': () => [
    requestFacility(null),
    ...[order(), invoice(0, 'half'), close(0), refund(0), close(0)],
  ],
  'orders that are closed short after everything that was invoiced is paid': () => [
    requestFacility(null),
    ...[order(), invoice(0, 'half'), payRest(0), close(0)],
    ...[order(), invoice(0, 'half'), disburse(0), payRest(0), close(0), reverse(0)],
  ],
  'invoices that are cancelled while they are open, due and paid': () => [
    requestFacility(null),
    ...[order(), invoice(0, 'whole'), refund(0), invoice(0, 'whole'), credit(0, 'whole')],
    ...[
      invoice(0, 'whole', 1, 0),
      days(1),
      refund(0),
      invoice(0, 'whole', 1, 0),
      days(1),
      credit(0, 'whole'),
    ],
    ...[invoice(0, 'whole'), pay(0, 'more'), refund(0), order(), invoice(0, 'whole'), payRest(0)],
    ...[credit(0, 'half'), credit(0, 'whole'), credit(0, 'whole'), refund(0), pay(0, 'whole')],
  ],
  'an invoice in parts, late, cured and late again': () => [
    ...[requestFacility(null), orderOn('SPLIT_3M'), invoice(0, 'whole'), days(31), days(31)],
    ...[pay(0, 'half'), pay(0, 'half', byMerchant), days(31), pay(0, 'half', { ...byMerchant, daysAgo: 40 })],
    ...[postpone(0, 10), postpone(0, null), payRest(0), reverse(1), reverse(2), pay(0, 'more'), reverse(0)],
  ],
  'payments that move up when the first of them bounces, and a credit note that takes from the last': () => [
    ...[requestFacility(null), createOrder(30_000, 'SPLIT_3M', null), invoice(0, 'whole')],
    ...[pay(0, 'half'), pay(0, 'half', byMerchant), pay(0, 'half'), pay(0, 'whole', byMerchant)],
    ...[reverse(3), credit(0, 'half'), reverse(2), credit(0, 'half'), credit(0, 'tax'), credit(0, 'moreTax')],
  ],
  'an invoice that is postponed, and reopens before and after its day': () => [
    ...[invoiceWithoutOrder(119, 0), days(1), postpone(0, 60), postpone(0, -10), postpone(0, 10)],
    ...[payRest(0), postpone(0, 10), reverse(0), payRest(0), days(31), reverse(0), payRest(0), payRest(0)],
  ],
  'orders on one invoice, of which one goes back': () => [
    ...[
      requestFacility(null),
      order(),
      order(),
      invoice(0, 'half', 2),
      invoice(0, 'whole', 2),
      pay(0, 'half'),
    ],
    ...[
      refund(0),
      days(1),
      order(),
      invoice(0, 'whole', 2),
      invoice(0, 'whole', 2, 30),
      payRest(0),
      payRest(1),
    ],
  ],
  'unapplied cash that settles other invoices, and bounces': () => [
    ...[
      invoiceWithoutOrder(5_000, 30),
      pay(0, 'more'),
      invoiceWithoutOrder(30_000, 30),
      applyCash(0, 'half'),
    ],
    ...[
      applyCash(0, null),
      applyCash(0, null),
      refund(1),
      applyCash(0, 'more'),
      applyCash(0, null),
      reverse(0),
    ],
    ...[invoiceWithoutOrder(5_000, 0), pay(0, 'more'), credit(0, 'whole'), applyCash(0, null), reverse(0)],
  ],
  'a buyer who is late, and orders': () => [
    ...[requestFacility(null), invoiceWithoutOrder(5_000, 0), days(9), order(), accept(), days(31), order()],
    ...[pay(0, 'half'), order(), payRest(0), order()],
  ],
};
