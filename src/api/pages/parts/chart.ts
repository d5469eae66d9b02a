import { html, type Html } from '../html.ts';
import { table } from './table.ts';

export interface Series {
  readonly label: string;
  /** `good`, `bad`: the colours of success and failure. */
  readonly kind: 'plain' | 'good' | 'bad';
  /** One for each time. */
  readonly values: readonly number[];
}

interface Chart {
  /** What the numbers are, such as Requests per day. */
  readonly title: string;
  /** The heading of the first column of the numbers, such as Day. */
  readonly by: string;
  /** The names of the times or classes, from left to right. */
  readonly labels: readonly string[];
  /** Stacked on each other. */
  readonly series: readonly Series[];
}

/** The unit of the drawing. It is stretched to the width that there is, so no letters stand in it. */
const width = 720;
const height = 120;
const gap = 2;

/** Bars drawn by the server, with the same numbers as a table below them. */
export function barChart({ title, by, labels, series }: Chart): Html {
  const totals = labels.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const highest = Math.max(1, ...totals);
  const step = width / Math.max(1, labels.length);
  const bars = labels.flatMap((label, index) => {
    let top = height;
    return series.map(({ kind, values }) => {
      const tall = ((values[index] ?? 0) / highest) * height;
      top -= tall;
      return tall === 0
        ? html``
        : html`<rect
            class="bar ${kind}"
            x="${(index * step + gap / 2).toFixed(1)}"
            y="${top.toFixed(1)}"
            width="${Math.max(1, step - gap).toFixed(1)}"
            height="${tall.toFixed(1)}"
          >
            <title>${label}: ${String(values[index] ?? 0)}</title>
          </rect>`;
    });
  });
  return html`<figure class="chart">
    <figcaption>
      <strong>${title}</strong>
      ${series.length > 1 ? series.map(({ label, kind }) => html`<span class="key ${kind}">${label}</span>`) : ''}
    </figcaption>
    <div class="plot">
      <span aria-hidden="true">${highest.toLocaleString('en')}</span>
      <svg
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${title}, most ${highest}"
      >
        ${bars}
      </svg>
      <div class="ends" aria-hidden="true">
        <span>${labels[0] ?? ''}</span><span>${labels.length > 1 ? (labels.at(-1) ?? '') : ''}</span>
      </div>
    </div>
    ${numbersOf({ title, by, labels, series })}
  </figure>`;
}

/** A line of shares from 0 to 100 %, drawn by the server, with the numbers that they are of as a table below it. */
export function shareLine(chart: Chart & { readonly shares: readonly number[] }): Html {
  const { title, labels, shares } = chart;
  const step = width / Math.max(1, shares.length - 1);
  const points = shares.map(
    (share, index) => `${(index * step).toFixed(1)},${(height - (share / 100) * height).toFixed(1)}`,
  );
  return html`<figure class="chart">
    <figcaption><strong>${title}</strong></figcaption>
    <div class="plot">
      <span aria-hidden="true">100 %</span>
      <svg
        viewBox="0 0 ${width} ${height}"
        preserveAspectRatio="none"
        role="img"
        aria-label="${title}: ${String(shares[0] ?? 0)} % to ${String(shares.at(-1) ?? 0)} %"
      >
        <polyline class="line" points="${points.join(' ')}" />
      </svg>
      <div class="ends" aria-hidden="true">
        <span>${labels[0] ?? ''}</span><span>${labels.at(-1) ?? ''}</span>
      </div>
    </div>
    ${numbersOf(chart)}
  </figure>`;
}

const numbersOf = ({ title, by, labels, series }: Chart): Html =>
  html`<details>
    <summary>The numbers</summary>
    ${table({
      caption: title,
      columns: [{ label: by }, ...series.map(({ label }) => ({ label, numbers: true as const }))],
      rows: labels.map((label, index) => [
        label,
        ...series.map(({ values }) => (values[index] ?? 0).toLocaleString('en')),
      ]),
    })}
  </details>`;
