import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import type { FinishWish } from "../../../src/domain/store/worktrees/Finish.ts"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as WorktreesGit from "../../../src/layers/worktrees/WorktreesGit.ts"
import { Worktrees } from "../../../src/services/Worktrees.ts"
import { aRepository, repositoriesLike, type Repository } from "../../support/processes/Repository.ts"
import { live, liveOfEach } from "../../support/run/effects.ts"
import { patience } from "../../support/run/patience.ts"

interface Stage extends Repository {
  readonly place: string
  readonly worktrees: Worktrees["Service"]
  readonly finish: (
    how: FinishWish["how"],
    message?: string | null,
    base?: string
  ) => ReturnType<Worktrees["Service"]["finish"]>
  /** All that git and the disk know of both work trees. */
  readonly all: () => unknown
  readonly read: (file: string) => string
}

const worktreesOf = ({ env }: Pick<Repository, "env">) =>
  WorktreesGit.layer.pipe(
    Layer.provide([
      FileLockSqlite.layer,
      OpenFilesNode.layer,
      ProcessTableNode.layer,
      PathsXdg.layerFrom(env),
      SystemNode.layerWith({ version: "0", self: [], env })
    ])
  )

/** One in which a session has a worktree. */
const aStage = repositoriesLike((at) =>
  Effect.flatMap(Worktrees, ({ make }) =>
    make({ tag: "fix", directory: at.main, branch: null, from: null, setup: null, parent: null }, () => Effect.void)
  ).pipe(Effect.provide(worktreesOf(at)))
)

/** `isOld`: with a git that cannot merge without a work tree. */
const staged = (use: (at: Stage) => Effect.fn.Return<void, unknown>, isOld = false) =>
  Effect.acquireUseRelease(
    Effect.map(aStage, (at) => {
      if (!isOld) return at
      const bin = path.join(at.root, "home", "bin")
      const real = execFileSync("/bin/sh", ["-c", "command -v git"], { env: at.env, encoding: "utf8" }).trim()
      at.write(path.join(bin, "git"), `#!/bin/sh\n[ "$1" = merge-tree ] && exit 129\nexec ${real} "$@"\n`)
      fs.chmodSync(path.join(bin, "git"), 0o755)
      return { ...at, env: { ...at.env, PATH: `${bin}:${at.env["PATH"]}` } }
    }),
    (at) =>
      Effect.gen(function* () {
        const worktrees = yield* Worktrees
        const [{ path: place } = assert.fail("no record")] = yield* worktrees.all
        const seen = [at.main, place].flatMap((dir) => [
          [dir, "status", "--porcelain=v2", "--branch"] as const,
          [dir, "diff", "--cached"] as const,
          [dir, "diff"] as const,
          [dir, "ls-files", "--stage", "--others", "--exclude-standard"] as const
        ])
        yield* Effect.fnUntraced(use)({
          ...at,
          place,
          worktrees,
          finish: (how, message = null, base) => worktrees.finish(place, { how, message, base: base ?? null }),
          all: () => [at.traces(), at.gits(...seen)],
          read: (file) => fs.readFileSync(file, "utf8")
        })
      }).pipe(Effect.provide(worktreesOf(at))),
    (at) => Effect.sync(at.end)
  )

/** A hook of the repository, which both work trees have. */
const hook = (at: Stage, name: string, script: string) => {
  const file = path.join(at.main, ".git", "hooks", name)
  at.write(file, `#!/bin/sh\n${script}\n`)
  fs.chmodSync(file, 0o755)
}
const commit = (at: Stage, dir: string, file: string, text: string) => {
  at.write(path.join(dir, file), text)
  at.gits([dir, "add", "-A"], [dir, "commit", "-qm", `writes ${file}`])
}
/** A staged change, one that is not, a file that is gone and a new one whose name is a pattern. */
const work = (at: Stage) => {
  commit(at, at.place, "b.txt", "b\n")
  commit(at, at.place, "gone.txt", "x\n")
  at.write(path.join(at.place, "a.txt"), "staged\n")
  at.git(at.place, "add", "a.txt")
  at.write(path.join(at.place, "a.txt"), "a, changed\n")
  fs.rmSync(path.join(at.place, "gone.txt"))
  at.write(path.join(at.place, "new *[x]?.txt"), "new\n")
}

describe("a worktree that is finished", () => {
  liveOfEach(["merge", "rebase"] as const)("has all of it in its base, which has moved on (%s)", function* (how) {
    yield* staged(function* (at) {
      work(at)
      commit(at, at.main, "c.txt", "c\n")
      hook(at, "commit-msg", `echo "Signed: hook" >>"$1"`)
      const done = yield* at.finish(how, "-m: a first line\n\n# and a second")
      assert.match(
        done.said,
        /^committed 3 files on 'fix' \(\w{7}\); 'main' has (?:3|4) commits of 'fix' now \(\w{7}\)$/
      )
      assert.strictEqual(at.git(at.place, "status", "--porcelain"), "")
      assert.strictEqual(at.git(at.main, "status", "--porcelain"), "")
      assert.strictEqual(at.git(at.main, "ls-files"), "a.txt\nb.txt\nc.txt\nnew *[x]?.txt\n")
      assert.strictEqual(at.read(path.join(at.main, "a.txt")), "a, changed\n")
      assert.strictEqual(at.git(at.main, "rev-parse", "HEAD").trim(), done.merged)
      assert.include(at.git(at.main, "log", "--format=%B"), "-m: a first line\n\n# and a second\nSigned: hook\n")
      const merges = at.git(at.main, "log", "--merges", "--format=%s")
      assert.match(merges, how === "merge" ? /^Merge branch 'fix'/ : /^$/)
      // git kept nothing meanwhile, and there is nothing left to do
      const admin = at.git(at.place, "rev-parse", "--absolute-git-dir").trim()
      assert.deepStrictEqual(
        fs.readdirSync(admin).filter((name) => name.includes(".leap")),
        []
      )
      assert.match((yield* at.finish(how)).said, /^'main' had all of 'fix' already$/)
    })
  })

  live("may be committed alone", function* () {
    yield* staged(function* (at) {
      work(at)
      const before = at.git(at.main, "rev-parse", "main")
      assert.match((yield* at.finish("commit", "all of it")).said, /^committed 3 files on 'fix' \(\w{7}\)$/)
      assert.strictEqual(at.git(at.main, "rev-parse", "main"), before)
      assert.strictEqual((yield* Effect.flip(at.finish("commit", "x"))).message, "there is nothing to commit")
    })
  })
})

/** What stands against it, and what is said of that. All is as before then. */
const against: ReadonlyArray<readonly [what: string, how: FinishWish["how"], set: (at: Stage) => void, why: RegExp]> = [
  ["no message", "merge", () => {}, /3 files that are not committed \(.*a\.txt.*\): a message is needed/],
  [
    "changes in the main work tree",
    "merge",
    (at) => at.write(path.join(at.main, "a.txt"), "mine\n"),
    /the main work tree \(.*proj\) has 1 file with uncommitted changes \(a\.txt\): commit or stash that first/
  ],
  [
    "a detached base",
    "merge",
    (at) => at.git(at.main, "checkout", "-q", "--detach"),
    /no branch is checked out in the main/
  ],
  [
    "a detached worktree",
    "merge",
    (at) => at.git(at.place, "checkout", "-q", "--detach"),
    /no branch is checked out in the w/
  ],
  [
    "another base than was told",
    "merge",
    (at) => at.git(at.main, "checkout", "-qb", "other"),
    /has 'other' checked out by now, not 'main': look again/
  ],
  [
    "a conflict, known beforehand",
    "merge",
    (at) => commit(at, at.main, "a.txt", "theirs\n"),
    /'fix' and 'main' are in conflict over 1 file \(a\.txt\): let the session merge 'main' into its branch/
  ],
  [
    "a conflict that a merge has as well",
    "rebase",
    (at) => commit(at, at.main, "a.txt", "theirs\n"),
    /^a rebase of 'fix' onto 'main' is in conflict over 1 file \(a\.txt\): let the session rebase its branch onto 'main'/
  ],
  [
    "a merge commit with changes of its own, which a rebase leaves out",
    "rebase",
    (at) => {
      work(at)
      commit(at, at.main, "c.txt", "c\n")
      at.git(at.place, "add", "-A")
      at.git(at.place, "commit", "-qm", "more")
      at.git(at.place, "merge", "-q", "--no-commit", "main")
      commit(at, at.place, "only in the merge.txt", "x\n")
    },
    /^a rebase of 'fix' leaves out what its merge commits change in 1 file \(only in the merge\.txt\): merge it instead$/
  ],
  [
    "a conflict in the middle of a rebase",
    "rebase",
    (at) => {
      commit(at, at.place, "e.txt", "for a while\n")
      commit(at, at.place, "e.txt", "e\n")
      commit(at, at.main, "e.txt", "e\n")
    },
    /^a rebase of 'fix' onto 'main' is in conflict over 1 file \(e\.txt\): merge it instead, or let the session rebase/
  ],
  [
    "a hook that refuses the commit",
    "commit",
    (at) => hook(at, "pre-commit", "echo no tests; exit 1"),
    /does not commit: no tests/
  ],
  [
    "a hook that refuses the merge",
    "merge",
    (at) => {
      commit(at, at.main, "c.txt", "c\n")
      hook(at, "pre-merge-commit", "echo not on a Friday; exit 1")
    },
    /git does not merge: .*not on a Friday/
  ],
  [
    "a hook that refuses the rebase",
    "rebase",
    (at) => {
      commit(at, at.main, "c.txt", "c\n")
      hook(at, "pre-rebase", "echo never; exit 1")
    },
    /git does not rebase: .*never/
  ],
  [
    "a file in the way, after the rebase",
    "rebase",
    (at) => {
      commit(at, at.main, "c.txt", "c\n")
      at.write(path.join(at.main, "b.txt"), "not git's\n")
    },
    /git does not merge: .*untracked working tree files would be overwritten/
  ],
  ["a lock of git's", "merge", (at) => at.write(path.join(at.main, ".git", "index.lock"), ""), /index\.lock/],
  [
    "settings by which nothing is merged",
    "merge",
    (at) => {
      commit(at, at.main, "c.txt", "c\n")
      at.git(at.main, "config", "merge.ff", "only")
    },
    /git does not merge: /
  ],
  [
    "a merge in the main work tree",
    "merge",
    (at) => {
      at.git(at.main, "checkout", "-qb", "side")
      commit(at, at.main, "d.txt", "d\n")
      at.git(at.main, "checkout", "-q", "main")
      at.git(at.main, "merge", "-q", "--no-ff", "--no-commit", "side")
    },
    /in the middle of a merge in the main work tree \(.*\): finish or abort that there first/
  ],
  [
    "a repository within",
    "commit",
    (at) => at.git(at.place, "init", "-q", "inner"),
    /has 1 repository within \(inner\/\)/
  ]
]

describe("a worktree that is not finished", () => {
  liveOfEach(against.map(([what]) => what))("is as it was, as is its base, and it is said why: %s", function* (what) {
    const [, how, set, why] = against.find(([its]) => its === what)!
    yield* staged(function* (at) {
      work(at)
      set(at)
      const before = at.all()
      const message = why.source.includes("a message is needed") ? null : "all of it"
      const error = yield* Effect.flip(at.finish(how, message, "main"))
      assert.match(error.message, why)
      assert.strictEqual(error.kind, "refused")
      assert.notInclude(error.message, "\n")
      assert.deepStrictEqual(at.all(), before)
    })
  })

  live("is finished by what was advised over a conflict, and is not advised the same again", function* () {
    yield* staged(function* (at) {
      commit(at, at.place, "a.txt", "ours\n")
      commit(at, at.main, "a.txt", "theirs\n")
      const settle = (...words: ReadonlyArray<string>) => {
        assert.throws(() => at.git(at.place, ...words, "main"))
        at.write(path.join(at.place, "a.txt"), "both\n")
        at.git(at.place, "add", "a.txt")
        at.git(at.place, "-c", "core.editor=true", words[0]!, "--continue")
      }
      const tip = at.git(at.place, "rev-parse", "HEAD").trim()
      settle("merge")
      assert.match((yield* Effect.flip(at.finish("rebase"))).message, /: merge it instead, or let the session rebase/)
      const main = at.git(at.main, "rev-parse", "HEAD").trim()
      yield* at.finish("merge")
      at.git(at.main, "reset", "-q", "--hard", main)
      at.git(at.place, "reset", "-q", "--hard", tip)
      settle("rebase")
      yield* at.finish("rebase")
      assert.strictEqual(at.read(path.join(at.main, "a.txt")), "both\n")
    })
  })

  live("and is as it was, as is its base, with a git that tells a conflict only in its middle", function* () {
    yield* staged(function* (at) {
      commit(at, at.place, "a.txt", "ours\n")
      commit(at, at.main, "a.txt", "theirs\n")
      const refused = Effect.fnUntraced(function* (how: "merge" | "rebase", why: RegExp) {
        const before = at.all()
        assert.match((yield* Effect.flip(at.finish(how))).message, why)
        assert.deepStrictEqual(at.all(), before)
      })
      yield* refused("merge", /^'fix' and 'main' are in conflict over 1 file \(a\.txt\): let the session merge 'main'/)
      at.git(at.main, "reset", "-q", "--hard", "HEAD~1")
      commit(at, at.main, "c.txt", "c\n")
      at.git(at.place, "merge", "-q", "--no-edit", "main")
      yield* refused("rebase", /leaves out what its merge commits change in files that this git cannot tell: merge it/)
      assert.match((yield* at.finish("merge")).said, /^'main' has 2 commits of 'fix' now/)
    }, true)
  })

  live("with other branches on its commits moves none of them, whatever git's settings are", function* () {
    yield* staged(function* (at) {
      commit(at, at.place, "b.txt", "b\n")
      at.git(at.place, "branch", "other")
      commit(at, at.place, "d.txt", "d\n")
      commit(at, at.main, "c.txt", "c\n")
      at.git(at.main, "config", "rebase.updateRefs", "true")
      const other = at.git(at.main, "rev-parse", "other")
      yield* at.finish("rebase")
      assert.strictEqual(at.git(at.main, "rev-parse", "other"), other)
    })
  })

  live("does not wait for another repository's hooks", function* () {
    const next = yield* aRepository
    yield* staged(function* (at) {
      const request = { tag: "b", directory: next.main, branch: null, from: null, setup: null, parent: null }
      const place = (yield* at.worktrees.make(request, () => Effect.void)).record.path
      work(at)
      const [begun, end] = [path.join(at.root, "begun"), path.join(at.root, "end")]
      hook(at, "pre-commit", `touch ${begun}; until [ -e ${end} ]; do sleep 0.05; done`)
      const fiber = yield* Effect.forkChild(at.finish("commit", "all of it"))
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => fs.existsSync(begun) })
      at.write(path.join(place, "b.txt"), "b\n")
      const other = at.worktrees.finish(place, { how: "commit", message: "b", base: null })
      assert.isTrue(Option.isSome(yield* Effect.timeoutOption(other, patience / 4)))
      at.write(end, "")
      assert.match((yield* Fiber.join(fiber)).said, /^committed 3 files/)
    })
  })

  live("is as it was where its user interrupts a hook of the commit", function* () {
    yield* staged(function* (at) {
      work(at)
      const begun = path.join(at.root, "begun")
      hook(at, "pre-commit", `touch ${begun}; sleep 60`)
      const before = at.all()
      const fiber = yield* Effect.forkChild(at.finish("merge", "all of it"))
      yield* Effect.repeat(Effect.sleep("20 millis"), { until: () => fs.existsSync(begun) })
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      fs.rmSync(begun)
      assert.deepStrictEqual(at.all(), before)
    })
  })

  live("has a submodule whose changes no commit would take in", function* () {
    yield* staged(function* (at) {
      const inner = path.join(at.root, "inner")
      fs.mkdirSync(inner)
      at.git(inner, "init", "-q")
      commit(at, inner, "lib.txt", "lib\n")
      at.git(at.place, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "lib")
      at.git(at.place, "commit", "-qm", "lib")
      at.write(path.join(at.place, "lib", "lib.txt"), "changed\n")
      const before = at.all()
      const { message } = yield* Effect.flip(at.finish("merge", "x"))
      assert.strictEqual(message, "it has 1 submodule with changes of its own (lib): commit them in there first")
      assert.deepStrictEqual(at.all(), before)
    })
  })

  live("keeps what was staged while git was at work, and it is said that it does", function* () {
    const stages = (at: Stage) =>
      `unset $(git rev-parse --local-env-vars); cd ${at.place}; echo newer >a.txt; git add a.txt`
    const admin = (at: Stage) => at.git(at.place, "rev-parse", "--absolute-git-dir").trim()
    const kept: ReadonlyArray<readonly [how: FinishWish["how"], hooks: (at: Stage) => void, said: RegExp]> = [
      [
        "merge",
        (at) => hook(at, "pre-merge-commit", `${stages(at)}; exit 1`),
        /git does not merge: .*; what was staged in .* stays so: it has changed meanwhile$/
      ],
      // as if it came right after git's end, which no hook is there to see
      [
        "commit",
        (at) => hook(at, "pre-commit", `rm ${admin(at)}/index.lock; ${stages(at)}; exit 1`),
        /git does not commit: .*; what was staged in .* stays so: it has changed meanwhile$/
      ],
      [
        "rebase",
        (at) => {
          at.write(path.join(at.main, "b.txt"), "not git's\n")
          hook(at, "post-rewrite", stages(at))
        },
        /git does not merge: .*; the rebase stays: the branch or what is staged has changed meanwhile; the commit \w+ stays/
      ]
    ]
    for (const [how, hooks, said] of kept)
      yield* staged(function* (at) {
        work(at)
        commit(at, at.main, "c.txt", "c\n")
        hooks(at)
        const { message } = yield* Effect.flip(at.finish(how, "all of it"))
        assert.match(message, said)
        assert.strictEqual(at.git(at.place, "show", ":a.txt"), "newer\n", how)
        assert.deepStrictEqual(
          fs.readdirSync(admin(at)).filter((name) => /\.leap|\.lock/.test(name)),
          []
        )
      })
  })

  live(
    "is done again where a leap that was killed left its merge, and not where somebody went on with that",
    function* () {
      yield* staged(function* (at) {
        commit(at, at.place, "b.txt", "b\n")
        commit(at, at.main, "c.txt", "c\n")
        const merge = () => at.git(at.main, "merge", "-q", "--no-ff", "--no-commit", "fix")
        const refused = Effect.fnUntraced(function* (why: RegExp, base?: string) {
          const before = at.all()
          assert.match((yield* Effect.flip(at.finish("merge", null, base))).message, why)
          assert.deepStrictEqual(at.all(), before)
        })
        merge()
        // the same merge, but the user's
        yield* refused(/in the middle of a merge in the main work tree/)
        at.write(path.join(at.main, ".git", "leap-finish"), at.git(at.place, "rev-parse", "HEAD"))
        at.write(path.join(at.main, "b.txt"), "b, changed by hand\n")
        yield* refused(/in the middle of a merge in the main work tree/)
        at.write(path.join(at.main, "b.txt"), "b\n")
        // nothing is undone for what is refused anyway
        yield* refused(/has 'main' checked out by now, not 'other'/, "other")
        assert.match((yield* at.finish("merge")).said, /^'main' has 1 commit of 'fix' now/)
        assert.strictEqual(at.git(at.main, "status", "--porcelain"), "")
        assert.isFalse(fs.existsSync(path.join(at.main, ".git", "leap-finish")))
        // once it is done, a merge is nobody's but the user's again
        commit(at, at.place, "d.txt", "d\n")
        merge()
        yield* refused(/in the middle of a merge in the main work tree/)
      })
    }
  )
})
