import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Result } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import * as FileLockSqlite from "../../../src/layers/files/FileLockSqlite.ts"
import * as PathsXdg from "../../../src/layers/files/PathsXdg.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as WorktreesGit from "../../../src/layers/worktrees/WorktreesGit.ts"
import { OpenFiles } from "../../../src/services/OpenFiles.ts"
import { type WorktreeRequest, Worktrees } from "../../../src/services/Worktrees.ts"
import { isThorough } from "../../support/run/thorough.ts"
import { badBranches, goodBranches } from "../../support/data/branchNames.ts"
import { makeRepository, type Repository } from "../../support/processes/Repository.ts"
import { testPatience } from "../../support/run/patience.ts"

interface Stage extends Repository {
  readonly worktrees: Worktrees["Service"]
  readonly told: Array<string>
  readonly make: (own?: Partial<WorktreeRequest>) => ReturnType<Worktrees["Service"]["make"]>
  /** The message with which it fails. */
  readonly fails: (own?: Partial<WorktreeRequest>) => Effect.Effect<string, unknown>
  /** Why the worktree of the session stays. */
  readonly stays: (tag?: string) => Effect.Effect<string, unknown>
  readonly records: Effect.Effect<number>
}

const staged = (use: (stage: Stage) => Effect.fn.Return<void, unknown>, extra?: Readonly<Record<string, string>>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => makeRepository()),
    (repository) => {
      const layer = WorktreesGit.layer.pipe(
        Layer.provide([
          FileLockSqlite.layer,
          OpenFilesNode.layer,
          ProcessTableNode.layer,
          PathsXdg.layerFrom(repository.env),
          SystemNode.layerWith({ version: "0", self: [], env: { ...repository.env, ...extra } })
        ])
      )
      return Effect.gen(function* () {
        const worktrees = yield* Worktrees
        const told: Array<string> = []
        const make: Stage["make"] = (own) =>
          worktrees.make(
            { tag: "fix", directory: repository.main, branch: null, from: null, setup: null, parent: null, ...own },
            (line) => Effect.sync(() => void told.push(line))
          )
        const recordOf = (tag: string) =>
          Effect.map(worktrees.all, (all) => all.find((record) => record.tag === tag) ?? assert.fail("no record"))
        return yield* Effect.fnUntraced(use)({
          ...repository,
          worktrees,
          told,
          make,
          fails: (own) => Effect.map(Effect.flip(make(own)), ({ message }) => message),
          stays: (tag = "fix") =>
            Effect.gen(function* () {
              const record = yield* recordOf(tag)
              const error = yield* Effect.flip(worktrees.remove(record, []))
              assert.strictEqual(error.kind, "refused")
              assert.isTrue(fs.existsSync(record.path))
              assert.lengthOf(yield* worktrees.all, 1)
              return error.message
            }),
          records: Effect.map(worktrees.all, (all) => all.length)
        })
      }).pipe(Effect.provide(layer))
    },
    (repository) => Effect.sync(repository.end)
  )

/** Worktrees by a git that does this first at what begins with these words, on a system with these files. */
const brokenGit = Effect.fnUntraced(function* (
  at: Stage,
  words: string,
  files: Layer.Layer<OpenFiles> = OpenFilesNode.layer,
  first = "exit 128"
) {
  const bin = path.join(at.root, "home", "bin")
  const git = spawnSync("/bin/sh", ["-c", "command -v git"], { env: at.env, encoding: "utf8" }).stdout.trim()
  at.write(path.join(bin, "git"), `#!/bin/sh\ncase "$*" in "${words}"*) ${first};; esac\nexec ${git} "$@"\n`)
  fs.chmodSync(path.join(bin, "git"), 0o755)
  const layer = Layer.fresh(WorktreesGit.layer).pipe(
    Layer.provide([
      FileLockSqlite.layer,
      files,
      ProcessTableNode.layer,
      PathsXdg.layerFrom(at.env),
      SystemNode.layerWith({ version: "0", self: [], env: { ...at.env, PATH: `${bin}:${at.env["PATH"]}` } })
    ])
  )
  return yield* Effect.provide(Worktrees, layer)
})

const whole = (name: string, use: Parameters<typeof staged>[0]) => it.live(name, () => staged(use), testPatience)

/** What takes several repositories, or many steps. */
const long: typeof whole = (name, use) => it.live.runIf(isThorough)(name, () => staged(use), testPatience)

describe("a worktree that leap makes", () => {
  whole(
    "has a branch of the session's name beside the repository, and goes again with it, without a trace",
    function* (at) {
      const before = at.traces()
      const { record, reused } = yield* at.make()
      assert.isFalse(reused)
      assert.strictEqual(record.path, path.join(at.root, "proj.worktrees", "fix"))
      assert.strictEqual(at.git(record.path, "branch", "--show-current"), "fix\n")
      assert.strictEqual(fs.readFileSync(path.join(record.path, "a.txt"), "utf8"), "a\n")
      assert.strictEqual(at.git(record.path, "status", "--porcelain"), "")
      assert.deepStrictEqual(yield* at.worktrees.remove(record, []), { gone: false, branch: true, ignored: "" })
      assert.deepStrictEqual(at.traces(), before)
      assert.strictEqual(yield* at.records, 0)
    }
  )

  whole("is the session's own the next time", function* (at) {
    const { record } = yield* at.make()
    const again = yield* at.make({ directory: record.path })
    assert.isTrue(again.reused)
    assert.deepStrictEqual(again.record, record)
    assert.include(yield* at.fails({ branch: "other" }), "has a worktree already")
  })

  whole("of names with blanks and signs of other languages, begun elsewhere, inside another worktree", function* (at) {
    at.git(at.main, "commit", "-q", "--allow-empty", "-m", "second")
    const { record } = yield* at.make({
      branch: "größe/日本語",
      from: "HEAD~1",
      parent: path.join(at.root, "my rooms")
    })
    assert.strictEqual(record.path, path.join(at.root, "my rooms", "proj", "größe-日本語"))
    assert.strictEqual(at.git(record.path, "log", "--oneline").trim().split("\n").length, 1)
    // from within: beside the first one, not in it
    const inner = yield* at.make({ tag: "two", directory: record.path, parent: "rooms" })
    assert.strictEqual(inner.record.path, path.join(at.main, "rooms", "two"))
    assert.strictEqual(inner.record.main, at.main)
    // a name that is taken gets a number
    at.write(path.join(at.root, "proj.worktrees", "x-y", "mine"), "mine")
    assert.strictEqual(
      (yield* at.make({ tag: "three", branch: "x/y" })).record.path,
      path.join(at.root, "proj.worktrees", "x-y-2")
    )
  })

  whole("of a branch that is there stays a branch when it goes; one that is checked out is refused", function* (at) {
    at.git(at.main, "branch", "old")
    assert.include(yield* at.fails({ tag: "old" }), "there is a branch 'old' already")
    assert.include(yield* at.fails({ branch: "old", from: "main" }), "is there already")
    assert.include(yield* at.fails({ branch: "main" }), "is checked out in")
    assert.include(yield* at.fails({ branch: "old/new" }), "beside the branch 'old'")
    assert.include(yield* at.fails({ from: "nowhere" }), "is no commit here")
    assert.include(yield* at.fails({ from: "--help" }), "is no commit here")
    const { record } = yield* at.make({ branch: "old" })
    assert.isFalse(record.madeBranch)
    at.write(path.join(record.path, "b.txt"), "b")
    at.git(record.path, "add", ".")
    at.git(record.path, "commit", "-qm", "b")
    // its commits stay in the branch
    assert.deepStrictEqual(yield* at.worktrees.remove(record, []), { gone: false, branch: false, ignored: "" })
    assert.include(at.git(at.main, "log", "--oneline", "old"), "b")
  })

  long("of a remote's branch follows it", function* (at) {
    at.git(at.main, "branch", "feature")
    at.git(at.root, "clone", "-q", at.main, "clone")
    const clone = path.join(at.root, "clone")
    const config = fs.readFileSync(path.join(clone, ".git", "config"), "utf8")
    const { record } = yield* at.make({ directory: clone, branch: "feature" })
    assert.strictEqual(at.git(record.path, "rev-parse", "--abbrev-ref", "@{upstream}").trim(), "origin/feature")
    assert.deepStrictEqual(yield* at.worktrees.remove(record, []), { gone: false, branch: true, ignored: "" })
    assert.strictEqual(fs.readFileSync(path.join(clone, ".git", "config"), "utf8"), config)
  })

  long(
    "in a bare repository, with a detached HEAD, and none where there is no repository or no commit",
    function* (at) {
      at.git(at.root, "clone", "-q", "--bare", at.main, "bare.git")
      const bare = path.join(at.root, "bare.git")
      assert.strictEqual(
        (yield* at.make({ tag: "b", directory: bare })).record.path,
        path.join(at.root, "bare.worktrees", "b")
      )
      at.git(at.main, "checkout", "-q", "--detach")
      assert.isTrue(fs.existsSync((yield* at.make({ tag: "d" })).record.path))
      assert.include(yield* at.fails({ directory: at.root }), "needs a git repository")
      assert.include(yield* at.fails({ directory: path.join(at.main, ".git") }), "a directory of git's own")
      fs.mkdirSync(path.join(at.root, "new"))
      at.git(path.join(at.root, "new"), "init", "-q")
      assert.include(yield* at.fails({ directory: path.join(at.root, "new") }), "no commit yet")
      at.git(at.main, "submodule", "--quiet", "add", "-f", bare, "sub")
      assert.include(yield* at.fails({ directory: path.join(at.main, "sub") }), "submodule")
    }
  )

  it.live("is of the repository that the user is in, whatever the environment says", () =>
    staged(
      function* (at) {
        assert.strictEqual((yield* at.make()).record.common, path.join(at.main, ".git"))
      },
      { GIT_INDEX_FILE: "/dev/null/nowhere", GIT_DIR: "/dev/null/nowhere" }
    )
  )

  it.live("needs git", () =>
    staged(function* (at) {
      const none = Layer.fresh(WorktreesGit.layer).pipe(
        Layer.provide([
          FileLockSqlite.layer,
          OpenFilesNode.layer,
          ProcessTableNode.layer,
          PathsXdg.layerFrom(at.env),
          SystemNode.layerWith({ version: "0", self: [], env: { ...at.env, PATH: at.root } })
        ])
      )
      const request = { tag: "fix", directory: at.main, branch: null, from: null, setup: null, parent: null }
      const error = yield* Effect.flip(
        Effect.flatMap(Worktrees, ({ make }) => make(request, () => Effect.void)).pipe(Effect.provide(none))
      )
      assert.strictEqual(error.kind, "notInstalled")
      assert.include(error.message, "git")
    })
  )
})

describe.runIf(isThorough)("a branch's name", () => {
  whole("is taken where git takes it", function* (at) {
    return yield* Effect.sync(() => {
      const takes = (name: string): boolean =>
        spawnSync("git", ["check-ref-format", "--branch", name], { cwd: at.root, env: at.env }).status === 0
      assert.deepStrictEqual(
        goodBranches.filter((name) => !takes(name)),
        []
      )
      assert.deepStrictEqual(badBranches.filter(takes), [])
    })
  })
})

describe("what goes along", () => {
  whole(
    "is what .worktreeinclude names and git ignores, links as links; nothing is written outside of it",
    function* (at) {
      at.write(path.join(at.main, ".gitignore"), ".env*\ndata/\nconf\n")
      at.write(path.join(at.main, ".worktreeinclude"), ".env*\n!.env.old\ndata/**\nconf/\nplain.txt\n")
      at.git(at.main, "add", ".")
      at.git(at.main, "commit", "-qm", "lists")
      for (const name of [".env", ".env.old", "data/deep/x", "conf/secret", "plain.txt"])
        at.write(path.join(at.main, name), name)
      fs.symlinkSync("x", path.join(at.main, "data/deep/link"))
      fs.chmodSync(path.join(at.main, ".env"), 0o600)
      // on another branch, the directory is a link out of it
      const out = path.join(at.root, "out")
      fs.mkdirSync(out)
      at.git(at.main, "branch", "odd")
      const odd = path.join(at.root, "odd")
      at.git(at.main, "worktree", "add", "-q", odd, "odd")
      fs.symlinkSync(out, path.join(odd, "conf"))
      at.git(odd, "add", "-f", "conf")
      at.git(odd, "commit", "-qm", "odd")
      at.git(at.main, "worktree", "remove", odd)
      const { notes, record } = yield* at.make({ branch: "odd" })
      assert.deepStrictEqual(notes, ["3 files of .worktreeinclude copied"])
      const has = (name: string): boolean =>
        fs.lstatSync(path.join(record.path, name), { throwIfNoEntry: false }) !== undefined
      assert.isTrue(has(".env") && has("data/deep/x"))
      assert.strictEqual(fs.readlinkSync(path.join(record.path, "data/deep/link")), "x")
      assert.strictEqual(fs.statSync(path.join(record.path, ".env")).mode & 0o777, 0o600)
      assert.isFalse(has(".env.old") || has("plain.txt"))
      assert.deepStrictEqual(fs.readdirSync(out), [])
    }
  )

  whole("is the user's from then on: what was written since keeps the worktree", function* (at) {
    at.write(path.join(at.main, ".gitignore"), ".env\nbuild/\n")
    at.write(path.join(at.main, ".worktreeinclude"), ".env\n")
    at.git(at.main, "add", ".")
    at.git(at.main, "commit", "-qm", "lists")
    at.write(path.join(at.main, ".env"), "A=1")
    const { record } = yield* at.make()
    at.write(path.join(record.path, "build", "out"), "made again at any time")
    yield* Effect.sleep(20)
    at.write(path.join(record.path, ".env"), "A=2")
    assert.include(yield* at.stays(), "1 file of .worktreeinclude that was written since (.env)")
  })
})

describe("a setup", () => {
  long("runs in the worktree, and is told where it is", function* (at) {
    const { record } = yield* at.make({
      setup: 'echo "$LEAP_TAG $LEAP_WORKTREE_BRANCH $LEAP_WORKTREE_MAIN $PWD" > made'
    })
    assert.strictEqual(fs.readFileSync(path.join(record.path, "made"), "utf8"), `fix fix ${at.main} ${record.path}\n`)
    assert.deepStrictEqual(at.told.length, 1)
    // what it leaves running holds nothing up, and is not ended
    const { record: second } = yield* at.make({
      tag: "two",
      setup: "sleep 100 & echo $! > pid; yes | head -c 1000000"
    })
    const pid = Number(fs.readFileSync(path.join(second.path, "pid"), "utf8"))
    assert.isTrue(process.kill(pid, "SIGKILL"))
  })

  whole("that fails leaves neither worktree nor branch nor directory, whatever it wrote", function* (at) {
    const before = at.traces()
    assert.include(
      yield* at.fails({ setup: "sleep 100 & echo half > half; echo 'no such thing' >&2; exit 3" }),
      "code 3"
    )
    assert.include(at.told.join("\n"), "no such thing")
    assert.deepStrictEqual(at.traces(), before)
    assert.strictEqual(yield* at.records, 0)
    // a branch that was there stays
    at.git(at.main, "branch", "old")
    assert.include(yield* at.fails({ branch: "old", setup: "false" }), "code 1")
    assert.include(at.git(at.main, "branch"), "old")
    assert.isFalse(fs.existsSync(path.join(at.root, "proj.worktrees")))
  })

  whole("that fails leaves what somebody has worked in", function* (at) {
    const message = yield* at.fails({ setup: "echo mine >> a.txt; false" })
    assert.include(message, "stays: 1 changed file (a.txt)")
    assert.isTrue(fs.existsSync(path.join(at.root, "proj.worktrees", "fix", "a.txt")))
    assert.include(yield* at.stays(), "1 file with uncommitted changes (a.txt)")
    const other = yield* at.fails({ tag: "two", setup: "git commit -q --allow-empty -m x; false" })
    assert.include(other, "stays: it has commits of its own")
  })

  whole("that is cut off leaves nothing, and none of its processes", function* (at) {
    const before = at.traces()
    const started = path.join(at.root, "home", "started")
    const fiber = yield* Effect.forkChild(at.make({ setup: `echo $$ > ${started}; sleep 100` }))
    while (!fs.existsSync(started) || fs.readFileSync(started, "utf8") === "") yield* Effect.sleep(10)
    yield* Fiber.interrupt(fiber)
    const pid = Number(fs.readFileSync(started, "utf8"))
    fs.rmSync(started)
    assert.deepStrictEqual(at.traces(), before)
    assert.throws(() => process.kill(pid, 0))
  })

  long("or a copy, or any step of git's that fails leaves nothing", function* (at) {
    at.write(path.join(at.main, ".gitignore"), ".env\n")
    at.write(path.join(at.main, ".worktreeinclude"), ".env\n")
    at.git(at.main, "add", ".")
    at.git(at.main, "commit", "-qm", "lists")
    at.write(path.join(at.main, ".env"), "A=1")
    const before = at.traces()
    const request = { tag: "fix", directory: at.main, branch: null, from: null, setup: null, parent: null }
    for (const asked of [
      "ls-files",
      "check-ignore",
      "worktree add",
      "branch",
      "rev-parse --path-format=absolute --git-dir"
    ]) {
      const broken = yield* brokenGit(at, asked)
      yield* Effect.flip(broken.make(request, () => Effect.void))
      assert.deepStrictEqual(at.traces(), before, asked)
      assert.strictEqual(yield* at.records, 0, asked)
    }
  })

  whole("is told why a hook of git's forbids its branch, or lets it not go", function* (at) {
    const { record } = yield* at.make()
    const hook = path.join(at.main, ".git", "hooks", "reference-transaction")
    at.write(hook, '#!/bin/sh\n[ "$1" != prepared ] || { echo "branches are the bot\'s" >&2; exit 1; }\n')
    fs.chmodSync(hook, 0o755)
    const forbidden = yield* at.fails({ tag: "other", branch: "other" })
    assert.match(forbidden, /^git does not make the branch 'other': branches are the bot's \(.*hook\)/)
    const removed = yield* at.worktrees.remove(record, [])
    assert.isFalse(removed.branch)
    assert.include(removed.branchKept, "branches are the bot's")
  })

  whole("of a hook of git's that fails leaves nothing either", function* (at) {
    const hook = path.join(at.main, ".git", "hooks", "post-checkout")
    at.write(hook, "#!/bin/sh\nexit 1\n")
    fs.chmodSync(hook, 0o755)
    const before = at.traces()
    assert.include(yield* at.fails(), "git does not make the worktree")
    assert.deepStrictEqual(at.traces(), before)
  })
})

/** A file of a name that is no UTF-8. */
const garbledIn = (place: string): Buffer => Buffer.concat([Buffer.from(path.join(place, "f")), Buffer.from([0xe9])])

describe("a worktree stays while it has", () => {
  const cases: ReadonlyArray<readonly [what: string, spoil: (at: Stage, place: string) => void, says: string]> = [
    ["changes", (at, place) => at.write(path.join(place, "a.txt"), "b"), "1 file with uncommitted changes (a.txt)"],
    [
      "a staged file",
      (at, place) => {
        at.write(path.join(place, "b"), "b")
        at.git(place, "add", "b")
      },
      "1 file with uncommitted changes (b)"
    ],
    [
      "untracked files that the user's settings hide",
      (at, place) => {
        at.git(at.main, "config", "status.showUntrackedFiles", "no")
        at.write(path.join(place, "new", "n"), "b")
      },
      "1 untracked file (new/n)"
    ],
    [
      "a change that git was told not to see",
      (at, place) => {
        at.git(place, "update-index", "--assume-unchanged", "a.txt")
        at.write(path.join(place, "a.txt"), "b")
      },
      "told not to look at (a.txt)"
    ],
    [
      "a change that git was told not to see, in a file whose name is no UTF-8",
      (at, place) => {
        fs.writeFileSync(garbledIn(place), "b")
        at.git(place, "add", "-A")
        at.git(place, "commit", "-qm", "b")
        at.git(at.main, "merge", "-q", "fix")
        at.git(
          at.main,
          "config",
          "alias.hide",
          "!git ls-files -z ':!a.txt' | git update-index --assume-unchanged -z --stdin"
        )
        at.git(place, "hide")
        fs.writeFileSync(garbledIn(place), "c")
      },
      "1 file that git was told not to look at"
    ],
    [
      "a file of .worktreeinclude whose name is no UTF-8",
      (at, place) => {
        at.write(path.join(at.main, ".git", "info", "exclude"), "f*\n.worktreeinclude\n")
        at.write(path.join(place, ".worktreeinclude"), "f*\n")
        fs.writeFileSync(garbledIn(place), "b")
      },
      "1 file of .worktreeinclude that was written since"
    ],
    [
      "commits that only a reference of its own names",
      (at, place) => {
        at.git(place, "checkout", "-q", "--detach")
        at.git(place, "commit", "-q", "--allow-empty", "-m", "x")
        at.git(place, "update-ref", "refs/worktree/kept", "HEAD")
        at.git(place, "checkout", "-q", "fix")
      },
      "1 commit neither merged nor pushed"
    ],
    [
      "a repository within, in a directory that git ignores",
      (at, place) => {
        at.write(path.join(at.main, ".git", "info", "exclude"), "/out/\n")
        at.git(place, "init", "-q", "out/inner")
      },
      "1 repository within, which may hold commits (out/inner/)"
    ],
    [
      "commits that are nowhere else",
      (at, place) => at.git(place, "commit", "-q", "--allow-empty", "-m", "x"),
      "1 commit neither merged nor pushed"
    ],
    [
      "commits on no branch",
      (at, place) => {
        at.git(place, "checkout", "-q", "--detach")
        at.git(place, "commit", "-q", "--allow-empty", "-m", "x")
      },
      "1 commit neither merged nor pushed"
    ],
    [
      "work that was done and undone",
      (at, place) => {
        at.write(path.join(place, "a.txt"), "b")
        at.git(place, "commit", "-qam", "b")
        at.git(place, "revert", "--no-edit", "HEAD")
      },
      "2 commits neither merged nor pushed"
    ],
    [
      "a merge that is not finished",
      (at, place) => {
        at.write(path.join(at.main, "a.txt"), "c")
        at.git(at.main, "commit", "-qam", "c")
        at.git(place, "merge", "-q", "--no-commit", "--no-ff", "main")
      },
      "a merge that is not finished"
    ],
    [
      "a lock",
      (at, place) => at.git(at.main, "worktree", "lock", "--reason", "on a stick", place),
      "it is locked (on a stick)"
    ],
    [
      "another worktree within, which git is told to ignore",
      (at, place) => {
        at.write(path.join(at.main, ".git", "info", "exclude"), "/inner/\n")
        at.git(place, "worktree", "add", "-q", path.join(place, "inner"), "-b", "inner")
        at.write(path.join(place, "inner", "work"), "not committed")
      },
      "inner in it uses it"
    ],
    ["a repository within", (at, place) => at.git(place, "init", "-q", "inner"), "untracked"],
    [
      "another identity",
      (at, place) => {
        at.git(at.main, "worktree", "remove", place)
        at.git(at.main, "worktree", "add", "-q", place, "fix")
      },
      "not the one that leap made any more"
    ],
    [
      "become a directory of files",
      (_, place) => {
        fs.rmSync(path.join(place, ".git"))
      },
      "not the one that leap made any more"
    ],
    [
      "an index that cannot be read",
      (at, place) =>
        at.write(at.git(place, "rev-parse", "--path-format=absolute", "--git-path", "index").trim(), "damaged"),
      "cannot be told"
    ]
  ]
  // each takes a repository: npm test tries every third, test:thorough all
  for (const [what, spoil, says] of cases.filter((_, i) => isThorough || i % 3 === 0)) {
    whole(what, function* (at) {
      const { record } = yield* at.make()
      spoil(at, record.path)
      assert.include(yield* at.stays(), says)
    })
  }

  whole(
    "a submodule that was touched stays and is named with the way out; one that is as it was filled goes",
    function* (at) {
      // a submodule with one of its own, each with a tag that no branch of its remote has
      const remoteOf = (name: string) => {
        const dir = path.join(at.root, name)
        fs.mkdirSync(dir)
        at.git(dir, "init", "-q")
        at.write(path.join(dir, "lib.txt"), name)
        at.git(dir, "add", ".")
        at.git(dir, "commit", "-qm", name)
        at.git(dir, "checkout", "-q", "--detach")
        at.git(dir, "commit", "-q", "--allow-empty", "-m", "release")
        at.git(dir, "tag", "v1")
        at.git(dir, "checkout", "-q", "-")
        return dir
      }
      const [inner, outer] = [remoteOf("inner"), remoteOf("outer")]
      at.git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "in")
      at.git(outer, "commit", "-qm", "in")
      at.git(at.main, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", outer, "lib")
      at.git(at.main, "commit", "-qm", "lib")
      const setup = "git -c protocol.file.allow=always submodule --quiet update --init --recursive"
      const { record } = yield* at.make({ setup })
      const lib = path.join(record.path, "lib")
      const nested = path.join(lib, "in")
      const tags = path.join(at.git(lib, "rev-parse", "--absolute-git-dir").trim(), "refs/tags")
      const commit = (dir: string) => at.git(dir, "commit", "-q", "--allow-empty", "-m", "x")
      const back = (dir: string) => at.git(dir, "checkout", "-q", "--detach", "HEAD~1")
      const spoils: ReadonlyArray<readonly [says: string, spoil: () => void, undo: () => void]> = [
        ["submodule lib with 1 commit that no remote", () => commit(lib), () => back(lib)],
        [
          "submodule lib with 1 commit that no remote",
          () => {
            at.git(lib, "checkout", "-q", "-b", "own")
            commit(lib)
            back(lib)
          },
          () => at.git(lib, "branch", "-qD", "own")
        ],
        [
          "submodule lib with 2 commits that no remote",
          () => {
            at.write(path.join(lib, "lib.txt"), "stashed")
            at.git(lib, "stash", "-q")
          },
          () => at.git(lib, "stash", "drop", "-q")
        ],
        [
          "submodule lib/in with 1 changed file (lib.txt)",
          () => at.write(path.join(nested, "lib.txt"), "mine"),
          () => at.git(nested, "checkout", "-q", "--", "lib.txt")
        ],
        [
          "submodule lib/in with 1 commit that no remote",
          () => {
            commit(nested)
            at.git(nested, "tag", "mine")
            back(nested)
          },
          () => at.git(nested, "tag", "-d", "mine")
        ],
        [
          "submodule lib with more that cannot be told",
          () => {
            fs.renameSync(tags, `${tags}.kept`)
            fs.symlinkSync("tags", tags)
          },
          () => fs.renameSync(`${tags}.kept`, (fs.rmSync(tags), tags))
        ]
      ]
      for (const [says, spoil, undo] of spoils) {
        spoil()
        const why = yield* at.stays()
        assert.include(why, says)
        assert.include(why, "'git worktree remove --force'")
        undo()
      }
      assert.isTrue(fs.existsSync(path.join(record.path, "lib", "in", "lib.txt")))
      assert.isTrue((yield* at.worktrees.remove(record, [])).branch)
      assert.isFalse(fs.existsSync(record.path))
    }
  )

  long("commits in a branch of any name that git takes", function* (at) {
    // a tag of what is no commit is none of the places where commits are kept
    at.git(at.main, "tag", "blob", at.git(at.main, "rev-parse", "HEAD:a.txt").trim())
    at.git(at.main, "tag", "-a", "-m", "annotated", "v1")
    for (const [i, branch] of ["a/b", "größe/日本語", "x{y}'z", "#1"].entries()) {
      const { record } = yield* at.make({ tag: `t${i}`, branch })
      at.git(record.path, "commit", "-q", "--allow-empty", "-m", `commit ${i}`)
      const error = yield* Effect.flip(at.worktrees.remove(record, []))
      assert.include(error.message, "1 commit neither merged nor pushed")
      at.git(record.path, "tag", `kept${i}`)
      assert.isTrue((yield* at.worktrees.remove(record, [])).branch)
    }
  })

  long("anything that git does not tell", function* (at) {
    at.write(path.join(at.main, ".gitignore"), ".env\n")
    at.write(path.join(at.main, ".worktreeinclude"), ".env\n")
    at.git(at.main, "add", ".")
    at.git(at.main, "commit", "-qm", "lists")
    at.write(path.join(at.main, ".env"), "A=1")
    const { record } = yield* at.make()
    const before = at.traces()
    const asks = ["worktree list", "status", "ls-files -v", "ls-files --stage", "ls-files -z", "check-ignore"]
    for (const asked of [...asks, "for-each-ref", "rev-list", "rev-parse --verify --quiet HEAD", "worktree remove"]) {
      const broken = yield* brokenGit(at, asked)
      const error = yield* Effect.flip(broken.remove(record, []))
      assert.strictEqual(error.kind, "refused", asked)
      assert.deepStrictEqual(at.traces(), before, asked)
    }
    assert.isTrue((yield* at.worktrees.remove(record, [])).branch)
  })

  whole("a process or a session in it", function* (at) {
    const { record } = yield* at.make()
    const error = yield* Effect.flip(at.worktrees.remove(record, ["session 'two'"]))
    assert.include(error.message, "session 'two' uses it")
    // where the system does not tell, nobody is not said
    const blind = yield* brokenGit(at, "nothing", Layer.mock(OpenFiles, { workers: () => Effect.succeed(null) }))
    for (const one of [record, { ...record, readyAt: null, maker: 2 ** 22 + 1 }])
      assert.include((yield* Effect.flip(blind.remove(one, []))).message, "stays: what uses it cannot be told")
    assert.isTrue(fs.existsSync(record.path))
  })

  whole("what was written when what git ignores had been told already", function* (at) {
    const { record } = yield* at.make()
    at.write(path.join(at.main, ".git", "info", "exclude"), ".env\n")
    at.write(path.join(record.path, ".env"), "A=1")
    const agreed = (yield* Effect.flip(at.worktrees.remove(record, [], null))).losses?.id
    assert.isString(agreed)
    const late = path.join(record.path, "late.txt")
    const raced = yield* brokenGit(at, "worktree remove", OpenFilesNode.layer, `touch '${late}'`)
    assert.include((yield* Effect.flip(raced.remove(record, [], agreed))).message, "git does not remove it")
    fs.rmSync(late)
    assert.strictEqual((yield* at.worktrees.remove(record, [], agreed)).ignored, ".env")
  })
})

describe("a worktree goes", () => {
  long("when its commits are merged, pushed or were merged as one", function* (at) {
    const work = (place: string, name: string): void => {
      at.write(path.join(place, name), name)
      at.git(place, "add", ".")
      at.git(place, "commit", "-qm", name)
    }
    const merged = yield* at.make({ tag: "merged" })
    work(merged.record.path, "m")
    at.git(at.main, "merge", "-q", "merged")
    assert.isTrue((yield* at.worktrees.remove(merged.record, [])).branch)

    at.git(at.root, "clone", "-q", "--bare", at.main, "remote.git")
    at.git(at.main, "remote", "add", "origin", path.join(at.root, "remote.git"))
    const pushed = yield* at.make({ tag: "pushed" })
    work(pushed.record.path, "p")
    at.git(pushed.record.path, "push", "-q", "origin", "pushed")
    assert.isTrue((yield* at.worktrees.remove(pushed.record, [])).branch)

    const squashed = yield* at.make({ tag: "squashed" })
    work(squashed.record.path, "s1")
    work(squashed.record.path, "s2")
    at.git(at.main, "merge", "-q", "--squash", "squashed")
    at.git(at.main, "commit", "-qm", "all in one")
    work(at.main, "later")
    assert.isTrue((yield* at.worktrees.remove(squashed.record, [])).branch)
  })

  long("though somebody else has removed it already; its branch goes only where nothing is lost", function* (at) {
    const { record } = yield* at.make()
    at.git(record.path, "commit", "-q", "--allow-empty", "-m", "x")
    at.git(at.main, "worktree", "remove", record.path)
    assert.deepStrictEqual(yield* at.worktrees.remove(record, []), { gone: true, branch: false, ignored: "" })
    assert.include(at.git(at.main, "branch"), "fix")
    const again = yield* at.make({ branch: "fix" })
    assert.isFalse(again.record.madeBranch)
  })

  whole("not while it, or its repository, cannot be looked at: what is hidden is not gone", function* (at) {
    const { record } = yield* at.make()
    /** Of what stands there now nobody can say anything: a link that leads to itself, as a share that is away. */
    const hide = (place: string) => {
      fs.renameSync(place, `${place}.away`)
      fs.symlinkSync(place, place)
      return () => {
        fs.unlinkSync(place)
        fs.renameSync(`${place}.away`, place)
      }
    }
    const refused = Effect.map(Effect.flip(at.worktrees.remove(record, [])), ({ message }) => message)
    const shown = [hide(at.main)]
    assert.include(yield* refused, "its repository cannot be looked at now")
    if (fs.existsSync(record.path)) shown.push(hide(path.dirname(record.path)))
    assert.include(yield* refused, "its repository cannot be looked at now")
    assert.strictEqual(yield* at.records, 1)
    for (const show of shown.toReversed()) show()
    assert.deepStrictEqual(yield* at.worktrees.remove(record, []), { gone: false, branch: true, ignored: "" })
  })

  long("without what others made beside it", function* (at) {
    const { record } = yield* at.make()
    at.write(path.join(at.root, "proj.worktrees", "notes"), "mine")
    at.write(path.join(at.main, ".git", "info", "exclude"), "node_modules/\n*.log\n")
    at.write(path.join(record.path, "node_modules", "x", "y"), "")
    at.write(path.join(record.path, "a.log"), "")
    assert.strictEqual((yield* at.worktrees.remove(record, [])).ignored, "a.log, node_modules/")
    assert.deepStrictEqual(fs.readdirSync(path.join(at.root, "proj.worktrees")), ["notes"])
  })
})

describe("several at a time", () => {
  long("get one branch once, and one session one worktree", function* (at) {
    const both = yield* Effect.all(
      [at.make({ tag: "a", branch: "x" }), at.make({ tag: "b", branch: "x" })].map(Effect.result),
      { concurrency: 2 }
    )
    assert.lengthOf(both.filter(Result.isSuccess), 1)
    // The setup of the one ends once the other has been refused, whatever the machine is busy with.
    const refused = path.join(at.root, "refused")
    const setup = `for i in $(seq 200); do [ -e '${refused}' ] && exit 0; sleep 0.1; done; exit 1`
    const make = Effect.tapError(at.make({ setup }), () => Effect.sync(() => at.write(refused, "")))
    const one = yield* Effect.all([Effect.result(make), Effect.result(make)], { concurrency: 2 })
    const failures = one.flatMap((result) => (Result.isFailure(result) ? [result.failure.message] : []))
    assert.lengthOf(failures, 1)
    assert.include(failures[0], "is being made by process")
  })
})

describe("what a leap left behind that was killed", () => {
  whole("stays while git is at it still, and while the user has written in files that were copied", function* (at) {
    at.write(path.join(at.main, ".git", "info", "exclude"), ".env\n.worktreeinclude\n")
    at.write(path.join(at.main, ".worktreeinclude"), ".env\n")
    at.write(path.join(at.main, ".env"), "A=1")
    const { record } = yield* at.make()
    const dead = { ...record, readyAt: null, maker: 2 ** 22 + 1 }
    at.write(path.join(record.path, ".env"), "A=2")
    const kept = yield* Effect.flip(at.worktrees.remove(dead, []))
    assert.include(kept.message, "1 file of .worktreeinclude that is not the copied one (.env)")
    at.write(path.join(record.path, ".env"), "A=1")
    at.write(path.join(record.admin ?? "", "locked"), "initializing")
    const git = spawn("sleep", ["60"], { cwd: record.path })
    const used = yield* Effect.flip(at.worktrees.remove({ ...dead, admin: null }, []))
    assert.include(used.message, `process ${git.pid} (sleep) uses it`)
    assert.isTrue(fs.existsSync(path.join(record.path, "a.txt")))
    git.kill("SIGKILL")
    // the number of the one that died is another process's by now
    assert.isString(record.makerBirth)
    yield* at.worktrees.remove({ ...dead, admin: null, maker: process.ppid }, [])
    assert.isFalse(fs.existsSync(record.path))
  })

  long("goes when the session gets its worktree, unless somebody has used it", function* (at) {
    const { record } = yield* at.make()
    const file = path.join(at.root, "leap", "worktrees", `${record.id}.json`)
    const half = { schema: 1, worktree: { ...record, readyAt: null, maker: 2 ** 22 + 1 } }
    at.write(file, JSON.stringify(half))
    at.write(path.join(record.path, "found.txt"), "the user's")
    assert.include(yield* at.fails(), "cannot go: 1 changed file (found.txt)")
    fs.rmSync(path.join(record.path, "found.txt"))
    const { record: next } = yield* at.make()
    assert.notStrictEqual(next.id, record.id)
    assert.strictEqual(next.path, record.path)
    // git was killed while it made it
    const half2 = { schema: 1, worktree: { ...next, admin: null, readyAt: null, maker: 2 ** 22 + 1 } }
    at.write(path.join(at.root, "leap", "worktrees", `${next.id}.json`), JSON.stringify(half2))
    fs.rmSync(path.join(next.path, "a.txt"))
    at.write(path.join(next.admin ?? "", "locked"), "initializing")
    assert.isFalse((yield* at.make()).reused)
    // or it goes with the session
    const last = (yield* at.worktrees.all).find(({ tag }) => tag === "fix") ?? assert.fail("no record")
    const half3 = { ...last, readyAt: null, maker: 2 ** 22 + 1 }
    at.write(path.join(last.path, "found.txt"), "the user's")
    assert.include((yield* Effect.flip(at.worktrees.remove(half3, []))).message, "stays: 1 changed file (found.txt)")
    fs.rmSync(path.join(last.path, "found.txt"))
    assert.deepStrictEqual(yield* at.worktrees.remove(half3, []), { gone: false, branch: true, ignored: "" })
    // a leap that lives makes one
    at.write(
      file,
      JSON.stringify({ ...half, worktree: { ...half.worktree, tag: "two", maker: process.ppid, makerBirth: null } })
    )
    assert.include(yield* at.fails({ tag: "two" }), "is being made by process")
  })
})

describe("what a leap left behind that was killed before git had begun with the worktree", () => {
  /** The record as it was on the disk at that moment. */
  const cutOff = Effect.fnUntraced(function* (at: Stage) {
    const { record } = yield* at.make()
    const file = path.join(at.root, "leap", "worktrees", `${record.id}.json`)
    yield* at.worktrees.remove(record, [])
    const worktree = { ...record, admin: null, readyAt: null, madeBranch: false, maker: 2 ** 22 + 1 }
    at.write(file, JSON.stringify({ schema: 1, worktree }))
    return { record, file }
  })

  whole("goes with its branch and its empty directory: the same command makes it", function* (at) {
    const { record } = yield* cutOff(at)
    assert.deepStrictEqual([record.makesBranch, record.directories.length], [true, 1])
    // between the directories
    fs.rmSync(path.dirname(record.path), { recursive: true, force: true })
    assert.strictEqual((yield* at.make()).record.path, record.path)
    yield* at.worktrees.remove((yield* at.worktrees.all)[0]!, [])
    assert.isFalse(fs.existsSync(path.dirname(record.path)))
    // behind the branch
    yield* cutOff(at)
    fs.mkdirSync(record.path, { recursive: true })
    at.git(at.main, "branch", "fix")
    const next = yield* at.make()
    assert.deepStrictEqual([next.record.path, next.record.madeBranch], [record.path, true])
    assert.strictEqual(yield* at.records, 1)
  })

  whole("stays where somebody has worked on its branch", function* (at) {
    yield* cutOff(at)
    at.git(at.main, "branch", "fix")
    at.git(at.main, "commit", "-q", "--allow-empty", "-m", "x")
    at.git(at.main, "branch", "-f", "fix", "HEAD")
    assert.include(yield* at.fails(), "there is a branch 'fix' already")
    assert.include(at.git(at.main, "branch"), "fix")
  })

  whole("what was begun of a record goes, unless a leap may still be at it", function* (at) {
    const [old, young] = ["old", "young"].map((name) => path.join(at.root, "leap", "worktrees", `${name}.json.new`))
    for (const file of [old!, young!]) at.write(file, "{")
    fs.utimesSync(old!, 1, 1)
    yield* at.make()
    assert.deepStrictEqual([fs.existsSync(old!), fs.existsSync(young!)], [false, true])
  })
})
