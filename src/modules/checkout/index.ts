export { type InvitingSurroundings, inviteBuyers } from './invite-buyers.ts';
export { revokeLinks } from './link.queries.ts';
export { backUrl, type FoundLink, findLink, linkUrl, mintLink, pruneEndedLinks } from './link.ts';
export { getRedirectUrl } from './operations/get-redirect-url.ts';
export { queueOutcomeMails } from './outcome-mails.ts';
