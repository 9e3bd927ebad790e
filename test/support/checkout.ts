/** The checkout's forms on a world's installation, with links and mailed codes. */
import { createHash, randomUUID } from 'node:crypto';
import { createLog } from '#infra/log';
import { createPlatformClocks, type PlatformClocks } from '#infra/time/platform-clocks';
import type { LegalForm } from '#kernel/fields';
import type { RiskFailureHandling, RiskSource } from '#kernel/risk-source';
import {
  type CheckoutForms,
  type CheckoutView,
  createCheckoutForms,
  createLink,
  type FormResult,
  type FormSender,
  type PersonEntry,
} from '#modules/checkout';
import { openLiveRegistries } from '#modules/registry';
import { localRiskSource } from '#modules/underwriting';
import { draftOrderBody, merchantBody } from './bodies.ts';
import { grantFacility } from './credit.ts';
import { mailsOf, type StoredMail } from './mails.ts';
import type { World } from './world.ts';

export interface CheckoutWorld {
  forms: CheckoutForms;
  clocks: PlatformClocks;
  /** The codes mailed for an order, oldest first. */
  codes(orderExternalId: string): Promise<(StoredMail & { code: string })[]>;
  /** The number of calls of onCommitted. */
  commits(): number;
  /** Creates a draft with its own buyer, by default only an invited one, and a link to its checkout. */
  draft(more?: DraftInput): Promise<Drafted>;
  create(orderExternalId: string, platformId?: number): Promise<string>;
  /** The order of a link; undefined for an unknown token. */
  orderOf(token: string): Promise<string | undefined>;
}

export interface DraftInput {
  /** Fields of the buyer; null for an existing buyer. */
  buyer?: Record<string, unknown> | null;
  order?: Record<string, unknown>;
}

export interface Drafted {
  id: string;
  buyer: string;
  token: string;
}

export interface CheckoutOptions {
  risk?: RiskSource;
  onRiskFailure?: RiskFailureHandling;
  /** Default: no limit, because most tests use one company many times. */
  companyApplicationsPerHour?: number;
}

export async function createCheckout(world: World, options: CheckoutOptions = {}): Promise<CheckoutWorld> {
  const { db, vault, clock, settings } = world.installation;
  const isSandbox = settings.environment === 'sandbox';
  const clocks = createPlatformClocks(clock, isSandbox);
  let commits = 0;
  const forms = createCheckoutForms({
    db,
    vault,
    clock,
    clocks,
    registries: openLiveRegistries(settings, { db, clock, log: createLog('error') }),
    risk: {
      source: options.risk ?? localRiskSource,
      onFailure: options.onRiskFailure ?? 'error',
      elapsedMs: () => clock.elapsedMs(),
    },
    isSandbox,
    companyApplicationsPerHour: options.companyApplicationsPerHour ?? 0,
    onCommitted: () => commits++,
    baseUrl: () => world.baseUrl,
  });
  const create = async (orderExternalId: string, platformId = world.platform.platform_id) => {
    const { token } = await createLink(db, { platformId, orderExternalId, now: clocks.now(platformId) });
    return token;
  };
  await world.post('/v1/merchants', merchantBody({}));
  return {
    forms,
    clocks,
    async codes(orderExternalId) {
      const mails = await mailsOf(world);
      return mails
        .filter(({ cause }) => cause.startsWith(`checkout/${orderExternalId}/code/`))
        .map((mail) => ({ ...mail, code: /^\d{6}/.exec(mail.subject)?.[0] ?? '' }));
    },
    commits: () => commits,
    create,
    orderOf: (token) => orderOfToken(world, token),
    async draft({ buyer = {}, order = {} } = {}) {
      const id = `order-${randomUUID().slice(0, 8)}`;
      const name = (order.buyer_external_id ?? buyer?.external_id ?? `buyer-of-${id}`) as string;
      if (buyer !== null) {
        const made = await world.post('/v1/buyers', {
          external_id: name,
          contact_email: 'einkauf@morgenrot.example',
          ...buyer,
        });
        if (made.status !== 201) throw new Error(made.text);
      }
      const drafted = await world.post(
        '/v1/orders/draft',
        draftOrderBody({ external_id: id, buyer_external_id: name, ...order }),
      );
      if (drafted.status !== 201) throw new Error(drafted.text);
      return { id, buyer: name, token: await create(id) };
    },
  };
}

/** A browser in a checkout. It sends the version of the last page that it saw. */
export interface Visitor {
  view(): Promise<CheckoutView>;
  /** The sender of the open page. */
  sender(): FormSender;
  session(): string | null;
  send(form: (forms: CheckoutForms, sender: FormSender) => Promise<FormResult>): Promise<FormResult>;
  enterCompany(more?: Partial<typeof COMPANY>): Promise<FormResult>;
  /** Also confirms the address with the mailed code if the page asks for it. */
  enterDetails(more?: DetailsInput): Promise<FormResult>;
  /** Sends only the form with the details. */
  sendDetails(more?: DetailsInput): Promise<FormResult>;
  /** Enters the last mailed code. */
  confirm(): Promise<FormResult>;
  choosePayment(term: string): Promise<FormResult>;
  placeOrder(more?: { isGiven?: boolean; termsVersion?: string }): Promise<FormResult>;
}

export interface DetailsInput {
  person?: Partial<PersonEntry>;
  to?: string;
}

export const COMPANY = {
  legalName: 'Café Morgenrot eG',
  legalForm: 'COOPERATIVE' as LegalForm,
  tradingName: '',
  country: 'DE',
  street: 'Kastanienallee',
  house: '85',
  additional: '',
  postcode: '10435',
  city: 'Berlin',
  vatId: 'DE811907980',
  registerId: '',
};

export const PERSON: PersonEntry = {
  salutation: 'MS',
  firstName: 'Amina',
  lastName: 'Yilmaz',
  email: 'amina@morgenrot.example',
  phone: '030 1234567',
};

export const NO_DELIVERY_ADDRESS = {
  street: '',
  house: '',
  postcode: '',
  city: '',
  country: '',
  additional: '',
};

export async function visit(
  { forms, codes, orderOf }: CheckoutWorld,
  token: string,
  known: string | null = null,
): Promise<Visitor> {
  let session = known;
  let version: number | null = null;
  const view = async () => {
    const opened = await forms.open(token, session);
    if (opened.kind !== 'OPEN') throw new Error(`The checkout is ${opened.kind}.`);
    session = opened.newSession ?? session;
    version = opened.view.version;
    return opened.view;
  };
  await view();
  const sender = (): FormSender => ({ token, session, version, network: null });
  const send: Visitor['send'] = async (form) => {
    const result = await form(forms, sender());
    if (result.kind === 'DONE' || result.kind === 'CREDIT_DECIDED') await view();
    return result;
  };
  const sendDetails: Visitor['sendDetails'] = ({ person, to = 'COMPANY' } = {}) =>
    send((all, from) =>
      all.enterDetails(from, {
        person: { ...PERSON, ...person },
        delivery: { to, address: NO_DELIVERY_ADDRESS },
      }),
    );
  const confirm = async () => {
    const sent = await codes((await orderOf(token)) as string);
    return send((all, from) => all.enterCode(from, sent.at(-1)?.code ?? ''));
  };
  return {
    view,
    sender,
    session: () => session,
    send,
    enterCompany: (more) => send((all, from) => all.enterCompany(from, { ...COMPANY, ...more })),
    sendDetails,
    confirm,
    async enterDetails(more) {
      const result = await sendDetails(more);
      const isCodeSent = result.kind === 'DONE' && (await view()).code?.purpose === 'APPLICATION';
      return isCodeSent ? confirm() : result;
    },
    choosePayment: (term) => send((all, from) => all.choosePayment(from, term)),
    placeOrder: ({ isGiven = true, termsVersion } = {}) =>
      send(async (all, from) => {
        const known = termsVersion ?? (await view()).termsVersion;
        return all.placeOrder(from, { isGiven, termsVersion: known });
      }),
  };
}

/** Brings an invited buyer with a limit of 20,000 to this step. */
export async function arrive(
  world: World,
  checkout: CheckoutWorld,
  to: 'details' | 'payment' | 'review',
  { term = 'DEFER_30D', order = {} }: { term?: string; order?: Record<string, unknown> } = {},
): Promise<{ drafted: Drafted; visitor: Visitor }> {
  const drafted = await checkout.draft({ order });
  await grantFacility(world, { buyer: drafted.buyer, totalMinor: 20_000 });
  const visitor = await visit(checkout, drafted.token);
  await visitor.enterCompany();
  if (to !== 'details') await visitor.enterDetails();
  if (to === 'review') await visitor.choosePayment(term);
  const { step } = await visitor.view();
  if (step !== to) throw new Error(`The checkout is at the step ${step}.`);
  return { drafted, visitor };
}

/** The order of a link; undefined for an unknown token. */
export async function orderOfToken(world: World, token: string): Promise<string | undefined> {
  const [link] = await world.sql<{ order: string }>(
    'select order_external_id as "order" from checkout_links where token_sha256 = $1',
    [createHash('sha256').update(token).digest()],
  );
  return link?.order;
}
