import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { counted } from '../../ground/counted.ts';
import { createApiKey } from '../../commands/keys.ts';
import { commandTeam } from '../../commands/teams/team.ts';
import { withNewOrExistingSystem, type CommandLine } from '../command-line.ts';
import { importFrom } from './import.ts';
import { startReading } from './import-source.ts';
import { answer } from '../../ground/print.ts';

const example = fileURLToPath(new URL('../../../examples/directory', import.meta.url));
const team = { team: 'harborview', name: 'Harborview Community Network' } as const;

export function demoCommand(line: CommandLine): Command {
  return new Command('demo')
    .description('Load the example directory, a team and one key of each kind, and show what to try.')
    .action(({ json }: { json?: boolean }) =>
      withNewOrExistingSystem(line, async (at) => {
        const { store } = at;
        await commandTeam(store, { kind: 'create', ...team }, at.context('demo-team'));
        const scopes = ['directory:manage', 'webhooks:read'] as const;
        const enabled = await commandTeam(
          store,
          { kind: 'enable-scopes', team: team.team, scopes },
          at.context(),
        );
        const report = await importFrom(at, startReading(example, !json), {
          team: team.team,
          approve: true,
        });
        const developer = await createApiKey(
          at,
          { kind: 'developer', scopes: ['resources:read', 'resources:submit'], domains: [], label: 'demo' },
          randomBytes(32),
          at.context(),
        );
        const ofTeam = await createApiKey(
          at,
          {
            kind: 'team',
            team: team.team,
            scopes: ['resources:read', 'resources:submit', 'directory:manage'],
            domains: [],
            label: 'demo',
          },
          randomBytes(32),
          at.context(),
        );
        const base = at.config.baseUrl ?? `http://localhost:${at.config.port}`;
        const keys = { developer: developer.key, team: ofTeam.key };
        answer(
          json,
          { team: team.team, resources: report.services, keys, base },
          whatToTry(base, report.services, keys),
        );
        await at.waitOrWarn([enabled, developer.outcome, ofTeam.outcome]);
      }),
    );
}

function whatToTry(
  base: string,
  resources: number,
  keys: { developer?: string | undefined; team?: string | undefined },
): string[] {
  const developer = keys.developer ?? '';
  return [
    `${counted(resources, 'resource')} of ${team.name} ${resources === 1 ? 'is' : 'are'} in the directory. The keys are shown only once:`,
    `  developer  ${developer}`,
    `  team       ${keys.team ?? ''}`,
    '',
    'With the server running (npm start), try:',
    `  curl -H "Authorization: Bearer ${developer}" "${base}/dash/api/v1/resources?limit=3"`,
    `  curl -H "Authorization: Bearer ${developer}" "${base}/dash/api/v1/resources?q=food&category=food"`,
    `  curl -H "X-API-Key: ${developer}" "${base}/api/resources?limit=3"`,
    `  npm run cli -- resources submit --team ${team.team} --name "Corner Pantry" --category food`,
    '  npm run cli -- resources list --status submitted',
    '  npm run cli -- events --type ResourceApproved',
    `  ${base}/docs`,
  ];
}
