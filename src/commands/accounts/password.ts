import { argon2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { CommandRefused } from '../../ground/refusals.ts';
import { easyToGuess } from './password-strength.ts';

/**
 * Argon2id (RFC 9106) with the parameters of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. A
 * hash names its own parameters, so stronger ones can be used for later passwords.
 */
const recommended = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const tagLength = 32;
export const saltBytes = 16;

/** The fewest characters of a password (NIST SP 800-63B section 3.1.1.2). A phrase of words is easily longer. */
export const shortestPassword = 12;
const longestPassword = 1_000;

/**
 * Why a password cannot be used: it is too short, too long or too easy to guess. A sentence for the person, about whom
 * others know `about`.
 */
export async function passwordObjection(
  password: string,
  about: readonly string[],
): Promise<string | undefined> {
  const { length } = Array.from(password.normalize('NFKC'));
  if (!password.isWellFormed() || length > longestPassword)
    return `A password is a text of at most ${longestPassword} characters.`;
  if (length < shortestPassword) return `A password has at least ${shortestPassword} characters.`;
  return easyToGuess(password, about);
}

/** @throws CommandRefused invalid, where there is an objection */
export async function requirePassword(password: string, about: readonly string[]): Promise<void> {
  const objection = await passwordObjection(password, about);
  if (objection !== undefined) throw new CommandRefused('invalid', objection);
}

/** A hash in PHC string format, made off the main thread. `salt`: 16 unguessable bytes. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const { memory, passes, parallelism } = recommended;
  const tag = await derive(password, salt, recommended);
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(tag)}`;
}

/** Whether a password matches a hash. Without a hash it takes as long, and returns false. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { parameters, salt, tag } = parsed(hash) ?? nobody;
  const right = timingSafeEqual(await derive(password, salt, parameters), tag);
  return right && hash !== undefined;
}

interface Parameters {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const derived = promisify(argon2);

const derive = async (password: string, nonce: Uint8Array, parameters: Parameters): Promise<Buffer> =>
  derived('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...parameters });

const nobody = { parameters: recommended, salt: Buffer.alloc(saltBytes), tag: Buffer.alloc(tagLength) };

function parsed(hash: string | undefined) {
  if (hash === undefined) return undefined;
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(hash);
  if (!match) throw new Error('A password hash in the vault is not in PHC string format.');
  const [, memory, passes, parallelism, salt = '', tag = ''] = match;
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64').replaceAll('=', '');
