/**
 * What the lines of a log say, without their numbers: the digits of a time or a duration may by chance be those of what is
 * looked for.
 */
export const logTexts = (log: string): string =>
  log
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      JSON.stringify(JSON.parse(line), (_name, value: unknown) =>
        typeof value === 'number' ? undefined : value,
      ),
    )
    .join('\n');
