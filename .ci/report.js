/**
 * What vitest's reports in JSON say, for .ci/run. A test that fails beside all others gets a second run with its file alone:
 * the two processors of a small machine are shared by eight workers, servers and a browser, and some tests measure.
 *
 *     node .ci/report.js failed REPORT             the files with a failed test, a line each
 *     node .ci/report.js counts REPORT,AGAIN …     passed, failed and skipped tests; AGAIN may be missing
 *     node .ci/report.js names REPORT,AGAIN …      the skipped, the repeated and the failed tests
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import process from 'node:process';
import console from 'node:console';

const [command, ...pairs] = process.argv.slice(2);
const colors = new RegExp(`${String.fromCodePoint(27)}\\[[0-9;]*m`, 'g');

const fileOf = (suite) => relative(process.cwd(), suite.name);
const why = (text) => (text ?? '').replaceAll(colors, '').split('\n').slice(0, 3).join(' ').slice(0, 500);

/** Every test of a report by its file and name. A file that could not run is one failed test; so is a missing report. */
function testsIn(report) {
  if (!existsSync(report)) return [{ file: '', name: `no report ${report}`, status: 'failed', message: '' }];
  return JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((suite) =>
    suite.status === 'failed' && suite.assertionResults.length === 0
      ? [{ file: fileOf(suite), name: '', status: 'failed', message: suite.message }]
      : suite.assertionResults.map(({ fullName, status, failureMessages }) => ({
          file: fileOf(suite),
          name: fullName,
          status,
          message: failureMessages?.[0],
        })),
  );
}

/** The tests of both runs. What failed in the first has its status of the second, where that ran it; a file that could
 * not run passes when all its tests do. */
function testsOf(pair) {
  const [first, again] = pair.split(',');
  const repeated = again !== undefined && existsSync(again) ? testsIn(again) : [];
  return testsIn(first).map((test) => {
    if (test.status !== 'failed') return test;
    const those = repeated.filter(
      ({ file, name }) => file === test.file && (test.name === '' || name === test.name),
    );
    const passed = those.length > 0 && those.every(({ status }) => status !== 'failed');
    return passed ? { ...test, status: 'passed', repeated: true } : test;
  });
}

if (command === 'failed') {
  const files = testsIn(pairs[0]).flatMap(({ status, file }) =>
    status === 'failed' && file !== '' ? [file] : [],
  );
  console.log([...new Set(files)].join('\n'));
} else {
  const tests = pairs.flatMap(testsOf);
  const of = (...statuses) => tests.filter(({ status }) => statuses.includes(status));
  const [failed, skipped] = [of('failed'), of('pending', 'skipped', 'todo')];
  if (command === 'counts') console.log(of('passed').length, failed.length, skipped.length);
  else {
    for (const { name } of skipped) console.log(`skipped: ${name}`);
    for (const { file, name, message } of tests.filter(({ repeated }) => repeated))
      console.log(`passed alone, after it failed beside others: ${file}: ${name}: ${why(message)}`);
    for (const { file, name, message } of failed) console.log(`failed: ${file}: ${name}: ${why(message)}`);
  }
}
