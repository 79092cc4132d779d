/** Reading and writing outside the database. One call, one effect. */
export interface Files {
  /** The bytes of a regular file of at most `maxBytes`; refuses anything else before reading it. */
  readonly read: (path: string, maxBytes: number) => Uint8Array;
  /**
   * The last bytes of a regular file from a place on, at most so many, and where they begin; however large it is. Only of
   * the file that has this very name: where others can write, a link may lead anywhere.
   */
  readonly readEnd: (
    path: string,
    from: number,
    most: number,
  ) => { readonly bytes: Uint8Array; readonly from: number };
  /** At most so many bytes from a place on, and how large the file is by now; of the same files as `readEnd`. */
  readonly readSlice: (
    path: string,
    from: number,
    most: number,
  ) => { readonly bytes: Uint8Array; readonly size: number };
  /** Like `read`, as text; undefined for what is no UTF-8, or holds a NUL. A byte order mark stays: it is a byte of the file. */
  readonly readText: (path: string, maxBytes: number) => string | undefined;
  /** Replaces a file whole or not at all: temporary file beside it, every byte written, fsync, rename, fsync of the folder. */
  readonly replace: (path: string, content: string | Uint8Array) => void;
  /** The same without waiting for the disk: for what is no loss when the machine goes down. */
  readonly jot: (path: string, content: string | Uint8Array) => void;
  /**
   * Replaces a file like `replace`, keeping its mode, but only while it still holds these bytes (or, for undefined, is
   * not there). False when it holds something else: another program wrote to it, and its text stays.
   */
  readonly replaceIf: (path: string, expected: Uint8Array | undefined, content: Uint8Array) => boolean;
  /** Writes a new file; refuses when one is there already. */
  readonly create: (path: string, content: string | Uint8Array) => void;
  /** Makes a folder that only its owner can enter; fine when it is there. */
  readonly makeFolder: (path: string) => void;
  readonly exists: (path: string) => boolean;
  /** Whether this user may make files there; true where nothing is there yet. */
  readonly mayWrite: (path: string) => boolean;
  /** What lies in a folder, by name; undefined when there is no folder. */
  readonly list: (path: string) => readonly FolderEntry[] | undefined;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: "file" | "folder" | "link" | "other";
}
