/** A sentence part that tells a person how long to wait. */
export function retryAfterText(seconds: number): string {
  if (seconds <= 60) return 'Wait a minute and try again';
  return `Wait ${Math.ceil(seconds / 60)} minutes and try again`;
}
