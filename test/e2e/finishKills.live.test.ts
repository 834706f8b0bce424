// A finish is killed where it runs a hook, and git with it or not.
import { assert } from "@effect/vitest"
import * as fs from "node:fs"
import * as path from "node:path"
import { anEndedWorktree } from "../support/processes/EndedWorktree.ts"
import { alive, eventually } from "../support/processes/Room.ts"
import { testPatience } from "../support/run/patience.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

/** What git leaves of itself that is killed, as the next finish tells it, and what a user does about that. */
const told = {
  none: { says: null, settle: [] },
  lock: { says: /git does not commit: .*index\.lock': File exists/, settle: ["rm"] },
  rebase: {
    says: /in the middle of a rebase in the worktree \(.*\): finish or abort that there first/,
    settle: ["git"]
  }
} as const

type Point = readonly [how: "merge" | "rebase", hook: string, git: boolean, left: keyof typeof told]
const all: ReadonlyArray<Point> = [
  ["merge", "pre-commit", false, "none"],
  ["merge", "pre-commit", true, "lock"],
  ["merge", "post-commit", true, "none"],
  ["merge", "pre-merge-commit", false, "none"],
  ["merge", "pre-merge-commit", true, "none"],
  ["merge", "post-merge", true, "none"],
  ["rebase", "pre-rebase", false, "none"],
  ["rebase", "pre-rebase", true, "none"],
  ["rebase", "post-checkout", true, "rebase"],
  ["rebase", "post-rewrite", false, "none"],
  ["rebase", "post-merge", true, "none"]
]
const kindOf = ([how, , git, left]: Point): string => `${how} ${git} ${left}`
/** All in a thorough run; else the first of those that are the same but for their hook. */
const points = isThorough ? all : all.filter((one) => all.find((other) => kindOf(other) === kindOf(one)) === one)

live(
  "a finish that is killed loses nothing, and the same command goes on, or says what git's own end has left",
  function* () {
    const { git, gits, main, place, room, root, write } = yield* anEndedWorktree
    const admin = git(place, "rev-parse", "--absolute-git-dir").trim()
    const [pids, end] = [path.join(root, "pids"), path.join(root, "end")]
    for (const [index, [how, hook, isGitToo, left]] of points.entries()) {
      const what = `${how}, ${hook}${isGitToo ? ", with git" : ""}`
      const finish = ["finish", "fix", how, "--message", what]
      write(path.join(place, `new ${index}.txt`), "new\n")
      write(path.join(place, "staged.txt"), `staged ${index}\n`)
      git(place, "add", "staged.txt")
      write(path.join(place, "staged.txt"), `${index}\n`)
      write(path.join(main, `main ${index}.txt`), "main\n")
      gits([main, "add", "-A"], [main, "commit", "-qm", `main ${index}`])
      const file = path.join(main, ".git", "hooks", hook)
      // git may be at it for a while yet, which the next finish does not disturb
      const goOn = isGitToo ? "" : `; until [ -e ${end} ]; do sleep 0.05; done`
      const kill = `leap=$(ps -o ppid= -p $PPID); echo $leap $PPID >${pids}; kill -9 $leap${isGitToo ? " $PPID" : ""}${goOn}`
      fs.writeFileSync(file, `#!/bin/sh\n${kill}\n`, { mode: 0o755 })
      const killed = yield* room.program(finish)
      assert.isNull(killed.code, `${what}\n${killed.stderr}`)
      fs.rmSync(file)
      if (!isGitToo) {
        const state = () =>
          gits([main, "for-each-ref"], [place, "status", "--porcelain"], [main, "status", "--porcelain"])
        const before = state()
        const refused = yield* room.leap(finish)
        assert.strictEqual(refused.code, 5, what)
        assert.match(refused.stderr, /git may still be at what a killed leap has begun: wait for its end/, what)
        assert.deepStrictEqual(state(), before, what)
        write(end, "")
      }
      const gone = fs.readFileSync(pids, "utf8").trim().split(/\s+/).map(Number)
      yield* eventually(() => !gone.some(alive), `${what}: git has ended`)
      fs.rmSync(end, { force: true })
      // in the middle of a rebase it is in the branch alone
      const kept =
        left === "rebase"
          ? git(place, "show", "refs/heads/fix:staged.txt")
          : fs.readFileSync(path.join(place, "staged.txt"), "utf8")
      assert.strictEqual(kept, `${index}\n`, what)

      const { says, settle } = told[left]
      if (says !== null) {
        const refused = yield* room.leap(finish)
        assert.strictEqual(refused.code, 5, what)
        assert.match(refused.stderr, says, what)
        if (settle[0] === "rm") assert.strictEqual(git(place, "show", ":staged.txt"), `staged ${index}\n`, what)
        if (settle[0] === "rm") fs.rmSync(path.join(admin, "index.lock"))
        else git(place, "rebase", "--abort")
      }
      const done = yield* room.leap(finish)
      assert.strictEqual(done.code, 0, `${what}\n${done.stderr}`)
      const merged = gits(
        [place, "status", "--porcelain"],
        [main, "status", "--porcelain"],
        [main, "show", "main:staged.txt"],
        [main, "show", `main:new ${index}.txt`]
      )
      assert.deepStrictEqual(merged, ["", "", `${index}\n`, "new\n"], what)
      const traces = [admin, path.join(main, ".git")].flatMap((dir) => fs.readdirSync(dir))
      assert.deepStrictEqual(
        traces.filter((name) => /leap-finish|\.leap|\.lock$/.test(name)),
        [],
        what
      )
    }
  },
  testPatience
)
