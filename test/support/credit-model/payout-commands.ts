/** Commands on the merchant's accounts, and on payouts to them. */
import fc from 'fast-check';
import { cancelPayouts, retryPayout as retry } from '#modules/payouts';
import { sepaBody } from '../payees.ts';
import { always, Command, pick } from './command.ts';
import type { Payee, Payout } from './merchant-state.ts';
import * as payouts from './payout.ts';
import type { Reality, Reply } from './reality.ts';
import type { Answer, Model } from './state.ts';

const nth = fc.nat(63);
const PATH = '/v1/payout_instructions';

export const addPayee = (isTaken = false) =>
  new Command(`addPayee${isTaken ? ' again' : ''}`, always, (model, reality) => {
    const id = `payee-${isTaken ? 1 : model.merchant.payees.length + 1}`;
    return {
      send: () => reality.post(PATH, sepaBody({ external_id: id, merchant_external_id: 'merchant' })),
      foretell: () => payouts.addPayee(model, id),
    };
  });

const hasPayees = ({ merchant }: Readonly<Model>) => merchant.payees.length > 0;

const payeeCommand = (
  text: string,
  which: number,
  isApt: (payee: Payee) => boolean,
  send: (reality: Reality, id: string) => Promise<Reply>,
  foretell: (model: Model, payee: Payee) => Answer,
) =>
  new Command(`${text} #${which}`, hasPayees, (model, reality) => {
    const payee = pick(model.merchant.payees, which, isApt);
    return { send: () => send(reality, payee.id), foretell: () => foretell(model, payee) };
  });

const simulateVerification = (reality: Reality, external_id: string, trigger: 'verify' | 'unverify') =>
  reality.post('/v1/sandbox/payout_instructions', { external_id, trigger });

export const verifyPayee = (which: number) =>
  payeeCommand(
    'verifyPayee',
    which,
    ({ status }) => status === 'UNVERIFIED',
    (reality, id) => simulateVerification(reality, id, 'verify'),
    (model, payee) => payouts.decidePayee(model, payee, 'verify'),
  );

export const rejectPayee = (which: number) =>
  payeeCommand(
    'rejectPayee',
    which,
    ({ status }) => status !== 'DELETED',
    (reality, id) => simulateVerification(reality, id, 'unverify'),
    (model, payee) => payouts.decidePayee(model, payee, 'reject'),
  );

export const replacePayee = (which: number) =>
  payeeCommand(
    'replacePayee',
    which,
    ({ status }) => status !== 'DELETED',
    (reality, id) => reality.put(`${PATH}/${id}`, sepaBody()),
    payouts.replacePayee,
  );

export const deletePayee = (which: number) =>
  payeeCommand(
    'deletePayee',
    which,
    ({ status }) => status !== 'DELETED',
    (reality, id) => reality.delete(`${PATH}/${id}`),
    payouts.deletePayee,
  );

const payoutCommand = (
  text: string,
  which: number,
  status: Payout['status'],
  send: (reality: Reality, id: string, now: number) => Promise<Reply>,
  foretell: (model: Model, payout: Payout) => Answer,
) =>
  new Command(
    `${text} #${which}`,
    ({ merchant }) => merchant.payouts.length > 0,
    (model, reality) => {
      const payout = pick(model.merchant.payouts, which, (each) => each.status === status);
      const { now } = model;
      return { send: () => send(reality, payout.id, now), foretell: () => foretell(model, payout) };
    },
  );

const SIMULATED = {
  instruct: ['SCHEDULED', payouts.releasePayout],
  confirm: ['INSTRUCTED', payouts.confirmPayout],
  fail: ['INSTRUCTED', (_, payout) => payouts.failPayout(payout)],
  return: ['PAID', (_, payout) => payouts.returnPayout(payout)],
} as const satisfies Record<string, [Payout['status'], (model: Model, payout: Payout) => Answer]>;
type Simulated = keyof typeof SIMULATED;

export const simulatePayout = (which: number, trigger: Simulated) => {
  const [status, foretell] = SIMULATED[trigger];
  const send = (reality: Reality, external_id: string) =>
    reality.post('/v1/sandbox/payouts', { external_id, trigger });
  return payoutCommand(`simulatePayout ${trigger}`, which, status, send, foretell);
};

const grounds = { reason: 'To see what happens.' };

export const retryPayout = (which: number) =>
  payoutCommand(
    'retryPayout',
    which,
    'FAILED',
    (reality, id, now) => reality.transition(now, (context) => retry(context, id, grounds)),
    payouts.retryPayout,
  );

export const cancelPayout = (which: number) =>
  payoutCommand(
    'cancelPayout',
    which,
    'SCHEDULED',
    (reality, id, now) => reality.transition(now, (context) => cancelPayouts(context, [id], grounds)),
    payouts.cancelPayout,
  );

const simulating = fc
  .tuple(nth, fc.constantFrom<Simulated>('instruct', 'instruct', 'confirm', 'confirm', 'fail', 'return'))
  .map(([which, trigger]) => simulatePayout(which, trigger));

export const payeeCommands = [
  fc.nat(7).map((taken) => addPayee(taken === 7)),
  ...[nth.map(verifyPayee), nth.map(verifyPayee)],
  fc
    .tuple(nth, fc.constantFrom(rejectPayee, replacePayee, deletePayee))
    .map(([which, change]) => change(which)),
];

export const payoutCommands = [
  ...[simulating, simulating, simulating],
  fc.tuple(nth, fc.constantFrom(retryPayout, retryPayout, cancelPayout)).map(([which, make]) => make(which)),
];
