/** Seconds of a day in UTC, which has no other days than this. */
export const DAY_SECONDS = 86_400;
