import type { ChangeContext, Context } from '#operation/operation';

/** Who imports or matches, where and when. Banks speak of days, which are those of the platform's time zone. */
export type BankingContext = ChangeContext & Pick<Context, 'vault' | 'timeZone'>;
/** The same with what invoices ask of who changes them. */
export type MatchingContext = BankingContext & Pick<Context, 'caller'>;
