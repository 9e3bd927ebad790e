/** The domains at which anyone can get an e-mail address: free mail providers, disposable addresses, and access providers. */
import domains from 'email-providers/all.json' with { type: 'json' };

const FREE_MAIL: ReadonlySet<string> = new Set(domains);

/** Whether anyone can get an address at the domain. @param domain In lower-case ASCII. */
export const isFreeMail = (domain: string) => FREE_MAIL.has(domain);
