import type { NoticeTexts } from '#pages/notice-page';

/** The texts of the checkout if it has no page to show. */
export const CHECKOUT_NOTICES: NoticeTexts = {
  link: ['page.link_title', 'page.link'],
  disabled: ['page.disabled_title', 'page.disabled'],
  too_many: ['page.too_many_title', 'page.too_many'],
  away: ['page.away_title', 'page.away'],
  foreign: ['page.foreign_title', 'page.foreign'],
  malformed: ['page.malformed_title', 'page.malformed'],
};
