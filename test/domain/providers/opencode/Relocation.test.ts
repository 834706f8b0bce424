import { assert, it } from "@effect/vitest"
import { createHash } from "node:crypto"
import { databaseOf } from "../../../../src/domain/providers/opencode/Resume.ts"
import {
  isSamePlace,
  projectOf,
  remoteKey,
  subdirectory,
  worktreeOf
} from "../../../../src/domain/providers/opencode/Relocation.ts"

it("the database is where OpenCode's environment says", () => {
  const table = [
    [{ HOME: "/home/me" }, "/home/me/.local/share/opencode/opencode.db"],
    [{ HOME: "/home/me", XDG_DATA_HOME: "" }, "/home/me/.local/share/opencode/opencode.db"],
    [{ HOME: "/home/me", XDG_DATA_HOME: "/data" }, "/data/opencode/opencode.db"],
    [{ HOME: "/home/me", OPENCODE_DB: "other.db" }, "/home/me/.local/share/opencode/other.db"],
    [{ HOME: "/home/me", OPENCODE_DB: "/fast/o.db" }, "/fast/o.db"],
    [{ HOME: "/home/me", OPENCODE_DB: ":memory:" }, null]
  ] as const
  for (const [env, database] of table) assert.strictEqual(databaseOf(env), database)
})

it("one remote repository makes one project, however its URL is spelt", () => {
  const key = "git-remote:github.com/acme/rocket"
  for (const url of [
    "https://github.com/acme/rocket.git",
    "https://GitHub.com/acme/rocket",
    "https://me:secret@github.com/acme/rocket.git/",
    "git@github.com:acme/rocket.git",
    "ssh://git@github.com:2222/acme/rocket.git",
    " git@GitHub.com:/acme/rocket.git\n"
  ])
    assert.strictEqual(remoteKey(url), key, url)
  // what OpenCode 1.18.33 wrote for git@GitHub.com:acme/rocket.git
  assert.strictEqual(createHash("sha1").update(key).digest("hex"), "4a54e8471e5b9c7dc583b9dc88b913c902518bcb")
  // the last is a URL of a scheme of that name to OpenCode
  for (const url of [
    "",
    "file:///srv/git/rocket.git",
    "/srv/git/rocket.git",
    "../rocket",
    "https://github.com/",
    "github.com:acme/rocket"
  ])
    assert.isNull(remoteKey(url), url)
})

it("a project is known by the id that OpenCode left, else by its remote, else by its first commit", () => {
  const tree = { top: "/w", storedId: null, remote: null, rootCommits: [] }
  assert.strictEqual(projectOf({ ...tree, storedId: "L", remote: "R", rootCommits: ["c"] }), "L")
  assert.strictEqual(projectOf({ ...tree, remote: "R", rootCommits: ["c"] }), "R")
  assert.strictEqual(projectOf({ ...tree, rootCommits: ["c2", "c1"] }), "c1")
  assert.strictEqual(projectOf(tree), "global")
  assert.strictEqual(projectOf(null), "global")
  assert.strictEqual(worktreeOf(tree), "/w")
  assert.strictEqual(worktreeOf(null), "/")
})

it("a directory is told as seen from the top of its project", () => {
  // as OpenCode 1.18.33 wrote them
  assert.strictEqual(subdirectory("/w/a b", "/w/a b"), "")
  assert.strictEqual(subdirectory("/w/a b", "/w/a b/sub/x"), "sub/x")
  assert.strictEqual(subdirectory("/", "/tmp/C plain/sub"), "tmp/C plain/sub")
  assert.strictEqual(subdirectory("/w/a", "/w/ab"), "")
})

it("a place without a path is another than one with none", () => {
  const place = { directory: "/a", project: "p", path: null }
  assert.isTrue(isSamePlace(place, { ...place }))
  for (const other of [
    { ...place, directory: "/b" },
    { ...place, project: "q" },
    { ...place, path: "" },
    { directory: "/a", project: "p" }
  ]) {
    assert.isFalse(isSamePlace(place, other))
  }
})
