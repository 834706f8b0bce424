import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import * as GitViewDisk from "../../../src/layers/files/GitViewDisk.ts"
import { GitView } from "../../../src/services/GitView.ts"
import { live } from "../../support/run/effects.ts"

/** A directory of its own, and git in it. */
const makeTree = Effect.acquireRelease(
  Effect.sync(() => fs.mkdtempSync(path.join(os.tmpdir(), "leap-git-"))),
  (dir) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
).pipe(
  Effect.map((dir) => {
    const root = path.join(dir, "tree")
    fs.mkdirSync(root)
    const env = { PATH: process.env["PATH"] ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1" }
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x", ...args], { cwd: root, env, stdio: "pipe" })
    const write = (name: string, text: string): void => {
      fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
      fs.writeFileSync(path.join(root, name), text)
    }
    return { dir, root, git, write }
  })
)

const branch = (directory: string) =>
  Effect.flatMap(GitView, (view) => view.branch(directory)).pipe(Effect.provide(GitViewDisk.layer))

describe("a directory's branch, as the disk tells", () => {
  live("is told below its work tree, too; worktrees have one of their own, a commit its beginning", function* () {
    const { dir, git, root, write } = yield* makeTree
    git("init", "-q", "-b", "feature/täst")
    write("src/a", "1")
    assert.strictEqual(yield* branch(path.join(root, "src")), "feature/täst")
    git("add", ".")
    git("commit", "-qm", "first")
    const beside = path.join(dir, "beside")
    git("worktree", "add", "-q", "-b", "other", beside)
    assert.deepStrictEqual([yield* branch(beside), yield* branch(root)], ["other", "feature/täst"])
    git("checkout", "-q", "--detach")
    assert.strictEqual(yield* branch(root), git("rev-parse", "HEAD").toString().slice(0, 7))
  })

  live("is none where there is no work tree, or a hostile one; nothing waits", function* () {
    const { dir, git, root } = yield* makeTree
    assert.isNull(yield* branch(root))
    assert.isNull(yield* branch(path.join(root, "missing")))
    git("init", "-q", "-b", "main")
    // a pipe in the place of a file must not be waited for
    fs.rmSync(path.join(root, ".git/HEAD"))
    execFileSync("mkfifo", [path.join(root, ".git/HEAD")])
    assert.isNull(yield* branch(root))
    // a file that points nowhere
    fs.rmSync(path.join(root, ".git"), { recursive: true })
    fs.writeFileSync(path.join(root, ".git"), `gitdir: ${dir}/none\n`)
    assert.isNull(yield* branch(root))
  })
})
