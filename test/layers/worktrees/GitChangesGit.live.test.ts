import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { listMost } from "../../../src/domain/store/worktrees/Changes.ts"
import { type Moment, moments } from "../../../src/domain/store/worktrees/moments.ts"
import { snapshotMost } from "../../../src/domain/store/worktrees/Snapshot.ts"
import { changesText } from "../../../src/domain/store/worktrees/changesText.ts"
import { patchFiles } from "../../../src/domain/store/worktrees/patchLines.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import * as GitChangesLazy from "../../../src/layers/worktrees/GitChangesLazy.ts"
import { runProgram } from "../../../src/layers/worktrees/git.ts"
import { GitChanges } from "../../../src/services/GitChanges.ts"
import { live } from "../../support/run/effects.ts"

/** A repository with one commit, and what else is at hand there. */
const repository = Effect.acquireRelease(
  Effect.sync(() => {
    const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-changes-test-")))
    const top = path.join(dir, "work")
    const env = { PATH: process.env["PATH"] ?? "", HOME: dir, GIT_CONFIG_NOSYSTEM: "1", LANG: "C.UTF-8" }
    const git = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: top, env, encoding: "utf8" })
    const write = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(path.join(top, name)), { recursive: true })
      fs.writeFileSync(path.join(top, name), text)
    }
    fs.mkdirSync(top)
    git("init", "-q", "-b", "main")
    write("kept.txt", "one\ntwo\nthree\n")
    write("gone.txt", "away\n")
    write("moved.txt", "a long line that stays\nanother one that stays\nand a third\n")
    write(".gitignore", "ignored\n")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    const layer = GitChangesLazy.layer.pipe((own) => Effect.provide(GitChanges, own))
    const asked = <A, E>(ask: (changes: GitChanges["Service"]) => Effect.Effect<A, E>) =>
      layer.pipe(Effect.flatMap(ask), Effect.provide(SystemNode.layerWith({ version: "0", self: [], env })))
    const place = path.join(dir, "snapshots")
    /** Notes a moment; `ago`: how many milliseconds ago it was. */
    const note = (moment: Moment, directory = top, ago = 0) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        asked((changes) => changes.note(directory, place, moment, now - ago))
      )
    const count = (directory = top) => asked((changes) => changes.count(directory))
    /** What has changed; since the last commit it is as many files as are counted. */
    const look = Effect.fnUntraced(function* (directory = top, against: string | null = null) {
      const found = yield* asked((changes) => changes.look(directory, against, place))
      if (against === null && /^the (?:last commit|beginning)$/.test(found.against.name))
        assert.strictEqual(yield* count(directory), found.files.length + found.unlisted)
      return found
    })
    return { count, dir, env, git, look, note, place, top, write }
  }),
  ({ dir }) => Effect.sync(() => fs.rmSync(dir, { recursive: true, force: true }))
)

const files = (changes: { readonly files: ReadonlyArray<object> }) =>
  changes.files.map((file) => Object.values(file).map(String).join(" ")).sort()

describe("what a work tree has that a commit has not", () => {
  live("is what differs, staged or not, and files that git does not know yet; git's own index stays", function* () {
    const { git, look, top, write } = yield* repository
    const clean = yield* look()
    assert.deepStrictEqual([clean.files, clean.patch, clean.directory], [[], "", top])
    assert.match(changesText(clean), /^nothing differs from the last commit \([\da-f]{7}\)$/)
    write("kept.txt", "one\n2\nthree\n")
    write("sub/new file.txt", "fresh\n")
    write("ignored", "x")
    write("picture.bin", "\0\x01\x02")
    git("mv", "moved.txt", "elsewhere.txt")
    git("rm", "-q", "gone.txt")
    const index = () => fs.readFileSync(path.join(top, ".git/index")).toString("hex")
    const before = index()
    const found = yield* look(path.join(top, "sub"))
    assert.deepStrictEqual(files(found), [
      "elsewhere.txt moved.txt renamed 0 0",
      "gone.txt null removed 0 1",
      "kept.txt null changed 1 1",
      "picture.bin null added null null",
      "sub/new file.txt null added 1 0"
    ])
    assert.deepStrictEqual(
      patchFiles(found.patch).map(({ added, name, removed }) => `${name} ${added} ${removed}`),
      ["elsewhere.txt 0 0", "gone.txt 0 1", "kept.txt 1 1", "picture.bin 0 0", "sub/new file.txt 1 0"]
    )
    assert.strictEqual(index(), before)
    assert.include(changesText(found), "5 files differ from the last commit")
    assert.include(changesText(found), "R moved.txt → elsewhere.txt  +0 −0")
    assert.include(changesText(found), "-two\n+2\n")
    assert.include(changesText(found, true), "\u001b[31m-two\u001b[0m\n\u001b[32m+2\u001b[0m\n three")
  })

  live("is told from another commit, and in a worktree from where it left the main one's branch", function* () {
    const { dir, git, look, top, write } = yield* repository
    git("worktree", "add", "-q", "-b", "side", path.join(dir, "side"))
    fs.writeFileSync(path.join(dir, "side/side.txt"), "side\n")
    execFileSync("git", ["add", "."], { cwd: path.join(dir, "side") })
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "side"], {
      cwd: path.join(dir, "side")
    })
    write("later.txt", "later\n")
    git("add", ".")
    git("commit", "-q", "-m", "second")
    const side = yield* look(path.join(dir, "side"))
    assert.deepStrictEqual([side.against.name, files(side)], ["main", ["side.txt null added 1 0"]])
    const since = yield* look(top, "HEAD~1")
    assert.deepStrictEqual([since.against.name, files(since)], ["HEAD~1", ["later.txt null added 1 0"]])
    for (const none of ["nothing", "--output=x", "-h", ""])
      assert.include((yield* Effect.flip(look(top, none))).message, "there is no commit", none)
    assert.include((yield* Effect.flip(look(dir))).message, "is in no git work tree")
  })

  live("has no number where git tells none, and 0 only where it is that", function* () {
    const { dir, env, git, look } = yield* repository
    const side = path.join(dir, "side")
    git("worktree", "add", "-q", "-b", "side", side)
    const none = { branch: "side", base: "main", uncommitted: 0, ahead: 0, behind: 0 }
    assert.deepStrictEqual((yield* look(side)).worktree, none)
    const bin = path.join(dir, "bin")
    fs.mkdirSync(bin)
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { env, encoding: "utf8" }).trim()
    const broken = `#!/bin/sh\ncase "$*" in *" status "*|*" rev-list "*) exit 128;; esac\nexec ${real} "$@"\n`
    fs.writeFileSync(path.join(bin, "git"), broken, { mode: 0o755 })
    env.PATH = `${bin}:${env.PATH}`
    assert.deepStrictEqual((yield* look(side)).worktree, { ...none, uncommitted: null, ahead: null, behind: null })
  })

  live("names a repository within it that git does not know, and does not look into it", function* () {
    const { env, look, top, write } = yield* repository
    for (const name of ["lib", "wörter x"]) {
      fs.mkdirSync(path.join(top, name))
      execFileSync("git", ["init", "-q"], { cwd: path.join(top, name), env })
      write(`${name}/inner.txt`, "1\n")
    }
    write("new.txt", "1\n")
    const found = yield* look(top)
    const of = (name: string) => `${name}/ null added null null`
    assert.deepStrictEqual([files(found), found.unshown], [[of("lib"), "new.txt null added 1 0", of("wörter x")], 0])
    assert.include(changesText(found), "3 files differ from")
    assert.include(changesText(found), "A wörter x/  a repository of its own\n")
    assert.notInclude(changesText(found), "inner")
  })

  live("is everything where nothing is committed yet", function* () {
    const { dir, env, look } = yield* repository
    const bare = path.join(dir, "bare")
    fs.mkdirSync(bare)
    execFileSync("git", ["init", "-q"], { cwd: bare, env })
    fs.writeFileSync(path.join(bare, "a\nb.txt"), "1\n")
    const found = yield* look(bare)
    assert.deepStrictEqual(found.against, { name: "the beginning", commit: null })
    assert.deepStrictEqual(files(found), ["a\nb.txt null added 1 0"])
    assert.include(changesText(found), "A a\\nb.txt  +1 −0")
    fs.writeFileSync(Buffer.from(`${bare}/\xff"é`, "latin1"), "1\n")
    const more = yield* look(bare)
    assert.deepStrictEqual(files(more), ["a\nb.txt null added 1 0", '\ufffd"\ufffd null added 1 0'])
    assert.strictEqual(more.unshown, 1)
  })

  live("is listed up to a bound, and its patch is cut between files; what is left out is counted", function* () {
    const { look, write } = yield* repository
    for (let n = 0; n < listMost + 5; n++) write(`many/${String(n).padStart(4, "0")}.txt`, "x\n")
    write("aaa.txt", `${"y".repeat(600_000)}\n`)
    write("bbb.txt", `${"z".repeat(600_000)}\n`)
    const found = yield* look()
    assert.deepStrictEqual([found.files.length, found.unlisted], [listMost, 7])
    assert.isBelow(found.patch.length, 1 << 20)
    assert.strictEqual(patchFiles(found.patch).length + found.unshown, listMost + 7)
    assert.include(changesText(found), "… and 7 files more")
  })

  live("runs nothing that the repository names, and shows its text as a terminal may", function* () {
    const { dir, env, git, look, note, top, write } = yield* repository
    const ran = path.join(dir, "ran")
    const program = path.join(dir, "evil.sh")
    fs.writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> "${ran}"\ncat\n`)
    fs.chmodSync(program, 0o755)
    write(".gitattributes", "*.txt diff=evil filter=evil\n*.bin diff=evil\n")
    write("kept.txt", "one\n\u001b[31mred\u202e\nthree\n")
    write("fresh.txt", "new\n")
    for (const name of [
      "core.fsmonitor",
      "diff.external",
      "diff.evil.command",
      "diff.evil.textconv",
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "core.pager",
      "core.editor",
      "core.sshCommand"
    ])
      git("config", name, program)
    git("config", "filter.evil.required", "true")
    git("config", "core.hooksPath", dir)
    for (const hook of ["post-index-change", "reference-transaction", "post-checkout"])
      fs.copyFileSync(program, path.join(dir, hook))
    // a git that knows hooks by name runs them unless they are turned off
    git("config", "hook.evil.event", "post-index-change")
    git("config", "hook.evil.command", program)
    const bin = path.join(dir, "bin")
    fs.mkdirSync(bin)
    const real = execFileSync("/bin/sh", ["-c", "command -v git"], { env, encoding: "utf8" }).trim()
    const newer =
      `#!/bin/sh\ncase "$*" in config*|*rev-parse*|*"-c hook.evil.enabled=false"*) ;; ` +
      `*) echo hook >> "${ran}";; esac\nexec ${real} "$@"\n`
    fs.writeFileSync(path.join(bin, "git"), newer, { mode: 0o755 })
    env.PATH = `${bin}:${env.PATH}`
    const untouched = contentOf(path.join(top, ".git"))
    yield* note(":turn")
    assert.isFalse(fs.existsSync(ran), fs.existsSync(ran) ? fs.readFileSync(ran, "utf8") : "")
    assert.deepStrictEqual(files(yield* look(top, ":turn")), [])
    const found = yield* look()
    assert.isFalse(fs.existsSync(ran), fs.existsSync(ran) ? fs.readFileSync(ran, "utf8") : "")
    assert.deepStrictEqual(contentOf(path.join(top, ".git")), untouched)
    assert.deepStrictEqual(files(found).slice(0, 2), [".gitattributes null added 2 0", "fresh.txt null added 1 0"])
    assert.include(changesText(found), "+[31mred\n")
    assert.notMatch(changesText(found), /[\u001b\u202e]/)
    assert.strictEqual(found.directory, top)
  })

  live("has a submodule's commit, and runs nothing that the submodule's own settings name", function* () {
    const { dir, env, git, look, note, top } = yield* repository
    const ran = path.join(dir, "ran")
    const program = path.join(dir, "evil.sh")
    fs.writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> "${ran}"\ncat\n`, { mode: 0o755 })
    const sub = path.join(top, "sub")
    const inSub = (...args: ReadonlyArray<string>) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], { cwd: sub, env })
    fs.mkdirSync(sub)
    inSub("init", "-q")
    fs.writeFileSync(path.join(sub, "s.txt"), "1\n")
    inSub("add", ".")
    inSub("commit", "-q", "-m", "first")
    fs.writeFileSync(path.join(top, ".gitmodules"), '[submodule "sub"]\npath = sub\nurl = ./sub\n')
    git("-c", "advice.addEmbeddedRepo=false", "add", ".")
    git("commit", "-q", "-m", "sub")
    git("config", "diff.submodule", "diff")
    yield* note(":turn")
    fs.writeFileSync(path.join(sub, "s.txt"), "2\n")
    inSub("commit", "-q", "-a", "-m", "second")
    inSub("config", "diff.external", program)
    inSub("config", "filter.own.clean", program)
    fs.writeFileSync(path.join(sub, ".gitattributes"), "* filter=own\n")
    fs.writeFileSync(path.join(sub, "s.txt"), "3\n")
    const found = yield* look()
    assert.deepStrictEqual(files(yield* look(top, ":turn")), ["sub null changed 1 1"])
    yield* note(":turn")
    assert.deepStrictEqual(files(yield* look(top, ":turn")), [])
    assert.isFalse(fs.existsSync(ran), fs.existsSync(ran) ? fs.readFileSync(ran, "utf8") : "")
    assert.deepStrictEqual(files(found), ["sub null changed 1 1"])
    assert.include(found.patch, "+Subproject commit ")
  })

  live("is told of an index in two parts, of other names of objects, and of a work tree elsewhere", function* () {
    const { dir, env, git, look, top, write } = yield* repository
    git("config", "core.splitIndex", "true")
    git("update-index", "--split-index")
    write("fresh.txt", "new\n")
    const before = fs.readdirSync(path.join(top, ".git")).sort()
    assert.deepStrictEqual(files(yield* look()), ["fresh.txt null added 1 0"])
    assert.deepStrictEqual(fs.readdirSync(path.join(top, ".git")).sort(), before)
    const long = path.join(dir, "long")
    fs.mkdirSync(long)
    execFileSync("git", ["init", "-q", "--object-format=sha256"], { cwd: long, env })
    fs.writeFileSync(path.join(long, "a.txt"), "1\n")
    assert.deepStrictEqual(files(yield* look(long)), ["a.txt null added 1 0"])
    const own = path.join(top, "own")
    fs.mkdirSync(own)
    fs.renameSync(path.join(top, ".git"), path.join(own, ".git"))
    execFileSync("git", ["config", "core.worktree", top], { cwd: own, env })
    assert.deepStrictEqual(files(yield* look(own)), ["fresh.txt null added 1 0"])
  })

  live("is not told where git's files cannot be read, and nothing is waited for", function* () {
    const { count, dir, git, look, top } = yield* repository
    const index = path.join(top, ".git/index")
    fs.rmSync(index)
    execFileSync("mkfifo", [index])
    assert.include((yield* Effect.flip(look())).message, ".git/index: it is no file")
    for (const none of [top, dir, path.join(dir, "missing")]) assert.isNull(yield* count(none), none)
    fs.rmSync(index)
    const commit = git("rev-parse", "HEAD").trim()
    fs.rmSync(path.join(top, ".git/objects", commit.slice(0, 2), commit.slice(2)))
    assert.include((yield* Effect.flip(look())).message, "the last commit of")
    assert.isNull(yield* count())
  })

  live("is listed where its names are more than a command line takes, or its one line more than is read", function* () {
    const { look, top, write } = yield* repository
    const deep = path.join(...Array.from({ length: 11 }, () => "d".repeat(200)))
    for (let n = 0; n < 950; n++) write(path.join(deep, String(n)), "x\n")
    write("a.txt", "y".repeat(5 << 20))
    const found = yield* look()
    assert.deepStrictEqual([found.files.length, found.patch, found.unshown], [951, "", 951])
    fs.rmSync(path.join(top, "a.txt"))
    const second = yield* look()
    assert.strictEqual(patchFiles(second.patch).length + second.unshown, 950)
    assert.isAbove(patchFiles(second.patch).length, 10)
  })
})

/** All files below a directory, with their content. */
const contentOf = (dir: string): ReadonlyArray<string> =>
  fs
    .readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${file} ${fs.readFileSync(file).toString("hex")}`)
    .sort()

describe("what a work tree has that it had not at a moment of the session", () => {
  live("is what was written since, whatever differed before, in files that git knows or not", function* () {
    const { git, look, note, top, write } = yield* repository
    assert.match((yield* Effect.flip(look(top, ":turn"))).message, /last turn is not noted: none was since/)
    write("kept.txt", "one\n2\nthree\n")
    write("user.txt", "the user's\n")
    write("ignored", "x")
    git("rm", "-q", "gone.txt")
    fs.symlinkSync("kept.txt", path.join(top, "link"))
    yield* note(":start")
    yield* note(":turn", path.join(top))
    const before = contentOf(path.join(top, ".git"))
    const none = yield* look(top, ":turn")
    assert.deepStrictEqual([none.files, none.against], [[], { name: moments[":turn"], commit: null }])
    assert.strictEqual(changesText(none), "nothing differs from the beginning of its last turn")
    write("kept.txt", "one\n2\n3\n")
    write("user.txt", "the agent's\n")
    write("new.txt", "new\n")
    write("gone.txt", "again\n")
    write("ignored", "y")
    fs.rmSync(path.join(top, "link"))
    fs.symlinkSync("moved.txt", path.join(top, "link"))
    const found = yield* look(top, ":turn")
    assert.deepStrictEqual(files(found), [
      "gone.txt null added 1 0",
      "kept.txt null changed 1 1",
      "link null changed 1 1",
      "new.txt null added 1 0",
      "user.txt null changed 1 1"
    ])
    assert.include(changesText(found), "5 files differ from the beginning of its last turn: +5 −3\n")
    assert.include(changesText(found), "-the user's\n+the agent's")
    assert.deepStrictEqual(contentOf(path.join(top, ".git")), before)
    // what was committed since is told as well, and a branch that was switched; the session's start stays what it was
    git("checkout", "-q", "-b", "other")
    git("add", ".")
    git("commit", "-q", "-m", "all")
    assert.deepStrictEqual(files(yield* look(top, ":turn")), files(found))
    yield* note(":turn", top, 4_200)
    const late = yield* look(top, ":turn")
    assert.match(changesText(late), /last turn; noted \d+ s after that, without what was written before$/)
    assert.deepStrictEqual(files(yield* look(top, ":start")), files(found))
    git("checkout", "-q", "main")
    assert.include(files(yield* look(top, ":turn")).join(), "new.txt null removed 0 1")
    // another start is another session's
    yield* note(":start")
    assert.include((yield* Effect.flip(look(top, ":turn"))).message, "is not noted")
  })

  live("has files of any name and kind, conflicts too", function* () {
    const { git, look, note, place, top, write } = yield* repository
    write("a\nb.txt", "1\n")
    write('q"uo\tte.txt', "1\n")
    write("wörter x.txt", "1\n")
    fs.writeFileSync(Buffer.from(`${top}/\xff.txt`, "latin1"), "1\n")
    // a file in the place of a directory and the other way round, and one that is gone
    write("dir/in.txt", "1\n")
    git("add", "dir")
    fs.rmSync(path.join(top, "dir"), { recursive: true })
    write("dir", "file\n")
    fs.rmSync(path.join(top, "moved.txt"))
    write("moved.txt/in.txt", "1\n")
    fs.rmSync(path.join(top, "gone.txt"))
    fs.mkdirSync(path.join(top, "own"))
    execFileSync("git", ["init", "-q"], { cwd: path.join(top, "own") })
    yield* note(":turn")
    const none = yield* look(top, ":turn")
    assert.deepStrictEqual([files(none), none.noted?.left], [[], 0])
    fs.writeFileSync(Buffer.from(`${top}/\xff.txt`, "latin1"), "2\n")
    write("a\nb.txt", "2\n")
    fs.rmSync(path.join(top, "dir"))
    assert.deepStrictEqual(files(yield* look(top, ":turn")), [
      "a\nb.txt null changed 1 1",
      "dir null removed 0 1",
      "\ufffd.txt null changed 1 1"
    ])
    assert.isTrue(fs.existsSync(path.join(place, "turn", "noted.json")))
    git("stash", "-q", "-u")
    git("checkout", "-q", "-b", "side")
    write("kept.txt", "side\n")
    git("commit", "-qam", "side")
    git("checkout", "-q", "main")
    write("kept.txt", "main\n")
    git("commit", "-qam", "main")
    try {
      git("merge", "side")
    } catch {}
    assert.include(git("status", "--porcelain"), "UU kept.txt")
    yield* note(":turn")
    assert.deepStrictEqual(files(yield* look(top, ":turn")), [])
    write("kept.txt", "both\n")
    assert.deepStrictEqual(files(yield* look(top, ":turn")).length, 1)
  })

  live("is bounded: what is too large is left out and counted, and too many are not noted at all", function* () {
    const { git, look, note, top, write } = yield* repository
    write("large.bin", "x".repeat(snapshotMost.fileBytes + 1))
    write("small.txt", "1\n")
    yield* note(":turn")
    write("large.bin", "y")
    write("small.txt", "2\n")
    const found = yield* look(top, ":turn")
    assert.deepStrictEqual([files(found), found.noted?.left], [["small.txt null changed 1 1"], 1])
    assert.include(changesText(found), "+1 −1; without 1 file too large to be noted\n")
    for (let n = 0; n <= snapshotMost.files; n++) write(`many/${n}.txt`, "x\n")
    yield* note(":turn")
    const many = `could not be noted: more than ${snapshotMost.files} files of ${top} are not as git knows them`
    assert.include((yield* Effect.flip(look(top, ":turn"))).message, many)
    git("add", ".")
    yield* note(":turn")
    assert.deepStrictEqual(files(yield* look(top, ":turn")), [])
  })

  live("is told for the work tree that it was noted in: no repository, or another work tree, says so", function* () {
    const { dir, git, look, note, place, top } = yield* repository
    yield* note(":turn", dir)
    assert.match((yield* Effect.flip(look(top, ":turn"))).message, /could not be noted: .* is in no git work tree/)
    const side = path.join(dir, "side")
    git("worktree", "add", "-q", "-b", "side", side)
    yield* note(":turn")
    assert.include(
      (yield* Effect.flip(look(side, ":turn"))).message,
      `the session was in ${top}, and now it is in ${side}: compare it with its base`
    )
    yield* note(":turn", side)
    fs.writeFileSync(path.join(side, "new.txt"), "1\n")
    const found = yield* look(side, ":turn")
    assert.deepStrictEqual([files(found), found.worktree?.branch], [["new.txt null added 1 0"], "side"])
    fs.rmSync(path.join(place, "turn", "noted.json"))
    assert.include((yield* Effect.flip(look(side, ":turn"))).message, "is being noted: look again")
  })
})

describe("a program", () => {
  it.live.each([
    ["with an argument that is too long for the system", ["x".repeat(1 << 18)], /E2BIG/],
    ["with an argument that none may have", ["a\0b"], /null bytes/]
  ] as const)("%s is told as not started", ([, args, why]) =>
    Effect.gen(function* () {
      const answer = yield* runProgram({ program: "git", args, cwd: "/", env: {}, timeout: "5 seconds" })
      assert.strictEqual(answer.code, null)
      assert.match(answer.err, why)
    })
  )
})
