/** A world with a dunning plan, whose clock tests move forward. */
import { beforeAll, expect } from 'vitest';
import type { Due } from '#infra/time/due-transitions';
import {
  DEFAULT_DUNNING_PLAN,
  type DunningPlan,
  dunningPlanChange,
  type LookDeps,
  mailingChecks,
  reminders,
  rescans,
} from '#modules/dunning';
import { dueInvoices } from '#modules/invoices';
import { invoiceBody } from './bodies.ts';
import { act, addDebtor } from './credit.ts';
import { makeDue } from './due.ts';
import { grossOf, INVOICING_NOW, useInvoicing } from './invoice-setup.ts';
import { mailsOf, type StoredMail } from './mails.ts';
import { recordedEvents } from './stored.ts';
import type { World } from './world.ts';

const DAY = 86_400;
const PLATFORM_WIDE = { merchantExternalId: '', buyerExternalId: '' };

/** Puts a plan in force, as two operators would. */
export const addDunningPlan = (
  world: World,
  plan: DunningPlan | null = DEFAULT_DUNNING_PLAN,
  scope: Partial<typeof PLATFORM_WIDE> = {},
) =>
  act(world, async (context) => {
    const { installation, platform } = world;
    const vault = installation.vault.forPlatform(platform.code, platform.data_key_wrapped);
    const change = { ...PLATFORM_WIDE, ...scope, plan };
    const { apply } = await dunningPlanChange.plan({ ...context, vault }, change);
    await apply({ actor: 'operator:ada', approvedBy: 'operator:ben', reason: 'Why' });
  });

/**
 * For a test file: creates the world, by default with the proposed plan. Outside a sandbox, a transition made long after its instant is
 * late.
 */
export function useDunning({ isSandbox = true } = {}) {
  const { create, world } = useInvoicing();
  let made = 0;

  const setPlan = async (plan: DunningPlan | null, scope: Partial<typeof PLATFORM_WIDE> = {}) => {
    await addDunningPlan(world(), plan, scope);
    await makeDue(world(), [rescans], world().clock.now(), {});
  };
  beforeAll(() => setPlan(DEFAULT_DUNNING_PLAN));

  /** Makes the transitions due by an instant (unix seconds), and returns them. */
  async function untilInstant(at: number): Promise<Due[]> {
    world().clock.set(at);
    const { vault } = world().installation;
    return makeDue<LookDeps, 'invoice'>(
      world(),
      [dueInvoices, rescans, reminders, mailingChecks] as never,
      at,
      {
        vault,
        clocks: { now: () => at },
        baseUrl: () => world().baseUrl,
        isSandbox,
      },
    );
  }

  return {
    world,
    create,
    setPlan,
    untilInstant,
    /** Lets time pass until noon of a day. */
    until: (day: string) => untilInstant(Date.parse(`${day}T12:00:00Z`) / 1_000),

    /** A new buyer with an e-mail address, on credit. Returns its external_id. */
    async debtor(email: string | null = 'bills@cafe.example'): Promise<string> {
      const buyer = `debtor-${++made}`;
      await addDebtor(world(), { buyer, totalMinor: 100_000_000 });
      const contact = { external_id: `of-${buyer}`, buyer_external_id: buyer, email };
      if (email !== null) expect((await world().post('/v1/contacts', contact)).status).toBe(201);
      return buyer;
    },

    /** An invoice of EUR 1,000.00 of 20 November, by default due on Wednesday, 10 December 2025. Returns its external_id. */
    async invoice(buyer: string, more: object = {}): Promise<string> {
      const external_id = `dunned-${String(++made).padStart(4, '0')}`;
      const dates = { invoiced_at: INVOICING_NOW, due_at: INVOICING_NOW + 20 * DAY };
      const { status, body } = await create(
        invoiceBody({ external_id, buyer_external_id: buyer, ...grossOf(100_000), ...dates, ...more }),
      );
      if (status !== 201) throw new Error(JSON.stringify(body));
      return external_id;
    },

    ...readsOf(world),
  };
}

/** Reads the mails and events about an invoice. */
function readsOf(world: () => World) {
  return {
    show: async (invoice: string) => (await world().get(`/v1/invoices/${invoice}`)).body,
    pay: (invoice: string, amount: number, more: object = {}) =>
      world().post(`/v1/invoices/${invoice}/payments`, { amount, received_by: 'PLATFORM', ...more }),
    /** The mails that name an invoice, the oldest first. */
    mailsAbout: async (invoice: string): Promise<StoredMail[]> =>
      (await mailsOf(world())).filter(({ text }) => text.includes(invoice)),
    /** The events about reminders of an invoice, with the step. */
    async eventsAbout(invoice: string): Promise<string[]> {
      const [row] = await world().sql<{ id: string }>(
        'select external_id as id from invoice_dunnings where invoice_external_id = $1',
        [invoice],
      );
      return (await recordedEvents(world(), row?.id ?? '')).map(
        ({ type, data }) => `${type.slice('INVOICE.DUNNING.'.length)} ${data.step ?? '-'}`,
      );
    },
  };
}
