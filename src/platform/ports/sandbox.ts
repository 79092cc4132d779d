/** What this machine has to contain an agent with. */
export interface Sandbox {
  /** Asked once; later calls answer the same. */
  readonly tools: () => Promise<SandboxTools>;
  /** A folder as a person names it, `~/` for the home folder. */
  readonly folder: (path: string) => string;
  /** Folders for temporary files, which stay writable. */
  readonly temporary: readonly string[];
}

export interface SandboxTools {
  readonly system: "linux" | "macos" | "other";
  /** The program that mounts the file system anew for one command; undefined where it cannot be used. */
  readonly bubblewrap: string | undefined;
  /** Why not, in words for people. */
  readonly bubblewrapProblem: string | undefined;
  /** Whether `socat` is there, which some agents need for the network of their sandbox. */
  readonly hasSocat: boolean;
}

/** What a contained command may write. Everything else it can read, and not change. */
export interface Containment {
  /** The program that contains it. */
  readonly program: string;
  readonly writable: readonly string[];
  /** What lies in those and stays as it is. */
  readonly kept: readonly string[];
  /** Folders of its own, which are made where they are missing. */
  readonly own: readonly string[];
}
