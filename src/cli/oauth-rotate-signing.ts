import { Command } from 'commander';
import { rotateSigningKey } from '../commands/oauth/signing-keys.ts';
import { withSystem, type CommandLine } from './command-line.ts';
import { answer } from '../ground/print.ts';

/** A part of `keys`: the RS256 keys that id_tokens are signed with (interface 2.5). */
export function rotateSigningCommand(line: CommandLine): Command {
  return new Command('rotate-signing')
    .description('Publish a new key for id_tokens. It signs when every site has had time to fetch it.')
    .option('--at-once', 'sign with it now and retire all others, when a key has leaked')
    .action(({ atOnce = false, json }: { atOnce?: boolean; json?: boolean }) =>
      withSystem(line, async (at) => {
        const kid = await rotateSigningKey(at, { atOnce }, at.context());
        answer(
          json,
          { kid, signs: atOnce ? 'now' : 'later' },
          atOnce
            ? `Key ${kid} signs from now on. The others are retired: sites that keep the old JWKS refuse new id_tokens until they fetch it again.`
            : `Key ${kid} is published, and signs when every site has had time to fetch it.`,
        );
      }),
    );
}
