export { approveOverride } from './operations/approve-override.ts';
export { decideReview } from './operations/decide-review.ts';
export { listReviews } from './operations/list-reviews.ts';
export { overrideRejection } from './operations/override-rejection.ts';
export { proposeOverride } from './operations/propose-override.ts';
export { refuseOverride } from './operations/refuse-override.ts';
export { openReviewOfRejection } from './review.commands.ts';
export { Review, toReview } from './review.schemas.ts';
export { scriptedReviews } from './scripted-reviews.ts';
