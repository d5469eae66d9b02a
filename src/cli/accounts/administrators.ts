import { rmSync } from 'node:fs';
import { Command } from 'commander';
import { administratorsOf, endAdministrator, told } from '../../actions/accounts/administrators.ts';
import { linkedPages } from '../../actions/linked-pages.ts';
import { appointAdministrator, inviteAdministrator } from '../../commands/accounts/administrator.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { linkLives, writeLink } from '../../commands/accounts/one-time-links.ts';
import { findByEmail, requirePerson, type PersonOutcome } from '../../commands/accounts/person.ts';
import { displayName } from '../../events/display-name.ts';
import { people } from '../../projections/accounts-people.ts';
import { namesOf } from '../account.ts';
import { actionCommand, emailOption } from '../action-command.ts';
import { setUpFile } from '../../runtime/first-administrator.ts';
import { withSystem, type CommandSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

/** The same as for the setup link of the first administrator. */
const invitedForSeconds = linkLives['set-up'];

interface Whom {
  readonly email: string;
  readonly json?: boolean;
}

export function administratorsCommand(line: CommandLine): Command {
  const command = new Command('administrators').description('The administrators of this installation.');
  const about = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--email <address>', 'the email address of the account');
  about(
    'add',
    'Make somebody an administrator. A person without an account gets a link to choose a password.',
  )
    .option('--name <name>', 'the name of a person without an account; they can change it', 'Administrator')
    .action(({ email, name, json }: Whom & { name: string }) =>
      withSystem(line, async (at) => {
        const { user, outcome } = await add(at, email, option('--name', displayName(200), name));
        rmSync(setUpFile(at.config), { force: true });
        const link = await passwordLink(at, user);
        const made = { user, role: 'administrator' } as const;
        if (link === undefined) {
          await at.waitUntilVisible(outcome);
          await told(at, 'added', user, outcome);
          answer(json, made, `${email.trim()} is an administrator.`);
          return;
        }
        answer(json, { ...made, link }, [
          link,
          `${email.trim()} is an administrator. With this link they choose a password, within 7 days.`,
        ]);
        await at.waitOrWarn(outcome);
        await told(at, 'added', user, outcome);
      }),
    );
  command.addCommand(
    actionCommand(line, endAdministrator, {
      name: 'remove',
      description: 'Remove the administrator role. The account stays.',
      options: { user: emailOption('the email address of the account', { optional: false }) },
      needs: [people],
      print: (_, { user: email = '' }, { user }) => [
        { user, role: 'person' },
        `${email.trim()} is no longer an administrator.`,
      ],
    }),
  );
  command
    .command('list')
    .description('List all administrators, with their current names and addresses.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const found = await Promise.all(
          (await administrators(at)).map(async (person) => ({
            user: person.user,
            registered_at: person.registered_at,
            has_password: person.has_password,
            passkeys: person.passkeys.length,
            ...(await namesOf(at, person)),
          })),
        );
        const rows = found.map((each) => [
          each.user,
          each.registered_at,
          each.has_password || each.passkeys > 0 ? 'yes' : 'no',
          each.email ?? '-',
          each.name ?? 'erased',
        ]);
        answer(json, found, table(['PERSON', 'SINCE', 'CAN SIGN IN', 'EMAIL', 'NAME'], rows));
      }),
    );
  return command;
}

async function add(
  at: CommandSystem,
  email: string,
  name: string,
): Promise<{ user: string; outcome: PersonOutcome }> {
  const known = await findByEmail(at, email);
  if (!known) {
    const { userId, outcome } = await inviteAdministrator(at, { email, profile: { name } }, at.context());
    return { user: userId, outcome };
  }
  // An unconfirmed address may belong to somebody else.
  if (!known.verified) {
    throw new CommandRefused(
      'conflict',
      'There is an account with this address, and nobody has confirmed that it is theirs. Ask its owner to confirm it, then add them.',
    );
  }
  return { user: known.user, outcome: await appointAdministrator(at, known.user, at.context()) };
}

/**
 * A link to choose a password, for an account without password and passkey. Each call creates a new link; the first
 * one used wins.
 */
async function passwordLink(at: CommandSystem, user: string): Promise<string | undefined> {
  const { passwordVersion, passkeys } = await requirePerson(at, user);
  if (passwordVersion > 0 || passkeys.length > 0) return undefined;
  const wish = {
    purpose: 'reset-password',
    userId: user,
    at: new Date(),
    seconds: invitedForSeconds,
  } as const;
  const link = await writeLink(at, wish);
  return link === undefined ? undefined : `${at.issuer()}${linkedPages.newPassword}?link=${link}`;
}

async function administrators(at: CommandSystem) {
  await at.waitUntilCurrent(people);
  return administratorsOf(at.documents);
}
