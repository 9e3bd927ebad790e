import { describe, expect, it, vi } from 'vitest';
import { readXml, type XmlElement } from '#kernel/xml';
import type { Vintage } from '#modules/underwriting';
import { type ChartedLosses, lossChartSvg, printLossBars } from './loss-chart.ts';

/** A vintage with the given used and lost amounts; its losses are final after 12 months unless it is open. */
const vintage = (month: string, used: number, stillOpen: number, isOpen = false): Vintage => ({
  month,
  applications: 1,
  approvals: 1,
  granted: used,
  used,
  expectedLoss: 0,
  after: { 3: { used, lost: 0 }, 6: { used, lost: 0 }, 12: isOpen ? null : { used, lost: stillOpen } },
  defaulted: stillOpen,
  paidSince: 0,
  writtenOff: 0,
  recovered: 0,
  stillOpen,
  netLoss: 0,
});

const TITLES = { old: 'version 1', new: '<b> & "mine".json', asOf: '2026-02-01' };
const CHARTS: ChartedLosses[] = [
  {
    currency: 'EUR',
    old: [vintage('2025-12', 100_000, 20_000), vintage('2026-01', 100_000, 5_000, true)],
    new: [vintage('2025-12', 80_000, 0), vintage('2026-01', 80_000, 4_000, true)],
  },
  { currency: 'JPY', old: [vintage('2025-12', 900, 90)], new: [vintage('2025-12', 900, 90)] },
];

const elements = (element: XmlElement): XmlElement[] => [element, ...element.children.flatMap(elements)];

describe('the picture of losses', () => {
  it('is well-formed, whatever the policies are called, and has a bar for each loss', async () => {
    const svg = elements(readXml(await lossChartSvg(CHARTS, TITLES)));
    const texts = svg.filter(({ name }) => name === 'text').map(({ text }) => text);
    expect(texts).toEqual(
      expect.arrayContaining(['version 1', '<b> & "mine".json', 'Lost, EUR', 'Lost, JPY', 'Dec', '2026']),
    );
    const bars = svg.filter(({ name }) => name === 'title').map(({ text }) => text);
    expect(bars).toEqual([
      ...['2025-12: 200', '2026-01: 50', '2026-01: 40', '2025-12: 20 %', '2026-01: 5 %', '2026-01: 5 %'],
      ...['2025-12: 90', '2025-12: 90', '2025-12: 10 %', '2025-12: 10 %'],
    ]);
  });

  it('of nothing lost has axes and no bar', async () => {
    const none = [
      { currency: 'EUR' as const, old: [vintage('2026-01', 0, 0)], new: [vintage('2026-01', 0, 0)] },
    ];
    const svg = elements(readXml(await lossChartSvg(none, TITLES)));
    expect(svg.filter(({ name }) => name === 'title')).toEqual([]);
    expect(svg.some(({ name }) => name === 'line')).toBe(true);
  });
});

it('bars of text are as long as the losses, and mark what is open', () => {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  printLossBars(CHARTS.slice(0, 1), TITLES);
  const lines = printed.mock.calls.map(([line]) => line as string);
  printed.mockRestore();
  expect(lines.slice(1)).toEqual([
    `2025-12   ${'█'.repeat(40)} 200`,
    '          0',
    `2026-01 … ${'█'.repeat(10)} 50`,
    `          ${'░'.repeat(8)} 40`,
  ]);
});
