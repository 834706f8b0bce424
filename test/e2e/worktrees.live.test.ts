import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { endsWell, makeRoom } from "../support/processes/Room.ts"
import { aRepository } from "../support/processes/Repository.ts"
import { testPatience } from "../support/run/patience.ts"
import { live } from "../support/run/effects.ts"

live(
  "a session gets a worktree of its own, comes back to it, and it is forgotten when nothing is lost",
  function* () {
    const room = yield* makeRoom("0.1")
    const repository = yield* aRepository
    const { main } = repository
    const place = path.join(repository.root, "proj.worktrees", "fix")
    const leap = (...args: ReadonlyArray<string>) => room.leap(args)
    const start = (...args: ReadonlyArray<string>) => leap("fix", "--cli", "demo", "-d", ...args)

    // what cannot be started leaves no worktree
    const before = repository.traces()
    const absent = yield* leap("fix", "--cli", "generic", "-d", "--cwd", main, "--worktree", "--", "no-such-program")
    assert.strictEqual(absent.code, 7)
    assert.deepStrictEqual(repository.traces(), before)
    assert.strictEqual((yield* start("--cwd", main, "--from", "main")).code, 2)

    const started = yield* start("--cwd", main, "--worktree", "--setup", "touch .git-is-a-file", "--json")
    assert.strictEqual(started.code, 0, started.stderr)
    assert.include(started.stderr, `made the worktree ${place} (branch 'fix')`)
    const status = yield* room.until("fix", ({ branch, state }) => state === "idle" && branch === "fix", "it is idle")
    assert.strictEqual(status.cwd, place)
    assert.match((yield* leap("status", "fix")).stdout, /^branch +fix$/m)
    assert.match((yield* leap("status")).stdout, /BRANCH[^]*\bfix\b/)

    // ended, and started from somewhere else
    assert.strictEqual((yield* leap("stop", "fix")).code, 0)
    assert.strictEqual((yield* start()).code, 0)
    assert.strictEqual((yield* room.until("fix", ({ state }) => state === "idle", "it is idle again")).cwd, place)

    assert.match((yield* leap("forget", "--worktree", "fix")).stderr, /runs/)
    assert.strictEqual((yield* leap("stop", "fix")).code, 0)
    const refused = yield* leap("forget", "--worktree", "fix", "--force")
    assert.strictEqual(refused.code, 5)
    assert.match(refused.stderr, /stays: 1 untracked file \(\.git-is-a-file\)/)
    fs.rmSync(path.join(place, ".git-is-a-file"))
    // the session was not forgotten either
    const forgotten = yield* leap("forget", "--worktree", "fix")
    assert.strictEqual(forgotten.code, 0, forgotten.stderr)
    assert.include(forgotten.stdout, `removed the worktree ${place} and its branch 'fix'`)
    assert.deepStrictEqual(repository.traces(), before)
    assert.strictEqual((yield* leap("forget", "--worktree", "fix")).code, 3)

    for (const name of ["name", "email"]) repository.git(main, "config", `user.${name}`, "t@example.com")
    // finished by one command, while it runs and when it has ended
    const commits = () => repository.git(main, "log", "--format=%s", "main")
    assert.strictEqual((yield* start("--cwd", main, "--worktree")).code, 0)
    yield* room.until("fix", ({ state }) => state === "idle", "it is idle in its next one")
    fs.writeFileSync(path.join(place, "made.txt"), "made\n")
    assert.include((yield* leap("diff", "fix")).stdout, "branch 'fix': 1 file not committed, 0 commits not in 'main'\n")
    const unnamed = yield* leap("finish", "fix", "merge")
    assert.strictEqual(unnamed.code, 5)
    assert.match(unnamed.stderr, /1 file that is not committed \(made\.txt\): a message is needed .*--message/)
    assert.match((yield* leap("finish", "fix", "discard")).stderr, /runs in its worktree: 'leap stop fix' first/)
    assert.strictEqual((yield* leap("finish", "fix")).code, 2)
    const merged = yield* leap("finish", "fix", "merge", "--message", "made it")
    assert.strictEqual(merged.code, 0, merged.stderr)
    assert.match(merged.stdout, /^committed 1 file on 'fix' \(\w+\); 'main' has 1 commit of 'fix' now \(\w+\)\n$/)
    assert.strictEqual(commits(), "made it\nfirst\n")
    assert.strictEqual((yield* leap("stop", "fix")).code, 0)
    // what is discarded is where it lived last, and not what it has left
    const leftTo = (directory: string) =>
      Effect.andThen(endsWell(start("--cwd", directory)), endsWell(leap("stop", "fix")))
    yield* leftTo(main)
    const left = yield* leap("finish", "fix", "discard")
    assert.strictEqual(left.code, 5)
    assert.include(left.stderr, `lived last in ${main}, which is no worktree that leap has made for it`)
    yield* leftTo(place)
    // nothing but what git ignores, which goes with it, is told as well
    repository.write(path.join(main, ".git", "info", "exclude"), ".env\n")
    fs.writeFileSync(path.join(place, ".env"), "secret\n")
    const secret = yield* leap("finish", "fix", "discard")
    assert.strictEqual(secret.code, 5)
    assert.match(secret.stderr, /nothing is discarded: 1 file or directory that git ignores \(\.env\) would be lost; /)
    fs.rmSync(path.join(place, ".env"))
    fs.writeFileSync(path.join(place, "lost.txt"), "lost\n")
    const told = yield* leap("finish", "fix", "discard")
    assert.strictEqual(told.code, 5)
    const [, id = ""] =
      /1 untracked file \(lost\.txt\) would be lost; .* discard --losses (\w+)'/.exec(told.stderr) ?? []
    // what is lost is what was told, and nothing more
    fs.writeFileSync(path.join(place, "more.txt"), "more\n")
    assert.match((yield* leap("finish", "fix", "discard", "--losses", id)).stderr, /2 untracked files/)
    fs.rmSync(path.join(place, "more.txt"))
    const gone = yield* leap("finish", "fix", "discard", "--losses", id, "--json")
    assert.deepInclude(JSON.parse(gone.stdout), { tag: "fix", losses: null })
    assert.include(gone.stdout, `removed the worktree ${place} and its branch 'fix'`)
    repository.git(main, "reset", "-q", "--hard", "HEAD~1")
    repository.git(main, "config", "--remove-section", "user")
    assert.strictEqual((yield* leap("forget", "fix")).code, 0)
    assert.deepStrictEqual(repository.traces(), before)

    // forgotten without it, it stays, and can go later
    assert.strictEqual((yield* start("--cwd", main, "--worktree", "x/y")).code, 0)
    assert.strictEqual((yield* leap("stop", "fix")).code, 0)
    assert.include((yield* leap("forget", "fix")).stderr, "its worktree stays")
    assert.match((yield* leap("forget", "--worktree", "fix")).stdout, /and its branch 'x\/y'/)
    assert.deepStrictEqual(repository.traces(), before)

    // one that somebody has deleted is not taken for another checkout
    assert.strictEqual((yield* start("--cwd", main, "--worktree")).code, 0)
    assert.strictEqual((yield* leap("stop", "fix")).code, 0)
    fs.rmSync(place, { recursive: true })
    const absence = yield* start()
    assert.strictEqual(absence.code, 5)
    assert.include(absence.stderr, `the worktree of session 'fix' is gone (${place})`)
    assert.include((yield* leap("forget", "--worktree", "fix")).stdout, "was gone already; branch 'fix' stays")
  },
  testPatience
)
