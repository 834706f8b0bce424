import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { eventually, makeRoom, type Room } from "../support/processes/Room.ts"
import { openWindow, inWindows } from "../support/processes/Window.ts"
import { isThorough } from "../support/run/thorough.ts"
import { live } from "../support/run/effects.ts"

/** A program that notes how it was started, and is the demo CLI. */
const program = (
  room: Room,
  name: string
): { readonly file: string; readonly started: () => ReadonlyArray<string> } => {
  const file = path.join(room.dir, name)
  const notes = `${file}.started`
  fs.writeFileSync(
    file,
    `#!/bin/sh
[ "$1" = --version ] && { echo "$0 7.8.9"; exit; }
printf '%s\\n' "$LEAP_CLI_PROVIDER" "$GREETING" "$@" > '${notes}.new' && mv '${notes}.new' '${notes}'
exec '${process.execPath}' "$1" "$2"
`,
    { mode: 0o755 }
  )
  // without what starts leap itself
  return {
    file,
    started: () =>
      fs.existsSync(notes)
        ? fs
            .readFileSync(notes, "utf8")
            .trimEnd()
            .split("\n")
            .filter((_, i) => i !== 2 && i !== 3)
        : []
  }
}

const ok = Effect.fnUntraced(function* (room: Room, ...args: ReadonlyArray<string>) {
  const ran = yield* room.leap(args)
  if (ran.code !== 0) return yield* Effect.die(new Error(`leap ${args.join(" ")}: ${ran.code} ${ran.stderr}`))
  return ran
})

describe("CLIs of one's own", () => {
  live("are added, started with their flags and environment, changed and taken away", function* () {
    const room = yield* makeRoom("0.1")
    const own = program(room, "own-demo")
    const added = yield* ok(
      room,
      "clis",
      "add",
      "--base",
      "demo",
      "--name",
      "Work Demo",
      "--command",
      "./own-demo",
      "--flags",
      "--one 'two three'",
      "--env",
      "GREETING=~/$USER_OF_IT"
    )
    assert.strictEqual(added.stdout, "work-demo\n")

    const first = yield* room.leap(["w", "--cli", "work-demo", "--detach", "--", "--four"], "", { USER_OF_IT: "me" })
    assert.strictEqual(first.code, 0, first.stderr)
    yield* eventually(() => own.started().length > 0, "it is started")
    assert.deepStrictEqual(own.started(), [
      "work-demo",
      path.join(room.env["HOME"] ?? "", "me"),
      "--one",
      "two three",
      "--four"
    ])
    const {
      sessions: [session]
    } = JSON.parse((yield* ok(room, "status", "w", "--json")).stdout)
    assert.deepStrictEqual([session.cli, session.baseCli, session.displayName], ["work-demo", "demo", "Work Demo"])
    yield* room.until("w", (status) => status.ready, "it is read as its base is")
    yield* ok(room, "stop", "w")

    // what cannot be split is said and ignored
    fs.rmSync(`${own.file}.started`)
    const second = yield* room.leap(["w", "--detach"], "", { LEAP_WORK_DEMO_FLAGS: "-x 'open" })
    assert.deepStrictEqual(
      [second.code, second.stderr],
      [
        0,
        "leap: ignored LEAP_WORK_DEMO_FLAGS: a ' is never closed\n" +
          "leap: with its arguments of before: --four (a lone -- starts it without)\n"
      ]
    )
    yield* eventually(() => own.started().length > 0, "it is started again")
    assert.deepStrictEqual(own.started().slice(2), ["--four"])
    yield* ok(room, "stop", "w")

    yield* ok(
      room,
      "clis",
      "edit",
      "work-demo",
      "--name",
      "W",
      "--unset",
      "flags",
      "--unset",
      "env.GREETING",
      "--env",
      "X=y=z"
    )
    const { clis } = JSON.parse((yield* ok(room, "clis", "--json")).stdout)
    assert.deepStrictEqual(
      clis.find((cli: { id: string }) => cli.id === "work-demo"),
      {
        id: "work-demo",
        base: "demo",
        custom: true,
        displayName: "W",
        command: own.file,
        path: own.file,
        version: "7.8.9",
        flags: null,
        flagsFrom: null,
        env: { X: "y=z" },
        hidden: false
      }
    )
    fs.rmSync(own.file)
    const gone = yield* room.leap(["w", "--detach"])
    assert.deepStrictEqual(
      [gone.code, gone.stderr.includes("is no program that can be run; 'leap clis edit work-demo --command PATH'")],
      [7, true]
    )
    const doctor = JSON.parse((yield* room.leap(["doctor", "--json"])).stdout)
    assert.strictEqual(doctor.findings.find((it: { subject: string }) => it.subject === "work-demo").state, "broken")
    yield* ok(room, "clis", "remove", "work-demo")
    const removed = yield* room.leap(["w", "--detach"])
    assert.strictEqual(removed.code, 2)
    assert.match(
      removed.stderr,
      /^leap: session 'w' ran work-demo, and no CLI is called 'work-demo'.*'leap w --cli NAME' starts it with another\n$/
    )
  })
})

describe("modes", () => {
  it.live.runIf(isThorough)(
    "are frozen when a session starts, are its own from then on, and stay over its restarts",
    () =>
      Effect.gen(function* () {
        const room = yield* makeRoom("0.1")
        const modes = Effect.scoped(
          Effect.map(
            Effect.flatMap(room.connect("s"), (client) => client.Status()),
            (status) => status.modes
          )
        )
        const shown = (...args: ReadonlyArray<string>) =>
          Effect.map(ok(room, "mode", ...args, "--json"), ({ stdout }) => JSON.parse(stdout).modes)
        assert.deepStrictEqual(yield* shown("--default", "--auto-send", "always"), {
          autoSend: "always",
          churn: "wait"
        })
        yield* ok(room, "s", "--cli", "demo", "--detach")
        assert.deepStrictEqual(yield* modes, { autoSend: "always", churn: "wait" })
        yield* ok(room, "mode", "--default", "--auto-send", "pause", "--churn", "send")
        assert.deepStrictEqual(yield* modes, { autoSend: "always", churn: "wait" })
        // two terminals at once, each with a mode of its own
        yield* Effect.all([ok(room, "mode", "s", "--auto-send", "pause"), ok(room, "mode", "s", "--churn", "send")], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(yield* modes, { autoSend: "pause", churn: "send" })
        yield* ok(room, "mode", "s", "--auto-send", "always", "--churn", "wait")
        assert.deepStrictEqual(yield* shown("--default"), { autoSend: "pause", churn: "send" })

        yield* ok(room, "stop", "s")
        assert.deepStrictEqual(yield* shown("s", "--churn", "send"), { autoSend: "always", churn: "send" })
        yield* ok(room, "s", "--detach")
        assert.deepStrictEqual(yield* modes, { autoSend: "always", churn: "send" })

        // a store that cannot be written: told, and nothing has changed
        const file = path.join(room.session("s"), "modes.json")
        fs.renameSync(file, `${file}.away`)
        fs.mkdirSync(file)
        const refused = yield* room.leap(["mode", "s", "--auto-send", "pause"])
        assert.strictEqual(refused.code, 1)
        assert.match(refused.stderr, /^leap: the modes were not changed: .*modes.json: it is a directory\n$/)
        assert.deepStrictEqual(yield* modes, { autoSend: "always", churn: "send" })

        for (const [args, code] of [
          [["mode"], 2],
          [["mode", "nobody", "--churn", "send"], 3]
        ] as const) {
          assert.strictEqual((yield* room.leap(args)).code, code, args.join(" "))
        }
        assert.isFalse(fs.existsSync(room.session("nobody")))
      }).pipe(Effect.scoped)
  )
})

describe("leap on a terminal", () => {
  inWindows(
    "opens all sessions: what begins one, with its CLI, place, name and first message, and the way back from it",
    function* () {
      const room = yield* makeRoom("0.1")
      const [one, two] = [program(room, "one"), program(room, "two")]
      fs.writeFileSync(
        path.join(room.env["LEAP_HOME"] ?? "", "settings.json"),
        JSON.stringify({
          clis: {
            one: { base: "demo", command: one.file },
            hidden: { base: "demo", command: two.file, hidden: true },
            two: { base: "demo", command: two.file }
          },
          order: ["two", "one"]
        })
      )

      const window = yield* openWindow(room, [])
      yield* window.shows((screen) => screen.includes("no sessions yet") && screen.includes("start a session in"))
      // only what can be started is named
      yield* window.shows((screen) => screen.indexOf("two") < screen.indexOf("one") && !screen.includes("hidden"))
      yield* window.type("n")
      yield* window.shows("Which CLI?")
      yield* window.shows((screen) => screen.indexOf("two") < screen.indexOf("one  ") && !screen.includes("hidden"))
      yield* window.type("\u001b[B\r")
      yield* window.shows("In which directory?")
      yield* window.type("/no/such/place\r")
      yield* window.shows("there is no such directory")
      yield* window.type(`${"\u007f".repeat(14)}./\t`)
      // Tab completes what is there
      fs.mkdirSync(path.join(room.dir, "projects-here"))
      yield* window.type("proj\t")
      yield* window.shows("./projects-here/")
      yield* window.type(`${"\u007f".repeat(20)}\r`)
      yield* window.shows("Its name?")
      yield* window.type("no way\r")
      yield* window.shows("a tag is a letter or digit")
      yield* window.type(`${"\u007f".repeat(60)}fresh\r`)
      yield* window.shows("A first message")
      yield* window.type("hello\r")
      yield* window.shows("You asked “hello”")
      const session = yield* room.until("fresh", (status) => status.attached === 1, "attached")
      assert.strictEqual(session.cli, "one")
      // leaving it comes back to the list
      yield* window.type("\u001c")
      yield* window.shows((screen) => screen.startsWith("leap monitor · 1 session") && screen.includes("fresh"))
      yield* window.type("\r")
      // the list has the answer too
      yield* window.shows((screen) => !screen.startsWith("leap monitor") && screen.includes("You asked “hello”"))
      yield* window.type("\u001c")
      yield* window.shows((screen) => screen.startsWith("leap monitor · 1 session"))
      yield* window.type("q")
      assert.deepStrictEqual(yield* window.exit, { code: 0, signal: null })
      const piped = yield* room.leap([])
      assert.strictEqual(piped.code, 0)
      assert.match(piped.stdout, /^TAG .*\nfresh /)
    }
  )
})
