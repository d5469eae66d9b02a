import type { Row } from '../source/related-rows.ts';
import { cleanLine, cleanText, compareText } from '../text.ts';
import { once } from './without-blank.ts';

/** What the tables say about money. */
export interface CostRows {
  readonly service: Row;
  /** HSDS 3: cost_options. */
  readonly options: readonly Row[];
  /** HSDS 1.1: payments_accepted. */
  readonly payments: readonly Row[];
}

export interface Cost {
  readonly cost: string;
  readonly free: boolean | undefined;
}

/** Fees and payment in words, and whether it is free, where the source says so clearly. */
export function costOf({ service, options, payments }: CostRows): Cost {
  const fees = once([service.cell('fees_description'), service.cell('fees')].map(cleanText));
  const priced = once(options.map(optionText).sort(compareText));
  const paid = once(payments.map((row) => cleanLine(row.cell('payment'))).sort(compareText));
  const accepted = paid.length === 0 ? [] : [`Payment accepted: ${paid.join(', ')}`];
  return {
    cost: [...fees, ...priced, ...accepted].join('\n'),
    free: freeByAmounts(options) ?? freeByWords(fees.join('\n')),
  };
}

/** `Under 18s: 35 GBP per session (2020-01-01 to 2022-12-31)`. Empty for a row that only says that it is free. */
function optionText(row: Row): string {
  const option = cleanLine(row.cell('option'));
  const described = cleanLine(row.cell('amount_description'));
  const validity = validityOf(row.cell('valid_from'), row.cell('valid_to'));
  const amount = amountOf(row);
  const price =
    amount === 0 ? 'free' : cleanLine(`${row.cell('amount')} ${row.cell('currency').toUpperCase()}`);
  if (amount === 0 && /^(free)?$/i.test(option) && described + validity === '') return '';
  const amountText = [price, described].filter(Boolean).join(' ');
  return [option === '' || amountText === '' ? option + amountText : `${option}: ${amountText}`, validity]
    .filter(Boolean)
    .join(' ');
}

function validityOf(from: string, to: string): string {
  if (from !== '' && to !== '') return `(${from} to ${to})`;
  if (from !== '') return `(from ${from})`;
  return to === '' ? '' : `(to ${to})`;
}

const amountOf = (row: Row): number | undefined =>
  /^\d+(\.\d+)?$/.test(row.cell('amount')) ? Number(row.cell('amount')) : undefined;

/** Free when every option is; not free when one is not. */
function freeByAmounts(options: readonly Row[]): boolean | undefined {
  const amounts = options.map(amountOf);
  if (amounts.some((amount) => amount !== undefined && amount > 0)) return false;
  return amounts.length > 0 && amounts.every((amount) => amount === 0) ? true : undefined;
}

/** A longer text has conditions. */
const longestClear = 200;
const free =
  /(?<![\w-])(free(?![\w-])|no (cost|charge|fees?)\b|without (cost|charge)\b|gratis|gratuit[oa]s?|sin (costo|coste|cargo)s?\b|no cuesta)/i;
const nothing = /^(none|no|n\/?a fees?|nothing|ningun[oa]|nada|\$?\s?0(\.00?)?)\.?$/i;
/** Free of something else, or free for some, at times, or perhaps. */
const condition =
  /(toll|feel|smoke|drug|alcohol|barrier|tobacco|not|no es|no son)[\s-]+(free|grat)|[$€£%]|\d|\b(sliding|scales?|donations?|donaci\w+|insurance|seguro\w*|co-?pay\w*|medicaid|medicare|if|unless|except\w*|some|certain|most|many|eligible|qualif\w+|but|may|might|can be|depend\w*|var(y|ies)|members?|low|reduced|discount\w*|other|additional|otherwise|income\w*|ingresos?|salvo|según|algun\w+|si|pueden?|pero|only|first|initial|membership|miembros?|elegibles?|califi\w+|fees? (for|apply)|or)\b/i;
const price = /[$€£]\s?0*[1-9]|\b[1-9]\d*(\.\d\d)?\s?(usd|dollars|dólares|euros?|eur|gbp)\b/i;
/** A limit of income, a gift, or a price that somebody may not pay. */
const noPrice =
  /income|ingreso|donation|donaci|below|under|less than|suggest|sugerid|menos de|save|worth|grant/i;

/** Undefined where it is not clear. */
function freeByWords(text: string): boolean | undefined {
  if (text === '' || text.length > longestClear) return undefined;
  if (nothing.test(text)) return true;
  if (free.test(text)) return condition.test(text) ? undefined : true;
  return price.test(text) && !noPrice.test(text) ? false : undefined;
}
