/** Words of 32 bits in a UUID. */
const words = 4;
const slotsAtFirst = 1_024;

/**
 * A set of name-based UUIDs in 32 to 64 bytes each: a set of a million texts would take 100 MB. An open hash table: the
 * UUIDs are hashes themselves. The version in the second word is never 0, which marks an empty slot.
 */
export class IdSet {
  #slots = new Uint32Array(slotsAtFirst * words);
  #size = 0;

  /** False when it is there already. */
  add(uuid: string): boolean {
    const hex = uuid.replaceAll('-', '');
    const id = Uint32Array.from({ length: words }, (_, word) =>
      Number.parseInt(hex.slice(word * 8, word * 8 + 8), 16),
    );
    if (2 * (this.#size + 1) * words > this.#slots.length) this.#grow();
    if (!insert(this.#slots, id)) return false;
    this.#size += 1;
    return true;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(before.length * 2);
    for (let at = 0; at < before.length; at += words) {
      if (before[at + 1] !== 0) insert(this.#slots, before.subarray(at, at + words));
    }
  }
}

function insert(slots: Uint32Array, id: Uint32Array): boolean {
  const count = slots.length / words;
  for (let slot = (id[0] ?? 0) % count; ; slot = (slot + 1) % count) {
    const at = slot * words;
    if (slots[at + 1] === 0) {
      slots.set(id, at);
      return true;
    }
    if (id.every((word, place) => slots[at + place] === word)) return false;
  }
}
