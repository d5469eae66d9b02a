/**
 * The next revision of every stream, in 12 bytes a stream: streams are told apart by 64 bits of a hash of their names,
 * which a million streams share with a probability of one in thirty million. Nothing rests on it alone: the content of
 * the events is proved by the tree.
 */
export class StreamRevisions {
  #keys = new Uint32Array(2 * 1_024);
  #next = new Uint32Array(1_024);
  #streams = 0;

  /** The revision that was due, when it is another one than `revision`. */
  take(high: number, low: number, revision: number): number | undefined {
    const slot = this.#slotOf(high, low);
    const due = this.#next[slot] as number;
    if (due === 0) {
      this.#keys[2 * slot] = high;
      this.#keys[2 * slot + 1] = low;
      this.#streams += 1;
    }
    // Zero is a free slot, so what is kept is the next revision plus one.
    this.#next[slot] = Math.max(due, revision + 2);
    if (this.#streams * 2 > this.#next.length) this.#grow();
    const expected = due === 0 ? 0 : due - 1;
    return expected === revision ? undefined : expected;
  }

  #slotOf(high: number, low: number): number {
    const mask = this.#next.length - 1;
    let slot = low & mask;
    while (this.#next[slot] !== 0 && (this.#keys[2 * slot] !== high || this.#keys[2 * slot + 1] !== low))
      slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [keys, next] = [this.#keys, this.#next];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#next = new Uint32Array(2 * next.length);
    for (const [slot, revision] of next.entries()) {
      if (revision === 0) continue;
      const [high, low] = [keys[2 * slot] as number, keys[2 * slot + 1] as number];
      const place = this.#slotOf(high, low);
      this.#keys[2 * place] = high;
      this.#keys[2 * place + 1] = low;
      this.#next[place] = revision;
    }
  }
}

/** Two hashes of a stream's name, of 32 bits each (FNV-1a, with two beginnings). */
export function streamKey(stream: string): readonly [high: number, low: number] {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < stream.length; at += 1) {
    const unit = stream.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x01000193) ^ (low >>> 15);
  }
  return [high >>> 0, low >>> 0];
}
