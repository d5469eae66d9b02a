/** How long a request is retried while the server is down. */
export const retryForMs = 5_000;

/** The pauses between the attempts of a request. */
export const retryWaits = { firstMs: 20, longestMs: 1_000 };
