import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from '../src/config.ts';

describe('the settings', () => {
  it('run embedded, on the loopback, with nothing set', () => {
    expect(readConfig({})).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      roles: ['api', 'projector', 'dispatcher'],
      rateLimitPerMinute: 120,
      legacyAfterSunset: 'serve',
      allowPrivateWebhooks: false,
    });
  });

  it('take an empty variable for an unset one', () => {
    expect(readConfig({ PORT: '', BASE_URL: '' })).toEqual(readConfig({}));
  });

  it('keep codes, tokens and sessions as long as is usual', () => {
    expect(readConfig({}).lifetimes).toEqual({
      code: 600,
      access: 3_600,
      refreshIdle: 30 * 86_400,
      refresh: 180 * 86_400,
      sessionIdle: 30 * 86_400,
      session: 90 * 86_400,
    });
    expect(readConfig({ AUTH_URL: 'http://localhost:3000' }).authUrl).toBe('http://localhost:3000');
  });

  it('bring an address to its origin, and lists to their parts', () => {
    expect(readConfig({ BASE_URL: 'https://Example.org:443/' }).baseUrl).toBe('https://example.org');
    expect(readConfig({ ROLES: 'api, dispatcher' }).roles).toEqual(['api', 'dispatcher']);
    expect(readConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,loopback' }).trustProxy).toHaveLength(3);
    expect(readConfig({ WEBHOOK_SCHEDULE: '0,0.5' }).webhookSchedule).toEqual([0, 0.5]);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['BASE_URL', 'example.org'],
    ['BASE_URL', 'ftp://example.org'],
    ['BASE_URL', 'https://example.org/path'],
    ['AUTH_URL', 'http://id.example'],
    ['AUTH_URL', 'https://id.example/path'],
    ['CODE_SECONDS', '601'],
    ['ACCESS_TOKEN_SECONDS', '0'],
    ['SESSION_SECONDS', 'never'],
    ['MASTER_KEY', 'c2hvcnQ='],
    ['ROLES', 'api,cook'],
    ['ROLES', ','],
    ['TRUST_PROXY', 'everybody'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['RATE_LIMIT_PER_MINUTE', '0'],
    ['LEGACY_AFTER_SUNSET', 'maybe'],
    ['ALLOW_PRIVATE_WEBHOOKS', 'yes'],
    ['WEBHOOK_SCHEDULE', '1,soon'],
    ['LOG_LEVEL', 'loud'],
  ])('refuse %s=%s in one line that names it', (name, value) => {
    const reading = () => readConfig({ [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} [^\\n]+$`));
  });
});
