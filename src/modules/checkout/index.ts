export { backUrl, type FoundLink, findLink, linkUrl, mintLink, pruneEndedLinks } from './link.ts';
export { revokeLinks } from './link.queries.ts';
export { getRedirectUrl } from './operations/get-redirect-url.ts';
