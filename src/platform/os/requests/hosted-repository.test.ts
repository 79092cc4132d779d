import { expect, it } from "vitest";
import { hostedRepository } from "./hosted-repository.ts";

it.each([
  ["git@github.com:owner/name.git", "github.com", "owner/name"],
  ["https://user:key@GitLab.example.com:8443/group/sub/name.git/", "gitlab.example.com", "group/sub/name"],
  ["ssh://git@github.com:22/owner/name", "github.com", "owner/name"],
])("%s names a host and a repository, and no key", (url, host, path) => {
  expect(hostedRepository(url)).toEqual({ host, path });
});

it.each(["/srv/git/name.git", "../name.git", "file:///srv/name.git"])("%s names no host", (url) => {
  expect(hostedRepository(url)).toBeUndefined();
});
