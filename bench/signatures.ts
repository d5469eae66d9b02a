import { SignJWT, generateKeyPair } from 'jose';

/**
 * CPU of one RS256 signature by jose with 2,048 bits over claims like those of an id_token, in microseconds of all
 * threads. Arguments: how many.
 */
const count = Number(process.argv[2]);
const { privateKey } = await generateKeyPair('RS256', { modulusLength: 2_048 });
const claims = {
  nonce: 'n-0S6_WzA2Mj',
  auth_time: 1_767_225_600,
  at_hash: 'HK6E_P6Dh8Y93mRNtsDB1Q',
  acr: '1',
  amr: ['pwd'],
  sid: '0123456789abcdefghijkl',
  name: 'Ada Lovelace',
  preferred_username: 'ada',
  updated_at: 1_767_225_600,
  email: 'ada@example.org',
  email_verified: false,
};
const sign = () =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'RS256', kid: 'HK6E_P6Dh8Y93mRNtsDB1QHK6E_P6Dh8Y93mRNtsDB1Q', typ: 'JWT' })
    .setIssuer('http://localhost:3000')
    .setSubject('8f3b1f0e-2f6c-4c57-9f5e-3f1f0a9f7d10')
    .setAudience('site_bench0000000000000')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
for (let n = 0; n < 300; n++) await sign();
const before = process.cpuUsage();
for (let n = 0; n < count; n++) await sign();
const { user, system } = process.cpuUsage(before);
console.log((user + system) / count);
