import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { makePlace } from "../support/processes/pastSessions.ts"
import { eventually } from "../support/processes/Room.ts"
import { openWindow, windows, inWindows } from "../support/processes/Window.ts"
import { isThorough } from "../support/run/thorough.ts"
import { longTestPatience, lookingAgain } from "../support/run/patience.ts"
import { rowsOf } from "../support/data/fields.ts"
import { live } from "../support/run/effects.ts"

describe("leap resume and leap move", () => {
  live(
    "a session goes on with the arguments that it was started with, however it goes on, and says so",
    function* () {
      const { done, log, past, records, room } = yield* makePlace("apart")
      const narrowed = ["--permission-mode", "plan", "--disallowedTools", "Bash", "--model", "haiku"]
      const args = narrowed.join(" ")
      const given = `leap: with its arguments of before: ${args} (a lone -- starts it without)\n`
      yield* past("one", "a", "aaaa-1", "--", "--continue", ...narrowed, "--", "look around")
      yield* eventually(
        () => log().at(-1) === `startup in /a with --continue ${args} -- look around`,
        "its CLI is there"
      )
      assert.deepStrictEqual(records("one").at(-1)?.words, {
        args: narrowed,
        flags: null,
        leftOut: ["--continue", "the prompt"]
      })

      const first = yield* done("resume", "--tag", "one", "--last", "--detach")
      yield* eventually(() => log().at(-1) === `resume in /a with ${args}`, "its CLI is there")
      assert.include(first.stderr, given)
      assert.include(first.stderr, "not given again, because it was for that start only: --continue, the prompt\n")

      // a move of one that runs, and one of one that does not, under another name
      const moved = yield* done("move", "one", "b", "--restart", "--force")
      yield* eventually(() => log().at(-1) === `resume in /b with ${args}`, "its CLI is there")
      assert.include(moved.stderr, given)
      yield* done("stop", "one", "--force")
      yield* done("move", "one", "c d")
      yield* done("resume", "--detach", "--session", "aaaa-1", "--as", "two")
      yield* eventually(() => log().at(-1) === `resume in /c d with ${args}`, "its CLI is there")

      // its host dies without a word
      const { hostPid: pid } = yield* room.until("two", ({ state }) => state !== "starting", "two has begun")
      assert.isNotNull(pid)
      yield* eventually(() => records("two").length > 0, "it is recorded")
      process.kill(pid, "SIGKILL")
      yield* eventually(() => !fs.existsSync(`/proc/${pid}`), "its host is gone")
      assert.include((yield* done("resume", "--tag", "two", "--last", "--detach")).stderr, given)
      yield* eventually(() => log().at(-1) === `resume in /c d with ${args}`, "its CLI is there")
      yield* done("stop", "two", "--force")
    },
    longTestPatience
  )

  live(
    "a conversation is found by what was said in it",
    function* () {
      const { at, done, leap, log, past, records, room } = yield* makePlace()
      yield* past("one", "a", "aaaa-1")
      fs.writeFileSync(at("next-id"), "bbbb-2")
      yield* done("two", "--cli", "claude", "--detach", "--cwd", at("b"))
      yield* room.until("two", ({ sessionId }) => sessionId === "bbbb-2", "two has begun")
      yield* done("send", "two", "what of rhubarb?")
      yield* eventually(() => records("two").length > 0, "it is recorded")
      const found = Effect.map(done("resume", "--list", "--search", "RHUB", "--json"), ({ stdout }) =>
        JSON.parse(stdout).sessions.map(({ said, sessionId, tag }: Record<string, unknown>) => [tag, sessionId, said])
      )
      yield* Effect.repeat(found, { until: (rows) => rows.length > 0, schedule: lookingAgain(50) })
      yield* done("stop", "two", "--force")
      assert.deepStrictEqual(yield* found, [["two", "bbbb-2", "what of [rhubarb]?"]])
      assert.match(
        (yield* done("resume", "--list", "--search", "rhubarb")).stdout,
        /SAID *\n.*two .*what of \[rhubarb\]\?/
      )
      yield* done("resume", "--search", "rhubarb", "--last", "--detach")
      yield* eventually(() => log().at(-1)?.startsWith("resume in /b") === true, "its CLI is there")
      yield* done("stop", "two", "--force")
      const none = yield* leap("resume", "--search", "gooseberry", "--last", "--detach")
      assert.deepStrictEqual([none.code, none.stdout], [3, ""])
      assert.match(none.stderr, /no session that can be resumed has these words/)
      assert.strictEqual((yield* leap("resume", "--search", '"', "--list")).code, 2)
    },
    longTestPatience
  )

  inWindows(
    "the name of an ended session asks whether its conversation goes on, and starts nothing where nobody can answer",
    function* () {
      const place = yield* makePlace()
      const { at, done, leap, log, past, until } = place
      yield* past("one", "a", "aaaa-1")
      for (const words of [["one"], ["one", "--detach"]]) {
        const told = yield* leap(...words)
        assert.strictEqual(told.code, 5)
        assert.strictEqual(
          told.stderr,
          "leap: session 'one' has ended: 'leap resume --tag one --last' goes on with its conversation, " +
            "'leap one --new' begins a new one\n"
        )
      }
      const goesOn = yield* openWindow(place, ["one", "--detach"])
      yield* goesOn.shows((screen) => /Session 'one' has ended \(.*, in ~\/a\)/.test(screen))
      yield* goesOn.type("\r")
      assert.strictEqual((yield* goesOn.exit).code, 0)
      yield* eventually(() => log().at(-1) === "resume in /a", "its CLI is there")
      yield* done("stop", "one", "--force")

      fs.writeFileSync(at("next-id"), "bbbb-2")
      const anew = yield* openWindow(place, ["one", "--detach"])
      yield* anew.shows("begin a new one here, in ~")
      yield* anew.type("\x1b[B\r")
      assert.strictEqual((yield* anew.exit).code, 0)
      yield* until("one", ({ sessionId }) => sessionId === "bbbb-2", "it is new")
      yield* eventually(() => log().at(-1)?.trim() === "startup in", "its CLI is there")
      yield* done("stop", "one", "--force")
      const left = yield* openWindow(place, ["one"])
      yield* left.shows("has ended")
      yield* left.type("\x1b")
      assert.strictEqual((yield* left.exit).code, 130)
      fs.writeFileSync(at("next-id"), "cccc-3")
      yield* done("one", "--new", "--detach")
      yield* until("one", ({ sessionId }) => sessionId === "cccc-3", "it is another")
      assert.strictEqual(log().length, 4)
      yield* done("stop", "one", "--force")
    },
    longTestPatience
  )

  live(
    "all that a kill, a crash or a shutdown ended come back together, each in its place with its arguments",
    function* () {
      const { at, done, leap, log, past, records, transcript, until, room } = yield* makePlace("apart")
      const ids = { host: "a", cli: "b", down: "c d", gone: "a", moved: "b" } as const
      yield* past("stopped", "a", "ssss-0")
      for (const [tag, directory] of Object.entries(ids)) {
        fs.writeFileSync(at("next-id"), `${tag}-1`)
        yield* done(tag, "--cli", "claude", "--detach", "--cwd", at(directory), "--", "--model", tag)
        yield* until(tag, ({ sessionId, state }) => sessionId === `${tag}-1` && state !== "starting", `${tag} runs`)
        yield* eventually(() => records(tag).some(({ sessionId }) => sessionId === `${tag}-1`), "it is recorded")
      }
      yield* done("queue", "hold", "host")
      yield* done("send", "host", "for later")
      const own = (tag: string) => until(tag, () => true, tag)
      const kill = (pid: number | null, signal: NodeJS.Signals) => pid !== null && process.kill(pid, signal)
      kill((yield* own("cli")).pid, "SIGKILL")
      kill((yield* own("down")).hostPid, "SIGTERM")
      for (const tag of ["host", "gone", "moved"]) {
        const { hostPid, pid } = yield* own(tag)
        kill(hostPid, "SIGKILL")
        kill(pid, "SIGKILL")
      }
      yield* done("status", "--json").pipe(
        Effect.flatMap(({ stdout }) => {
          const { sessions }: { sessions: ReadonlyArray<{ state: string }> } = JSON.parse(stdout)
          return sessions.every(({ state }) => state === "exited") ? Effect.void : Effect.fail("one runs")
        }),
        Effect.retry(lookingAgain(50))
      )
      // one whose conversation was deleted meanwhile, and one whose directory was
      fs.rmSync(transcript("a", "gone-1"))
      fs.renameSync(at("b"), at("b2"))
      const begun = log().length
      const back = yield* leap("resume", "--all", "--json")
      assert.strictEqual(back.code, 1)
      const told: ReadonlyArray<{ tag: string; resumed: boolean; why: string | null; held: number | null }> =
        JSON.parse(back.stdout).sessions
      assert.sameDeepMembers(rowsOf(told, "tag", "resumed"), [
        ["cli", false],
        ["down", true],
        ["gone", false],
        ["host", true],
        ["moved", false]
      ])
      const why = (tag: string) => told.find((one) => one.tag === tag)?.why ?? ""
      assert.match(
        why("gone"),
        /^nothing is left of what Claude Code kept of its conversation; 'leap gone --new' begins another$/
      )
      for (const tag of ["cli", "moved"])
        assert.match(
          why(tag),
          new RegExp(
            `its directory .*/b is not there any more; 'leap resume --session ${tag}-1 --here' goes on with it`
          )
        )
      // of what cannot be looked at nobody says that it is gone
      fs.symlinkSync("b", at("b"))
      const hidden = yield* leap("resume", "--detach", "--tag", "moved", "--last", "--there")
      assert.strictEqual(hidden.code, 5)
      assert.match(hidden.stderr, /its directory .*\/b cannot be looked at now \(ELOOP\)/)
      fs.unlinkSync(at("b"))
      assert.include(back.stderr, "3 of 5 sessions could not be brought back")
      assert.deepStrictEqual(log().slice(begun).toSorted(), [
        "resume in /a with --model host",
        "resume in /c d with --model down"
      ])
      // nothing is typed before its release
      assert.strictEqual(told.find(({ tag }) => tag === "host")?.held, 1)
      assert.strictEqual((yield* own("host")).queue.find(({ text }) => text === "for later")?.status, "held")

      fs.renameSync(at("b2"), at("b"))
      const rest = yield* leap("resume", "--all", "--at-once", "1")
      assert.match(rest.stdout, /^cli {2}goes on in ~\/b$/m)
      assert.match(rest.stdout, /^gone {2}stays ended: /m)
      assert.notMatch(rest.stdout, /stopped|host|down/)
      yield* leap("forget", "gone")
      const none = yield* done("resume", "--all")
      assert.match(none.stderr, /no session was ended by a reboot/)
      assert.match((yield* leap("resume", "--all", "--last")).stderr, /--all brings each session back as it was/)
      assert.match((yield* done("resume", "--unit")).stdout, /"resume" "--all"/)
      yield* room.leap(["stop", "--all", "--force"])
    },
    longTestPatience
  )

  live(
    "each conversation has the arguments of its own, which others replace as a whole",
    function* () {
      const { at, done, env, leap, log, past, room } = yield* makePlace()
      const args = "--permission-mode plan --disallowedTools Bash"
      const given = `leap: with its arguments of before: ${args} (a lone -- starts it without)\n`
      yield* past("two", "a", "aaaa-1", "--", ...args.split(" "))

      // a new conversation of the session
      fs.writeFileSync(at("next-id"), "aaaa-2")
      assert.include((yield* done("two", "--detach", "--cwd", at("a"))).stderr, given)
      yield* eventually(() => log().at(-1) === `startup in /a with ${args}`, "its CLI is there")
      yield* room.until("two", (status) => status.sessionId === "aaaa-2", "the new one is known")
      yield* done("stop", "two", "--force")

      // others stand for all of them; each conversation has its own
      const other = yield* done("resume", "--session", "aaaa-1", "--detach", "--", "--model", "opus")
      yield* eventually(() => log().at(-1) === "resume in /a with --model opus", "its CLI is there")
      assert.include(other.stderr, `leap: its arguments of before are not given again: ${args}\n`)
      yield* done("stop", "two", "--force")
      yield* done("resume", "--session", "aaaa-2", "--detach")
      yield* eventually(() => log().at(-1) === `resume in /a with ${args}`, "its CLI is there")
      yield* done("stop", "two", "--force")
      yield* done("resume", "--session", "aaaa-1", "--detach")
      yield* eventually(() => log().at(-1) === "resume in /a with --model opus", "its CLI is there")
      yield* done("stop", "two", "--force")

      // none, and that stays so
      assert.include(
        (yield* done("resume", "--session", "aaaa-1", "--detach", "--")).stderr,
        "leap: its arguments of before are not given again: --model opus\n"
      )
      yield* eventually(() => log().at(-1) === "resume in /a", "its CLI is there")
      yield* done("stop", "two", "--force")
      assert.notInclude((yield* done("resume", "--session", "aaaa-1", "--detach")).stderr, "of before")
      yield* done("stop", "two", "--force")

      // flags that the environment had
      fs.writeFileSync(at("next-id"), "bbbb-1")
      const flagged = yield* room.leap(["three", "--cli", "claude", "--detach", "--cwd", at("a")], "", {
        ...env,
        LEAP_CLAUDE_FLAGS: "--restricted"
      })
      assert.strictEqual(flagged.code, 0)
      yield* room.until("three", (status) => status.sessionId === "bbbb-1", "three has begun")
      yield* done("stop", "three", "--force")
      const without = yield* leap("resume", "--tag", "three", "--last", "--detach")
      yield* eventually(() => log().at(-1) === "resume in /a with --restricted", "its CLI is there")
      assert.include(without.stderr, "with its arguments of before: --restricted")
      yield* done("stop", "three", "--force")
    },
    longTestPatience
  )

  live(
    "resume what is named, there or here, attach to nothing that runs, and refuse what cannot be honoured",
    function* () {
      const { at, done, leap, log, past, records, transcript, until } = yield* makePlace()
      const none = yield* leap("resume", "--detach")
      assert.deepStrictEqual([none.code, none.stdout], [3, ""])
      assert.include(none.stderr, "no session to resume yet")
      assert.strictEqual((yield* leap("resume")).code, 2, "no terminal")

      yield* past("one", "a", "aaaa-1")
      yield* past("two", "b", "bbbb-2")
      const which = yield* leap("resume", "--detach")
      assert.strictEqual(which.code, 2)
      assert.match(which.stderr, /^leap: 2 sessions can be resumed: .*bbbb-2 \(two\), aaaa-1 \(one\)\n$/)
      // what a script's unset variable makes of it
      assert.strictEqual((yield* leap("resume", "--detach", "--session", "")).code, 2)
      assert.strictEqual((yield* leap("resume", "--detach", "--session", "cccc")).code, 3)

      const listed = JSON.parse((yield* done("resume", "--list", "--json")).stdout) as {
        sessions: ReadonlyArray<{ sessionId: string; tag: string; liveAs: string | null; missing: boolean }>
      }
      assert.deepStrictEqual(rowsOf(listed.sessions, "tag", "sessionId", "liveAs", "missing"), [
        ["two", "bbbb-2", null, false],
        ["one", "aaaa-1", null, false]
      ])
      assert.lengthOf(
        (JSON.parse((yield* done("resume", "--list", "--last", "--json")).stdout) as typeof listed).sessions,
        1
      )
      assert.strictEqual((yield* done("resume", "--list", "--session", "cccc")).stdout, "no sessions to resume\n")
      assert.deepStrictEqual(
        (yield* done("resume", "--list", "--tag", "two")).stdout
          .trim()
          .split("\n")
          .map((line) => line.split(/\s+/)[0]),
        ["TAG", "two"]
      )

      // there: its own directory, its own tag
      const there = yield* done("--resume", "--detach", "--session", "aaaa", "--json")
      const [session] = (
        JSON.parse(there.stdout) as {
          sessions: ReadonlyArray<{ tag: string; cwd: string; sessionId: string; state: string }>
        }
      ).sessions
      assert.deepInclude(session, { tag: "one", cwd: at("a"), sessionId: "aaaa-1" })
      yield* eventually(() => log().at(-1) === "resume in /a", "its CLI is there")

      // it runs: no second one, whatever it is asked for by
      for (const more of [[], ["--here"], ["--as", "three"]]) {
        const live = yield* leap("resume", "--detach", "--session", "aaaa-1", ...more)
        assert.strictEqual(live.code, 5, more.join(" "))
        assert.include(live.stderr, "one")
      }
      // its tag is taken by another conversation
      const busy = yield* leap("resume", "--detach", "--session", "bbbb-2", "--as", "one")
      assert.strictEqual(busy.code, 5)
      yield* done("stop", "one", "--force")
      // its own tag runs with another conversation: that does not keep it from being moved, or from going on under
      // another tag
      yield* done("resume", "--detach", "--session", "aaaa-1", "--as", "two")
      assert.include(
        (yield* done("move", "two", "c d", "--session", "bbbb-2")).stdout,
        "'leap resume --session bbbb-2' goes on with it"
      )
      yield* done("stop", "two", "--force")
      yield* done("move", "two", "b", "--session", "bbbb-2")
      yield* done("resume", "--detach", "--session", "bbbb-2", "--as", "three")
      yield* until("three", (status) => status.sessionId === "bbbb-2", "under another tag")
      yield* done("stop", "three", "--force")

      // here
      const here = yield* done("resume", "--detach", "--tag", "one", "--last", "--here")
      assert.strictEqual(here.stdout.trim(), "one")
      yield* eventually(() => log().at(-1)?.trim() === "resume in", "its CLI is there")
      assert.isFalse(fs.existsSync(transcript("a", "aaaa-1")))
      const moved = fs.readFileSync(transcript(".", "aaaa-1"), "utf8")
      assert.lengthOf(moved.trim().split("\n"), 4)
      assert.deepInclude(records("one").at(-1), { sessionId: "aaaa-1", cwd: path.dirname(at("a")) })
      yield* done("stop", "one", "--force")

      // its directory is gone
      fs.rmdirSync(at("b"))
      const before = log().length
      const gone = yield* leap("resume", "--detach", "--session", "bbbb-2", "--there")
      assert.strictEqual(gone.code, 5)
      assert.include(gone.stderr, "'leap resume --session bbbb-2 --here' goes on with it in this directory")
      // it would not resume: never a fresh session instead
      fs.appendFileSync(transcript("b", "bbbb-2"), "poison\n")
      const refused = yield* leap("resume", "--detach", "--session", "bbbb-2", "--here")
      assert.strictEqual(refused.code, 5)
      assert.include(refused.stderr, "the conversation cannot be read")
      assert.lengthOf(log(), before)
      // it looked as if it would
      fs.writeFileSync(transcript(".", "bbbb-2"), "")
      const late = yield* leap("resume", "--detach", "--session", "bbbb-2")
      assert.deepStrictEqual(
        [late.code, late.stdout, late.stderr],
        [5, "", "leap: Claude Code did not resume the session: No conversation found with session ID: bbbb-2\n"],
        late.stderr
      )
      // nothing is left of it
      fs.rmSync(path.join(path.dirname(at("a")), ".claude/projects"), { recursive: true })
      const nothing = yield* leap("resume", "--detach", "--session", "aaaa-1")
      assert.strictEqual(nothing.code, 5)
      assert.include(nothing.stderr, "nothing is left of what Claude Code kept of it")
    },
    longTestPatience
  )

  it.live.runIf(isThorough)("move a session out of its worktree, which stays; it can be forgotten then", () =>
    Effect.gen(function* () {
      const { at, done, env, leap, past } = yield* makePlace()
      const git = (...args: ReadonlyArray<string>) => {
        const author = ["-c", "user.name=t", "-c", "user.email=t@example.com"]
        const ran = spawnSync("git", [...author, ...args], { cwd: at("a"), env, encoding: "utf8" })
        assert.strictEqual(ran.status, 0, ran.stderr)
        return ran.stdout
      }
      git("init", "-q")
      git("commit", "-q", "--allow-empty", "-m", "first")
      yield* past("one", "a", "aaaa-1", "--worktree")
      const place = at("a.worktrees/one")
      const moved = yield* done("move", "one", at("b"), "--json")
      const { from, worktree } = JSON.parse(moved.stdout) as Record<string, unknown>
      assert.deepStrictEqual([from, worktree], [place, { path: place, branch: "one" }])
      assert.include(moved.stderr, "its worktree stays as it is")
      assert.isTrue(fs.existsSync(place))
      // back into it, and out again by hand: that is said once more
      yield* done("move", "one", place)
      assert.notInclude((yield* done("move", "one", place)).stderr, "stays")
      yield* done("move", "one", at("b"))
      assert.include((yield* done("forget", "--worktree", "one")).stdout, `removed the worktree ${place}`)
      assert.strictEqual(git("branch", "--list", "one"), "")
      assert.strictEqual((yield* leap("status", "one")).code, 3)
    }).pipe(Effect.scoped)
  )

  inWindows(
    "v in the monitor asks where a session is to live, completes its name as a shell does, and moves it",
    function* () {
      const place = yield* makePlace()
      const { at, done, log, past, records, room } = place
      yield* past("one", "a", "aaaa-1")
      const window = yield* openWindow(place, ["monitor"])
      const asks = Effect.fnUntraced(function* (typed: string, completed: string) {
        yield* window.shows("1 session")
        yield* window.type("v")
        yield* window.shows("Where is 'one' to live?")
        yield* window.type(`${typed}\t`)
        yield* window.shows(completed)
        yield* window.type("\r")
      })
      yield* asks("~/c ", "~/c d/")
      yield* window.shows("Move one?")
      yield* window.type("y")
      yield* window.shows("lives in")
      assert.strictEqual(records("one").at(-1)?.cwd, at("c d"))

      yield* done("resume", "--tag", "one", "--last", "--there", "--detach")
      yield* room.until("one", ({ ready }) => ready, "ready")
      yield* asks("~/a", "~/a/")
      yield* window.shows("one runs: stop it, move it, and start it in the new directory?")
      yield* window.type("y")
      yield* window.shows((screen) => /lives in \S*\/a now/.test(screen))
      yield* eventually(() => log().at(-1)?.trim() === "resume in /a", "its CLI is there")
      yield* window.type("q")
      assert.strictEqual((yield* window.exit).code, 0)
    }
  )

  live(
    "move what has ended, what runs only when told to, and put back what could not be moved",
    function* () {
      const { at, done, env, leap, log, past, records, room, transcript, until } = yield* makePlace()
      assert.strictEqual((yield* leap("move", "one", at("b"))).code, 3)
      yield* past("one", "a", "aaaa-1")
      for (const wrong of [[at("nowhere")], [""], ["b", "--session", ""], ["b", "--", "--model", "opus"]]) {
        assert.strictEqual((yield* leap("move", "one", ...wrong)).code, 2, wrong.join(" "))
      }
      // somebody has it open, without leap: this very process
      const birth = fs.readFileSync("/proc/self/stat", "utf8").split(") ").at(-1)?.split(" ")[19]
      fs.mkdirSync(at(".claude/sessions"))
      const open = at(`.claude/sessions/${process.pid}.json`)
      const has = (procStart: string | undefined) =>
        fs.writeFileSync(open, JSON.stringify({ pid: process.pid, sessionId: "aaaa-1", procStart }))
      has(birth)
      const torn = yield* leap("move", "one", "b")
      assert.strictEqual(torn.code, 5)
      assert.include(torn.stderr, `open outside of leap (process ${process.pid})`)
      assert.include((yield* done("resume", "--detach", "--tag", "one", "--last")).stderr, "open outside of leap too")
      yield* done("stop", "one", "--force")
      // one that died and left its file behind
      has("1")
      const moved = yield* done("move", "one", "b", "--json")
      assert.deepInclude(JSON.parse(moved.stdout), {
        schema: 1,
        tag: "one",
        sessionId: "aaaa-1",
        from: at("a"),
        to: at("b"),
        files: 1,
        leftovers: [],
        pending: null,
        state: "exited"
      })
      assert.deepInclude(records("one").at(-1), { cwd: at("b"), transcriptPath: transcript("b", "aaaa-1") })
      assert.isFalse(fs.existsSync(transcript("a", "aaaa-1")))
      assert.include((yield* done("move", "one", "b")).stdout, "already")
      assert.include((yield* done("status", "one")).stdout, at("b"))

      yield* done("resume", "--detach", "--tag", "one", "--last")
      yield* eventually(() => log().at(-1) === "resume in /b", "its CLI is there")
      yield* until("one", (status) => status.state === "idle", "at rest")
      const begun = log().length
      assert.include((yield* done("move", "one", "b", "--restart")).stdout, "already")
      assert.lengthOf(log(), begun, "what is there already is not restarted")
      const inside = yield* room.leap(["move", "one", at("c d"), "--restart"], "", { ...env, LEAP_TAG: "one" })
      assert.strictEqual(inside.code, 5)
      assert.include(inside.stderr, "inside session 'one'")
      const runs = yield* leap("move", "one", at("c d"))
      assert.strictEqual(runs.code, 5)
      assert.include(runs.stderr, "--restart")
      // something is at its destination: it goes on where it was
      fs.mkdirSync(path.dirname(transcript("c d", "aaaa-1")))
      fs.writeFileSync(transcript("c d", "aaaa-1"), "another\n")
      const failed = yield* leap("move", "one", at("c d"), "--restart")
      assert.strictEqual(failed.code, 5, failed.stderr)
      assert.include(failed.stderr, "goes on in")
      yield* until("one", (status) => status.cwd === at("b") && status.state === "idle", "as before")
      assert.strictEqual(fs.readFileSync(transcript("c d", "aaaa-1"), "utf8"), "another\n")
      fs.rmSync(transcript("c d", "aaaa-1"))
      assert.include((yield* done("move", "one", at("c d"), "--restart", "--", "--model", "opus")).stdout, "c d")
      yield* until("one", (status) => status.cwd === at("c d") && status.sessionId === "aaaa-1", "there")
      yield* eventually(() => log().at(-1) === "resume in /c d with --model opus", "its CLI is there")
    },
    longTestPatience
  )

  it.live.runIf(isThorough)(
    "two at once of one conversation are one, under whatever tag; what is gone or damaged is named, once",
    () =>
      Effect.gen(function* () {
        const { at, command, done, env, leap, log, past } = yield* makePlace()
        yield* done("clis", "add", "work", "--base", "claude")
        yield* past("one", "a", "aaaa-1")
        const both = yield* Effect.all(
          ["one", "two"].map((as) => leap("resume", "--detach", "--session", "aaaa-1", "--as", as)),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(
          both.map(({ code }) => code).toSorted((a, b) => Number(a) - Number(b)),
          [0, 5],
          both.map(({ stderr }) => stderr).join("")
        )
        assert.include(both.find(({ code }) => code === 5)?.stderr, "runs already as session")
        assert.lengthOf(log(), 2)
        assert.deepStrictEqual(
          fs.readdirSync(at("leap")).filter((name) => name.includes("aaaa-1")),
          []
        )
        yield* done("stop", both[0]?.code === 0 ? "one" : "two", "--force")

        const gone = spawnSync(
          "sh",
          [
            "-c",
            'mkdir gone && cd gone && rmdir ../gone && exec "$@"',
            "sh",
            ...command,
            "resume",
            "--detach",
            "--session",
            "aaaa-1",
            "--here"
          ],
          {
            cwd: at(""),
            env,
            encoding: "utf8"
          }
        )
        assert.deepStrictEqual([gone.status, gone.stdout], [5, ""])
        assert.include(gone.stderr, "this directory")
        assert.include(gone.stderr, "is not there any more")

        const file = at("leap/records/one.json")
        fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll('"cli": "claude"', '"cli": "work"'))
        fs.rmSync(at("leap/records/two.json"), { force: true })
        yield* done("clis", "remove", "work")
        for (const words of [
          ["resume", "--detach", "--last"],
          ["move", "one", "b"]
        ]) {
          const removed = yield* leap(...words)
          assert.strictEqual(removed.code, 5, words.join(" "))
          assert.include(removed.stderr, "leap clis add work --base claude")
        }

        fs.writeFileSync(at("leap/relocations/claude.aaaa-1.journal"), "no journal\n")
        yield* done("clis", "add", "work", "--base", "claude")
        const unsettled = yield* leap("move", "one", "b")
        assert.strictEqual(unsettled.code, 5)
        assert.match(
          unsettled.stderr,
          /^leap: an earlier move of session aaaa-1 was cut off and cannot be settled: [^\n]*\n$/
        )
        fs.writeFileSync(file, "no records\n")
        const damaged = yield* done("resume", "--list")
        assert.strictEqual(damaged.stdout, "no sessions to resume\n")
        assert.lengthOf(damaged.stderr.split("the records of 'one' are damaged"), 2)
      }).pipe(Effect.scoped),
    longTestPatience
  )

  it.live.runIf(isThorough)(
    "by hand: type to search, pick, say where; one that runs is attached to; one that would not resume says so",
    () =>
      Effect.gen(function* () {
        const place = yield* makePlace()
        const { done, log, past, transcript, until } = place
        yield* past("one", "a", "aaaa-1")
        yield* past("two", "b", "bbbb-2")
        const window = yield* openWindow(place, ["resume"])
        yield* window.shows((screen) => screen.includes("one") && screen.includes("two"))
        // the last exchange of the newest is shown
        yield* window.shows("startup in")
        yield* window.type("one")
        yield* window.shows((screen) => !screen.includes("two"))
        yield* window.type("\r")
        yield* window.shows("Where should it go on?")
        yield* window.type("\x1b[B\r")
        yield* window.shows((screen) => screen.includes("❯") && !screen.includes("here"))
        yield* until("one", (status) => status.attached === 1 && status.sessionId === "aaaa-1", "attached")
        yield* eventually(() => log().at(-1)?.trim() === "resume in", "its CLI is there")
        assert.isFalse(fs.existsSync(transcript("a", "aaaa-1")))

        const second = yield* openWindow(place, ["resume", "--tag", "one"])
        yield* until("one", (status) => status.attached === 2, "attached to what runs")
        yield* second.type("\x1c")
        assert.deepStrictEqual(yield* second.exit, { code: 0, signal: null })
        yield* done("stop", "one", "--force")
        yield* window.exit

        fs.appendFileSync(transcript("b", "bbbb-2"), "poison\n")
        const third = yield* openWindow(place, ["resume", "--tag", "two", "--there"])
        assert.deepStrictEqual(yield* third.exit, { code: 5, signal: null })
        assert.include(third.screen(), "did not resume the session: the conversation cannot be read")
        const fourth = yield* openWindow(place, ["resume"])
        yield* fourth.shows("two")
        yield* fourth.type("\x03")
        assert.deepStrictEqual(yield* fourth.exit, { code: 130, signal: null })
      }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(...windows))),
    longTestPatience
  )
})
