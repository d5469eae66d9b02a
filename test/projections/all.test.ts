import { describe, expect, it } from 'vitest';
import { streams } from '../../src/events/catalogue.ts';
import { projections } from '../../src/projections/all.ts';
import { auditEvents } from '../../src/projections/audit.ts';
import { shownBy } from '../../src/status/read-model-words.ts';

describe('the read models', () => {
  it('have names of their own', () => {
    const names = projections.map(({ collection }) => collection.name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('each say in words of their own what they show, for operators', () => {
    const words = projections.map((each) => shownBy(each.collection.name));
    expect(new Set(words).size).toBe(words.length);
    expect(words.filter((each) => !/^\p{Lu}/u.test(each))).toEqual([]);
  });

  it('fold only event types that there are, and all but those that only the audit log is read for', () => {
    const known = streams.flatMap(({ events }) => Object.keys(events));
    const folded = projections.flatMap(({ events }) => events);
    expect(folded.filter((type) => !known.includes(type))).toEqual([]);
    const ofOthers = projections
      .filter(({ collection }) => collection.name !== auditEvents.collection.name)
      .flatMap(({ events }) => events as readonly string[]);
    const ofNoReadModel = known.filter((type) => !ofOthers.includes(type));
    expect(ofNoReadModel).toEqual([
      'InstallationNamed',
      'VaultReplaced',
      'ProofLogReplaced',
      'ProofLogKeyRotated',
      'ProofLogBegun',
      'BackupTaken',
      'BackupRestored',
      'BackupTested',
      'TokenKeyReplaced',
      'MasterKeyRotated',
      'MasterKeyRotationEnded',
      'SetUpClosed',
      'UserMailsChosen',
      'EmailClaimed',
      'EmailReleased',
      'SignInsRefused',
      'TeamPasskeysRequired',
      'InvitationLinkDisclosed',
      'SigningKeyPublished',
      'SigningKeyActivated',
      'SigningKeyRetired',
      'ClaimRulesChosen',
      'RebuildStarted',
      'RebuildCancelled',
      'GenerationSwitched',
      'AuditQueried',
      'AuditExported',
      'OutboxViewed',
      'AnswersDownloaded',
    ]);
  });
});
