// Run by mongosh: brings the replica set to the members that MEMBERS names, and makes Commonweal's user.
// What is there already stays; nobody is ever removed.
/* global fs, process, console, connect, sleep -- what mongosh has */

const members = process.env.MEMBERS.split(',');
const secret = (name) => fs.readFileSync(`/run/secrets/${name}`, 'utf8').trim();
const login = `root:${secret('mongodb_root_password')}`;
const notYetInitialized = 94;

async function bringTogether() {
  const config = await patiently('asking for the replica set', async () => {
    const admin = await connect(`mongodb://${login}@${members[0]}/admin?directConnection=true`);
    return (await configOf(admin)) ?? (await initiate(admin));
  });
  const admin = await patiently('waiting for a primary', async () => {
    const hosts = config.members.map(({ host }) => host).join();
    const found = await connect(`mongodb://${login}@${hosts}/admin?replicaSet=rs0`);
    if (!(await found.hello()).isWritablePrimary) throw new Error('there is none yet');
    return found;
  });
  // One at a time: with two newcomers at once the set could be without a majority.
  for (const host of members) {
    const { members: present } = await configOf(admin);
    if (present.some((member) => member.host === host)) continue;
    await patiently(`adding ${host}`, () => add(admin, host));
    await patiently(`waiting for ${host}`, () => inSync(admin, host));
  }
  await makeUser(await admin.getSiblingDB('commonweal'));
  const { members: present } = await configOf(admin);
  console.log(`The replica set is: ${present.map(({ host }) => host).join(', ')}`);
}

/** Repeats until it does not throw; a server that starts, or elects, answers after a while. */
async function patiently(what, work) {
  const until = Date.now() + 120_000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > until) throw new Error(`${what}: ${error.message}`);
      await sleep(1_000);
    }
  }
}

/** Undefined where there is no replica set yet. */
async function configOf(admin) {
  try {
    return (await admin.runCommand({ replSetGetConfig: 1 })).config;
  } catch (error) {
    if (error.code !== notYetInitialized) throw error;
    return undefined;
  }
}

async function initiate(admin) {
  await admin.runCommand({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: members[0] }] } });
  return configOf(admin);
}

async function add(admin, host) {
  const { version, members: present, ...rest } = await configOf(admin);
  const _id = 1 + Math.max(...present.map((member) => member._id));
  await admin.runCommand({
    replSetReconfig: { ...rest, version: version + 1, members: [...present, { _id, host }] },
  });
}

async function inSync(admin, host) {
  const { members: states } = await admin.runCommand({ replSetGetStatus: 1 });
  const state = states.find(({ name }) => name === host)?.stateStr;
  if (state !== 'SECONDARY' && state !== 'PRIMARY') throw new Error(`it is ${state}`);
}

async function makeUser(commonweal) {
  const user = { pwd: secret('mongodb_password'), roles: [{ role: 'readWrite', db: 'commonweal' }] };
  if ((await commonweal.getUser('commonweal')) === null) {
    await commonweal.createUser({ user: 'commonweal', ...user });
  } else await commonweal.updateUser('commonweal', user);
}

// mongosh waits for the last statement of a file, and for no other.
bringTogether();
