/** A repository on a hosting service, as the address of its remote names it. */
export interface HostedRepository {
  readonly host: string;
  /** `owner/name`, or more groups. */
  readonly path: string;
}

/** Undefined where the address names no host: a folder, or a file. */
export function hostedRepository(url: string): HostedRepository | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)\/?(.+)$/.exec(url);
  const full = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(url);
  const [, host, path] = full ?? scp ?? [];
  if (host === undefined || path === undefined) return undefined;
  return { host: host.toLowerCase(), path: path.replace(/(?<!\/)\/+$/, "").replace(/\.git$/, "") };
}
