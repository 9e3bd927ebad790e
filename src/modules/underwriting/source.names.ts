/** The source that names other buyers of the platform. An exported decision omits these names. */
export const ENTITY_SOURCE = 'LEGAL_ENTITY';

/** Descriptions of the sources of a decision's inputs. Any other name is the risk source of the installation. */
const DECISION_SOURCES: Partial<Record<string, string>> = {
  BUYER: "The buyer's own record on the platform.",
  COMPANY_REGISTER: 'The company registries whose companies are stored here, or that answered a query.',
  PLATFORM_HISTORY: "The buyer's orders, invoices and facility on the platform.",
  ORDER:
    'The order: its amount, where it goes, and that it is the first. The other inputs are those of the decision that is judged again.',
  [ENTITY_SOURCE]: 'Other buyers of the same company on the platform.',
  INSOLVENCY: 'What an operator recorded: the buyer is insolvent.',
  REVIEWER: 'A person who granted the buyer credit before.',
  LOCAL: 'No external risk source is set up, so there is no score.',
  CREDIT_POLICY: 'The policy itself, which failed.',
};

export function describeSource(name: string): string {
  return DECISION_SOURCES[name] ?? 'The external risk source, which rates companies.';
}
