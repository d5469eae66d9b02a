import { hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import ts from 'typescript';
import { areaOf } from '../support/areas.ts';

export type MutantKind =
  | 'negated-condition'
  | 'swapped-branches'
  | 'changed-comparison'
  | 'changed-logic'
  | 'removed-throw'
  | 'dropped-event'
  | 'dropped-field';

/** One small fault put into a source file. */
export interface Mutant {
  /** The same while the code that it changes stays the same, also when that moves to other lines or another file. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  readonly kind: MutantKind;
  /** Replaces the characters from `start` up to `end`. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const comparisons: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
};
const logic: Readonly<Record<string, string>> = { '&&': '||', '||': '&&' };

/** Room and area: the part of the code that a file under src stands in. */
const partOf = (file: string): string => [dirname(file).split('/')[1], areaOf(file) ?? []].flat().join('/');

/** Every mutant of these files, by path and text, in the order of the files. */
export function mutantsOf(files: readonly (readonly [file: string, text: string])[]): Mutant[] {
  const seen = new Map<string, number>();
  return files.flatMap(([file, text]) =>
    rawMutants(file, text).map(({ where, ...mutant }) => {
      const name = `${partOf(file)} ${where} ${mutant.kind} ${mutant.replacement.replaceAll(/\s+/g, ' ')}`;
      const before = seen.get(name) ?? 0;
      seen.set(name, before + 1);
      return { id: hash('sha256', `${name} ${before}`, 'hex').slice(0, 8), ...mutant };
    }),
  );
}

/** About so many mutants, from each area its share and no fewer than three; which of an area, the seed decides. */
export function sampleOf(mutants: readonly Mutant[], count: number, seed: number): Mutant[] {
  const rank = ({ id }: Mutant) => hash('sha256', `${seed} ${id}`, 'hex');
  return [...Map.groupBy(mutants, ({ file }) => partOf(file)).values()].flatMap((area) =>
    area
      .toSorted((one, other) => (rank(one) < rank(other) ? -1 : 1))
      .slice(0, Math.max(3, Math.round((count * area.length) / mutants.length))),
  );
}

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

type RawMutant = Omit<Mutant, 'id'> & { readonly where: string };

function rawMutants(file: string, text: string): RawMutant[] {
  const source = ts.createSourceFile(basename(file), text, ts.ScriptTarget.Latest, true);
  const found: RawMutant[] = [];
  const visit = (node: ts.Node, where: string) => {
    const add = (kind: MutantKind, replaced: ts.Node, replacement: string) => {
      const start = replaced.getStart(source);
      const line = source.getLineAndCharacterOfPosition(start).line + 1;
      found.push({ file, line, kind, start, end: replaced.end, replacement, where });
    };
    addMutants(node, source, add);
    const name = nameOf(node);
    ts.forEachChild(node, (child) => visit(child, name === undefined ? where : `${where}/${name}`));
  };
  visit(source, '');
  return found;
}

function addMutants(
  node: ts.Node,
  source: ts.SourceFile,
  add: (kind: MutantKind, replaced: ts.Node, replacement: string) => void,
): void {
  const textOf = (each: ts.Node) => each.getText(source);
  if (ts.isIfStatement(node)) add('negated-condition', node.expression, `!(${textOf(node.expression)})`);
  if (ts.isConditionalExpression(node)) {
    const { condition, whenTrue, whenFalse } = node;
    add('swapped-branches', node, `${textOf(condition)} ? ${textOf(whenFalse)} : ${textOf(whenTrue)}`);
  }
  if (ts.isThrowStatement(node)) add('removed-throw', node, ';');
  if (ts.isBinaryExpression(node)) {
    const { left, operatorToken, right } = node;
    const [comparison, junction] = [comparisons[textOf(operatorToken)], logic[textOf(operatorToken)]];
    if (comparison !== undefined)
      add('changed-comparison', node, `${textOf(left)} ${comparison} ${textOf(right)}`);
    if (junction !== undefined) add('changed-logic', node, `${textOf(left)} ${junction} ${textOf(right)}`);
  }
  if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements.filter(isEvent)) {
      const others = node.elements.filter((other) => other !== element);
      add('dropped-event', node, `[${others.map(textOf).join(', ')}]`);
    }
  }
  // Beside a spread, so that what was there before remains: `{ ...doc, status: 'left' }`.
  if (ts.isObjectLiteralExpression(node) && node.properties.some(ts.isSpreadAssignment)) {
    for (const property of node.properties.filter((each) => !ts.isSpreadAssignment(each))) {
      const others = node.properties.filter((other) => other !== property);
      add('dropped-field', node, `{ ${others.map(textOf).join(', ')} }`);
    }
  }
}

/** An object literal whose type is written as those of events are. */
function isEvent(node: ts.Node): boolean {
  return (
    ts.isObjectLiteralExpression(node) &&
    node.properties.some(
      (property) =>
        ts.isPropertyAssignment(property) &&
        property.name.getText() === 'type' &&
        ts.isStringLiteral(property.initializer) &&
        /^[A-Z]/.test(property.initializer.text),
    )
  );
}

function nameOf(node: ts.Node): string | undefined {
  const isNamed =
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isClassDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isPropertyAssignment(node);
  return isNamed ? node.name?.getText() : undefined;
}
