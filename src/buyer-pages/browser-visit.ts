/** One request of a browser at a link: its cookie, and the page that opens. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { translatorOf } from '#messages';
import {
  type BuyerPage,
  type CodeView,
  PAGE_SESSION_SECONDS,
  type PageAccount,
  type PageSender,
  type ShownAround,
} from '#modules/buyer-page';
import type { FieldError } from '#modules/checkout';
import type { FormScene } from '#pages/form-errors';
import { type CountGuess, publicNetworkOf, refuseUnknown } from '#pages/guess-limit';
import { type RelativeLinks, relativeLinksOf } from '#pages/relative-links';
import { type BaseUrlOf, forgetSession, keepSession } from '#pages/session-cookie';

/** What the routes depend on. */
export interface BuyerPageRoutes {
  page: BuyerPage;
  baseUrlOf: BaseUrlOf;
  countGuess: CountGuess;
}

/** The data that pages are rendered from. */
export interface AccountScene extends FormScene {
  around: ShownAround;
  links: RelativeLinks;
}

export type BrowserVisit =
  | { kind: 'LOCKED'; scene: AccountScene; code: CodeView }
  | { kind: 'OPEN'; scene: AccountScene; account: PageAccount };

/** The errors of the form that was sent, and its fields. */
export interface RefusedForm {
  errors: FieldError[];
  typed: URLSearchParams | null;
}

const COOKIE = 'tl_buyer';

export function pageSenderOf(request: FastifyRequest): PageSender {
  const { token } = request.params as { token: string };
  return { token, session: request.cookies[COOKIE] ?? null, network: publicNetworkOf(request.ip) };
}

/** Throws NOT_FOUND for an invalid token. */
export async function visitOf(
  { page, countGuess }: BuyerPageRoutes,
  request: FastifyRequest,
  refused: RefusedForm = { errors: [], typed: null },
): Promise<BrowserVisit> {
  const opened = await page.open(pageSenderOf(request));
  if (opened.kind === 'UNKNOWN') return refuseUnknown(request, countGuess);
  const { around } = opened;
  const translator = translatorOf(around.language, around.formality, around.timeZone);
  const scene = { around, translator, links: linksOf(request), ...refused };
  return opened.kind === 'LOCKED'
    ? { kind: 'LOCKED', scene, code: opened.code }
    : { kind: 'OPEN', scene, account: opened.account };
}

export function linksOf({ url }: FastifyRequest): RelativeLinks {
  return relativeLinksOf(url, 'buyer');
}

/** The cookie is limited to the path of the link: another link, even of the same buyer, needs its own code. */
const cookieOf = ({ baseUrlOf }: BuyerPageRoutes, request: FastifyRequest) => ({
  ...{ name: COOKIE, path: `/buyer/${pageSenderOf(request).token}`, isFramed: false },
  ...{ seconds: PAGE_SESSION_SECONDS, baseUrl: baseUrlOf(request) },
});

export function keepBuyerSession(
  routes: BuyerPageRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
  session: string,
): void {
  keepSession(reply, session, cookieOf(routes, request));
}

export function forgetBuyerSession(
  routes: BuyerPageRoutes,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  forgetSession(reply, cookieOf(routes, request));
}
