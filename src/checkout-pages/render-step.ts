/** Renders the page of a step. */
import type { CheckoutStep, CompanySearch, FieldError } from '#modules/checkout';
import { codePage } from './page/code-page.ts';
import { companyPage, searchCountry } from './page/company-page.ts';
import { detailsPage } from './page/details-page.ts';
import { outcomePage } from './page/outcome-page.ts';
import { paymentPage } from './page/payment-page.ts';
import { reviewPage } from './page/review-page.ts';
import { sceneOf } from './page/step-page.ts';
import type { Visit } from './visit.ts';

export interface StepOptions {
  /** The errors of the form that was sent, and its fields. */
  refused?: { errors: FieldError[]; typed: URLSearchParams | null };
  search?: CompanySearch | null;
  searched?: { country: string; query: string };
}

export function renderStep(
  { view, links }: Pick<Visit, 'view' | 'links'>,
  step: CheckoutStep,
  { refused, search = null, searched }: StepOptions = {},
): string {
  const scene = sceneOf(view, links, refused);
  switch (step) {
    case 'code':
      return codePage(scene);
    case 'company':
      return companyPage({
        scene,
        search,
        searched: searched ?? { country: searchCountry(view), query: '' },
      });
    case 'details':
      return detailsPage(scene);
    case 'payment':
      return paymentPage(scene);
    case 'review':
      return reviewPage(scene);
    case 'outcome':
      return outcomePage(scene, view.outcome ?? 'COMPLETE');
  }
}
