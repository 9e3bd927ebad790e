import type { ApplicationLimits } from '../access/application-limits.ts';
import type { FormResult } from '../state/checkout.view.ts';

/** What the forms keep in the memory of this process. */
export interface FormMemory {
  /** The credit requests in progress, by order. */
  creditRequests: Map<string, Promise<FormResult>>;
  limits: ApplicationLimits;
}
