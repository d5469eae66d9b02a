/** What the page before this one has done. It redirects with `?done=` and a key of `texts`; other values show nothing. */
export const doneText = <Key extends string>(
  query: URLSearchParams,
  texts: Readonly<Record<Key, string>>,
): string | undefined => {
  const done = query.get('done');
  return done !== null && Object.hasOwn(texts, done) ? texts[done as Key] : undefined;
};
