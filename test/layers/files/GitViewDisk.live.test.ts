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

const look = (directory: string) =>
  Effect.flatMap(GitView, (view) => view.look(directory)).pipe(Effect.provide(GitViewDisk.layer))

describe("git as the disk tells", () => {
  for (const version of [2, 3, 4]) {
    live(
      `index version ${version}: the branch, and the files that were changed, deleted or are to be added`,
      function* () {
        const { git, root, write } = yield* makeTree
        git("init", "-q", "-b", "feature/täst")
        for (let i = 0; i < 40; i++) write(`src/some directory/file ${i}.ts`, `${i}`)
        write("日本語.txt", "x")
        fs.symlinkSync("nowhere", path.join(root, "link"))
        git("add", ".")
        git("commit", "-qm", "first")
        git("update-index", "--index-version", `${version}`)
        assert.deepStrictEqual(yield* look(root), { branch: "feature/täst", changed: 0 })
        assert.deepStrictEqual(yield* look(path.join(root, "src")), { branch: "feature/täst", changed: 0 })
        write("src/some directory/file 7.ts", "another")
        fs.rmSync(path.join(root, "src/some directory/file 8.ts"))
        write("untracked", "is not counted")
        assert.deepStrictEqual(yield* look(root), { branch: "feature/täst", changed: 2 })
        git("add", "-N", "untracked")
        git("update-index", "--assume-unchanged", "src/some directory/file 7.ts")
        assert.deepStrictEqual(yield* look(root), { branch: "feature/täst", changed: 2 })
      }
    )
  }

  live("worktrees have a branch of their own; a commit without one is named by its beginning", function* () {
    const { dir, git, root, write } = yield* makeTree
    git("init", "-q", "-b", "main")
    write("a", "1")
    git("add", ".")
    git("commit", "-qm", "first")
    const beside = path.join(dir, "beside")
    git("worktree", "add", "-q", "-b", "other", beside)
    fs.writeFileSync(path.join(beside, "a"), "changed")
    assert.deepStrictEqual(yield* look(beside), { branch: "other", changed: 1 })
    assert.deepStrictEqual(yield* look(root), { branch: "main", changed: 0 })
    git("checkout", "-q", "--detach")
    const commit = git("rev-parse", "HEAD").toString().slice(0, 7)
    assert.deepStrictEqual(yield* look(root), { branch: commit, changed: 0 })
  })

  live("what is no work tree, is damaged or hostile gives nothing, or the branch alone; nothing waits", function* () {
    const { dir, git, root, write } = yield* makeTree
    assert.isNull(yield* look(root))
    assert.isNull(yield* look(path.join(root, "missing")))
    git("init", "-q", "-b", "main")
    write("a", "1")
    git("add", ".")
    const index = path.join(root, ".git/index")
    const whole = fs.readFileSync(index)
    for (const bytes of [Buffer.from("DIRC"), whole.subarray(0, 40), Buffer.alloc(200, 0xff), Buffer.from("")]) {
      fs.writeFileSync(index, bytes)
      assert.deepStrictEqual(yield* look(root), { branch: "main", changed: null })
    }
    // more files than are looked at
    const many = Buffer.from(whole)
    many.writeUInt32BE(1_000_000, 8)
    fs.writeFileSync(index, many)
    assert.deepStrictEqual(yield* look(root), { branch: "main", changed: null })
    // pipes in the place of files must not be waited for
    fs.rmSync(index)
    execFileSync("mkfifo", [index])
    assert.deepStrictEqual(yield* look(root), { branch: "main", changed: null })
    fs.rmSync(path.join(root, ".git/HEAD"))
    execFileSync("mkfifo", [path.join(root, ".git/HEAD")])
    assert.isNull(yield* look(root))
    // a file that points nowhere
    fs.rmSync(path.join(root, ".git"), { recursive: true })
    fs.writeFileSync(path.join(root, ".git"), `gitdir: ${dir}/none\n`)
    assert.isNull(yield* look(root))
  })
})
