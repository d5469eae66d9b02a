import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import {
  followDirectory,
  lookAtDirectory,
  pauseFollowing,
  resumeFollowing,
  stopFollowing,
} from '../../actions/directory/upkeep/followings.ts';
import { followingList, type SeenFollowing } from '../../actions/directory/upkeep/following-list.ts';
import { counted } from '../../ground/counted.ts';
import { sources } from '../../projections/directory/sources.ts';
import { actionCommand, listCommand, type InputOption } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';

const address: InputOption = [
  '<address>',
  'of the other installation, such as https://directory.example.org',
];
const source: InputOption = ['<source>', 'its name or id, from sources following'];
/** A key in an option would stand in the list of processes. */
const keyFile: InputOption = [
  '--key-file <path>',
  'a file with an API key of the other one',
  { read: keyIn },
];

/** Directories of other installations that are sources. */
export const followingCommands = (line: CommandLine): readonly Command[] => [
  actionCommand(line, lookAtDirectory, {
    name: 'look-at',
    description: 'Show another directory before you follow it: its records, and the key of its proof log.',
    ofTeam: true,
    options: { address, key: keyFile },
    print: (seen) => [
      seen,
      [
        `${seen.name} has ${seen.records === undefined ? 'records' : counted(seen.records, 'public record')}.`,
        `The key of its proof log: ${seen.vkey}`,
        'Compare the key with the one that its people tell you. Then: sources follow, with this key as --vkey.',
      ],
    ],
  }),
  actionCommand(line, followDirectory, {
    name: 'follow',
    description: 'Follow another directory: its records become records of a source of the team.',
    ofTeam: true,
    options: {
      address,
      vkey: ['--vkey <key>', 'the key of its proof log, from sources look-at'],
      key: keyFile,
      name: ['--name <name>', 'what the source is called; default: its host'],
      approve: [
        '--approve',
        'new records are public at once; default: they wait for review',
        { read: (text) => text !== '', optional: true },
      ],
    },
    needs: [sources],
    print: (begun) => [begun, `${begun.team} follows ${begun.address}. Its records come within minutes.`],
  }),
  listCommand(line, followingList, {
    name: 'following',
    description: 'List the directories that a team follows or has followed.',
    noun: 'directories',
    columns: {
      ADDRESS: (each) => each.address,
      SOURCE: (each) => each.source,
      STATUS: (each) => statusOf(each),
      CHANGED: (each) => each.changed_at ?? '',
      ANSWERED: (each) => each.answered_at ?? '',
    },
  }),
  actionCommand(line, pauseFollowing, {
    name: 'pause-following',
    description: 'Read a followed directory no more until you resume. What came from it stays.',
    ofTeam: true,
    options: { source },
    needs: [sources],
    print: (paused) => [paused, `${paused.source} is paused.`],
  }),
  actionCommand(line, resumeFollowing, {
    name: 'resume-following',
    description: 'Go on with a directory that is paused.',
    ofTeam: true,
    options: {
      source,
      vkey: [
        '--vkey <key>',
        'where its past is another one: the key of its log now, which you have compared',
      ],
      key: keyFile,
    },
    needs: [sources],
    print: (resumed) => [resumed, `${resumed.source} is followed again.`],
  }),
  actionCommand(line, stopFollowing, {
    name: 'unfollow',
    description: 'Follow a directory no longer. What came from it stays.',
    ofTeam: true,
    options: { source },
    needs: [sources],
    print: (ended) => [ended, `${ended.team} no longer follows ${ended.source}. Its records stay.`],
  }),
];

/** With the reason, where it is paused or cannot be read. */
export function statusOf({ status, why, detail, problem }: SeenFollowing): string {
  if (status === 'paused') return `paused: ${detail ?? why ?? ''}`;
  return status === 'following' && problem !== undefined ? `following: ${problem}` : status;
}

function keyIn(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    throw new UsageError(`--key-file: ${(error as Error).message}`);
  }
}
