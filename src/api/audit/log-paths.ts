/** The page about the proof log. Its files are below it, as C2SP tlog-tiles names them. */
export const logPath = '/audit/log/';
export const checkpointPath = `${logPath}checkpoint`;
export const vkeyPath = `${logPath}vkey`;
/** All keys that the log has had, with their times. */
export const vkeysPath = `${logPath}vkeys`;
export const formerPath = `${logPath}former`;
export const tilesPath = `${logPath}tile/`;
/** Of the witness, which cosigns the logs of others. */
export const witnessPath = '/witness/';
export const bundlesPath = `${tilesPath}entries/`;
