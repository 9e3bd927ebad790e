/** The page with the payment terms of the consent. */
import { termsParagraphs } from '#modules/checkout';
import { html } from '#pages/markup';
import { type Scene, stepPage } from './step-page.ts';

export function termsPage(scene: Scene): string {
  const { view, translator, links } = scene;
  const title = translator.text('terms.title');
  const version = view.termsVersion;
  const paragraphs = termsParagraphs(translator, {
    platform: view.platform.name,
    merchant: view.order.merchantName,
    company: view.companyName,
  });
  return stepPage(scene, {
    title,
    at: 'terms',
    step: null,
    content: html`<h1>${title}</h1>
<p class="soft">${translator.text('terms.version', { date: isDay(version) ? translator.dayOn(version) : version })}</p>
<div class="prose">${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}</div>
<p><a class="quiet" href="${links.folder}${view.step}">${translator.text('common.back')}</a></p>`,
  });
}

const isDay = (version: string) => /^\d{4}-\d{2}-\d{2}$/.test(version);
