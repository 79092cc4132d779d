/** The process that has a session, as every write that speaks for it carries it. */
export type SessionProcess = {
  readonly id: string;
  readonly pid: number;
  readonly process_started_at: string;
  readonly boot_id: string;
};

/**
 * True when the session is still that process's own. It stands inside the write: a process that was taken for dead may come
 * late, and by then the session may live on in another process under the same id.
 */
export const IS_ITS_PROCESS = `id = :id
     and pid = :pid
     and process_started_at = :process_started_at
     and boot_id = :boot_id`;
