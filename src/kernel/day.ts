/** Seconds of a day in UTC; unix time has no leap seconds. */
export const DAY_SECONDS = 86_400;
