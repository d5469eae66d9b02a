/**
 * The words that were written to a vocabulary lately, with their ranks, so that common words are not written with every
 * document. Holds at most twice `size`: when the newer half is full, the older one is forgotten.
 */
export class WrittenWords {
  readonly #size: number;
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  constructor(size = 30_000) {
    this.#size = size;
  }

  /** Whether the word was written with this rank or a better one. */
  has(word: string, rank: number): boolean {
    const newer = this.#newer.get(word);
    if (newer !== undefined) return newer <= rank;
    const older = this.#older.get(word);
    if (older === undefined) return false;
    this.add(word, older);
    return older <= rank;
  }

  add(word: string, rank: number): void {
    if (this.#newer.size >= this.#size) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(word, rank);
  }

  clear(): void {
    this.#newer.clear();
    this.#older.clear();
  }
}
