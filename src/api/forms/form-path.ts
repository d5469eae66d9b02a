/** The address of a form: its hosted page, and where the site of a team sends it. */
export const formPath = (team: string, slug: string): string => `/f/${team}/${slug}`;
