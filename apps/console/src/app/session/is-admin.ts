/** Whether a role can use the admin endpoints. */
export const isAdmin = (role: string): boolean => role === 'owner' || role === 'admin';
