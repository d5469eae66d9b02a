/** The page about the proof log. Its files are below it, as C2SP tlog-tiles names them. */
export const logPath = '/audit/log/';
export const checkpointPath = `${logPath}checkpoint`;
export const vkeyPath = `${logPath}vkey`;
export const tilesPath = `${logPath}tile/`;
export const bundlesPath = `${tilesPath}entries/`;
