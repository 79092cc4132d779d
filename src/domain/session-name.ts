/** How people name a session: the beginning of its id is enough, for every command that takes one. */
export const sessionName = (id: string): string => id.slice(0, "s-".length + 8);

/** The command that resumes a session. */
export const resumeCommandLine = (id: string): string => `pawl resume ${sessionName(id)}`;
