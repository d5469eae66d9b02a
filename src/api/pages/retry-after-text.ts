/** How long somebody has to wait, in words. */
export function retryAfterText(seconds: number): string {
  if (seconds < 60) return 'Wait a minute and try again';
  return `Wait ${Math.ceil(seconds / 60)} minutes and try again`;
}
