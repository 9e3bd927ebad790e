import { describe, expect, it } from 'vitest';
import { VIEWS } from '#test/checkout-views';
import { renderStep } from '../render-step.ts';

const links = { root: '../', folder: '' };

function summaryOf(lines: [quantity: number, priceMinor: number][]): string {
  const { order } = VIEWS.company;
  const view = {
    ...VIEWS.company,
    order: {
      ...order,
      lines: lines.map(([quantity, priceMinor]) => ({ name: 'x', description: null, quantity, priceMinor })),
    },
  };
  return renderStep({ view, links }, 'company')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

describe('the summary of an order over 1,298.00 net', () => {
  it('names a small difference to its lines as shipping', () => {
    expect(summaryOf([[10, 12_000]])).toContain('Shipping and other charges €98.00');
  });

  it('does not take a line of one cent for the goods, and the rest for shipping', () => {
    const summary = summaryOf([[1, 1]]);
    expect(summary).toContain('Items not listed above €1,297.99');
    expect(summary).not.toContain('Shipping');
  });

  it('says nothing where the lines sum to it, or include tax', () => {
    for (const summary of [summaryOf([[1, 129_800]]), summaryOf([[1, 154_462]]), summaryOf([])])
      expect(summary).not.toMatch(/Shipping|not listed/);
  });

  it('can be hidden again on a phone', () => {
    expect(summaryOf([])).toContain('Show order summary Hide order summary');
  });
});
