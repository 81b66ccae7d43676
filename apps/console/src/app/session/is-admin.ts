/** Whether the admin endpoints let a role in. */
export const isAdmin = (role: string): boolean => role === 'owner' || role === 'admin';
