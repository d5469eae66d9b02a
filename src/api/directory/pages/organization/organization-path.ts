/** The path of an organization's page: the permalink. */
export const organizationPath = (orgId: string): string => `/o/${orgId}`;
