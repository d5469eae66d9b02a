import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds, compareText } from '../text.ts';
import { once } from './without-blank.ts';

/** An outline on a map, which is no name. */
const isOutline = (extent: string): boolean =>
  /^\s*[{[<(]|^(multi)?(polygon|point|linestring)\b/i.test(extent);

/**
 * The areas whose residents are served, in words: names, what is said about them, and the names in their outlines.
 * `left` is called for each outline, of which only names can be kept.
 */
export function serviceAreasOf(rows: readonly Row[], left: (row: Row) => void): string[] {
  const sorted = [...rows].sort(
    (one, other) => compareIds(one.cell('id'), other.cell('id')) || compareText(nameOf(one), nameOf(other)),
  );
  return once(
    sorted.flatMap((row) => {
      const extent = row.cell('extent');
      const outlined = extent !== '' && isOutline(extent);
      if (outlined) left(row);
      return [
        nameOf(row),
        cleanLine(row.cell('description')),
        ...(outlined ? namesIn(extent) : [cleanLine(extent)]),
      ];
    }),
  );
}

/** HSDS 1.1 has the column `service_area`. */
const nameOf = (row: Row): string => cleanLine(row.cell('name') || row.cell('service_area'));

/** The names of the features of GeoJSON. */
function namesIn(extent: string): string[] {
  try {
    const { features, properties } = JSON.parse(extent) as Partial<Record<string, unknown>>;
    const parts: unknown[] = Array.isArray(features)
      ? features.map((each) => propertiesOf(each))
      : [properties];
    return parts.flatMap((each) => {
      const name =
        (each as { name?: unknown; NAME?: unknown } | null | undefined)?.name ??
        (each as { NAME?: unknown } | null | undefined)?.NAME;
      return typeof name === 'string' ? [cleanLine(name)] : [];
    });
  } catch {
    // Not JSON: KML, or WKT.
    return [];
  }
}

const propertiesOf = (feature: unknown): unknown =>
  typeof feature === 'object' && feature !== null && 'properties' in feature ? feature.properties : undefined;
