/** The domains at which anybody gets an e-mail address: free mail providers, disposable addresses, and access providers. */
import domains from 'email-providers/all.json' with { type: 'json' };

const FREE_MAIL: ReadonlySet<string> = new Set(domains);

/** @param domain In lower-case ASCII. */
export const isFreeMail = (domain: string) => FREE_MAIL.has(domain);
