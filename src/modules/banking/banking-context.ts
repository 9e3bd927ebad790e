import type { ChangeContext, Context } from '#operation/operation';

/** The context of imports and matches. Banks name days, which are those of the platform's time zone. */
export type BankingContext = ChangeContext & Pick<Context, 'vault' | 'timeZone'>;
/** With the caller, whom changes of invoices require. */
export type MatchingContext = BankingContext & Pick<Context, 'caller'>;
