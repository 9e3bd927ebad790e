import type { NoticeTexts } from '#pages/notice-page';

/** The texts of the buyer's page if there is nothing to show. */
export const BUYER_NOTICES: NoticeTexts = {
  link: ['page.link_title', 'account.link'],
  disabled: ['page.link_title', 'account.link'],
  too_many: ['page.too_many_title', 'page.too_many'],
  away: ['page.away_title', 'account.away'],
  foreign: ['page.malformed_title', 'account.again'],
  malformed: ['page.malformed_title', 'account.again'],
};
