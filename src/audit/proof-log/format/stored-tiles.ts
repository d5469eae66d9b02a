import type { ProofLog } from '../../../stores/side/proof-log-port.ts';
import { ProofError } from '../errors.ts';
import { hashBytes, tilePath, type TileSource } from './tiles.ts';

/** The tiles that are stored, as a source for proofs. */
export const storedTiles = (proofLog: Pick<ProofLog, 'tiles'>): TileSource => ({
  async tiles(tiles) {
    const found = await proofLog.tiles(tiles);
    return tiles.map((tile, at) => {
      const hashes = found[at];
      if (hashes !== undefined && hashes.length >= tile.width * hashBytes) {
        return hashes.subarray(0, tile.width * hashBytes);
      }
      throw new ProofError('beyond', `Tile ${tilePath(tile)} is missing in the proof log.`);
    });
  },
});
