import { assert, describe } from "@effect/vitest"
import { Effect, Layer, Option, Ref, Result, Stream } from "effect"
import { readSettings } from "../../../src/domain/store/settings/readSettings.ts"
import { defaultSettings } from "../../../src/domain/store/settings/Settings.ts"
import * as ProvidersBuiltin from "../../../src/layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "../../../src/layers/providers/ProvidersConfigured.ts"
import {
  addClis,
  type CliFields,
  editClis,
  hideClis,
  listClis,
  orderClis,
  removeClis
} from "../../../src/programs/cliSetup/clis.ts"
import { describe as told } from "../../../src/programs/exit.ts"
import { CliVersions } from "../../../src/services/CliVersions.ts"
import { NoProgramError, System } from "../../../src/services/System.ts"
import type { Providers } from "../../../src/services/Providers.ts"
import { UserSettings } from "../../../src/services/UserSettings.ts"
import { effect, effectOfEach } from "../../support/run/effects.ts"
import { each } from "../../support/data/fields.ts"
import { StoreError } from "../../../src/services/StoreError.ts"

const builtin = ProvidersBuiltin.registrations.map(({ identity }) => identity.id)

/** Settings in memory, and a machine that has every program but Gemini. */
const place = (text: string | null, env: Readonly<Record<string, string>> = {}) => {
  const file = Ref.makeUnsafe(text)
  const read = Effect.map(Ref.get(file), (text) =>
    readSettings(text === null ? null : new TextEncoder().encode(text), builtin)
  )
  const settings = Layer.succeed(UserSettings, {
    file: "/settings.json",
    read,
    change: (edit) =>
      Effect.gen(function* () {
        const edited = edit(yield* Ref.get(file))
        if (Result.isFailure(edited))
          return yield* new StoreError({
            store: "settings",
            reason: "failed",
            file: "/settings.json",
            why: edited.failure
          })
        yield* Ref.set(file, edited.success)
      }),
    changes: Effect.succeed(Stream.empty)
  })
  const machine = Layer.mock(System, {
    env,
    cwd: "/here",
    pid: 1,
    version: "0",
    node: "24",
    platform: "linux",
    self: ["leap"],
    which: (command) =>
      command === "gemini"
        ? new NoProgramError({ command, file: null, found: false })
        : Effect.succeed(command.includes("/") ? command : `/bin/${command}`)
  })
  const versions = Layer.succeed(CliVersions, {
    lookUp: ({ program }) => Effect.succeed(program === "/bin/codex" ? "1.2.3" : null),
    flags: () => Effect.succeed(null)
  })
  // each command starts a process, which reads the settings anew
  const run = <A, E>(command: Effect.Effect<A, E, CliVersions | System | UserSettings | Providers>) =>
    command.pipe(
      Effect.provide(
        Layer.mergeAll(
          settings,
          machine,
          versions,
          ProvidersConfigured.layerOf(ProvidersBuiltin.registrations).pipe(Layer.provide(settings))
        ),
        { local: true }
      )
    )
  return { run, text: Ref.get(file), settings: Effect.map(read, ({ settings }) => settings) }
}

const words = (given: {
  readonly [K in keyof CliFields]?: K extends "env" ? ReadonlyArray<string> : string
}): CliFields => ({
  name: Option.fromUndefinedOr(given.name),
  command: Option.fromUndefinedOr(given.command),
  flags: Option.fromUndefinedOr(given.flags),
  env: given.env ?? []
})
const add = (id: string | null, base: string, given: Parameters<typeof words>[0] = {}) =>
  addClis(Option.fromNullOr(id), base, words(given))
const edit = (
  id: string,
  given: Parameters<typeof words>[0],
  unset: ReadonlyArray<string> = [],
  base: string | null = null
) => editClis(id, Option.fromNullOr(base), words(given), unset)

describe("leap clis", () => {
  effect("adds CLIs, with an id made of the name where none is given", function* () {
    const { run, settings } = place(null)
    assert.strictEqual(yield* run(add("work", "claude")), "work")
    assert.strictEqual(
      yield* run(
        add(null, "codex", { name: "My Codex!", command: "./bin/codex", flags: "-m 'x y'", env: ["A=b=c", " B = d"] })
      ),
      "my-codex"
    )
    assert.strictEqual(yield* run(add(null, "codex", { name: "my codex" })), "my-codex-2")
    assert.strictEqual(yield* run(add(null, "codex", { name: "Claude" })), "claude-2")
    assert.deepStrictEqual((yield* settings).clis, {
      work: { base: "claude" },
      "my-codex": {
        base: "codex",
        displayName: "My Codex!",
        command: "/here/bin/codex",
        flags: "-m 'x y'",
        env: { A: "b=c", B: " d" }
      },
      "my-codex-2": { base: "codex", displayName: "my codex" },
      "claude-2": { base: "codex", displayName: "Claude" }
    })
  })

  effect("changes what is said of leap's own CLIs and of the user's", function* () {
    const { run, settings } = place(
      '{"clis": {"work": {"base": "claude", "displayName": "W", "env": {"A": "1", "B": "2"}}}}'
    )
    yield* run(edit("claude", { flags: "-x", env: ["K=v"] }))
    yield* run(edit("work", { name: "Work", env: ["C=3"] }, ["env.A"], "codex"))
    assert.deepStrictEqual((yield* settings).clis, {
      claude: { flags: "-x", env: { K: "v" } },
      work: { base: "codex", displayName: "Work", env: { B: "2", C: "3" } }
    })
    // an empty text takes away, as --unset does
    yield* run(edit("claude", { flags: "" }, ["env"]))
    yield* run(edit("work", { env: ["ONLY=1"] }, ["name", "env"]))
    assert.deepStrictEqual((yield* settings).clis, { claude: {}, work: { base: "codex", env: { ONLY: "1" } } })
  })

  effect("takes the user's CLIs away, out of the order too, and those that cannot be used", function* () {
    const { run, settings, text } = place(
      '{"clis": {"a": {"base": "claude"}, "bad": 5, "worse": {"base": "vim"}}, "order": ["a", "codex"]}'
    )
    for (const id of ["a", "bad", "worse"]) yield* run(removeClis(id))
    assert.deepStrictEqual(yield* settings, { ...defaultSettings, order: ["codex"] })
    assert.strictEqual(yield* text, '{"clis": {}, "order": ["codex"]}')
  })

  effect("lists, hides, shows and orders them", function* () {
    const { run, settings } = place('{"clis": {"mine": {"base": "codex", "flags": "-a \'b"}}, "nonsense": 1}', {
      LEAP_CLAUDE_FLAGS: "-c"
    })
    assert.deepStrictEqual((yield* run(orderClis(["mine", "gemini"]))).slice(0, 3), ["mine", "gemini", "claude"])
    yield* run(hideClis(["claude", "codex"], true))
    yield* run(hideClis(["codex"], false))
    const { clis, warnings } = yield* run(listClis())
    assert.deepStrictEqual(clis.slice(0, 4), [
      {
        id: "mine",
        base: "codex",
        custom: true,
        displayName: "mine",
        command: "codex",
        path: "/bin/codex",
        version: "1.2.3",
        flags: "-a 'b",
        flagsFrom: "settings",
        env: {},
        hidden: false
      },
      {
        id: "gemini",
        base: "gemini",
        custom: false,
        displayName: "Gemini CLI",
        command: "gemini",
        path: null,
        version: null,
        flags: null,
        flagsFrom: null,
        env: {},
        hidden: false
      },
      {
        id: "claude",
        base: "claude",
        custom: false,
        displayName: "Claude Code",
        command: "claude",
        path: "/bin/claude",
        version: null,
        flags: "-c",
        flagsFrom: "environment",
        env: {},
        hidden: true
      },
      {
        id: "codex",
        base: "codex",
        custom: false,
        displayName: "OpenAI Codex",
        command: "codex",
        path: "/bin/codex",
        version: "1.2.3",
        flags: null,
        flagsFrom: null,
        env: {},
        hidden: false
      }
    ])
    assert.notInclude(each(clis, "id"), "demo")
    assert.deepStrictEqual(warnings, [
      '/settings.json: line 1, column 93: "nonsense" is nothing that leap knows',
      "ignored the flags of 'mine' in leap's settings: a ' is never closed"
    ])
    assert.deepStrictEqual((yield* settings).order, ["mine", "gemini"])
    assert.deepStrictEqual((yield* run(orderClis([]))).slice(0, 2), ["mine", "gemini"])
  })

  effectOfEach<readonly [command: Parameters<ReturnType<typeof place>["run"]>[0], code: number, says: RegExp]>([
    [add(null, "claude"), 2, /needs an id, or a --name/],
    [add("x", "vim"), 2, /'vim' cannot be a base/],
    [add("x", "mine"), 2, /'mine' cannot be a base/],
    [add("X/..", "claude"), 2, /cannot be an id/],
    [add("claude", "claude"), 5, /CLI of leap's own/],
    [add("mine", "claude"), 5, /a CLI 'mine' already/],
    [add("bad", "claude"), 1, /a CLI 'bad' already/],
    [add("x", "claude", { flags: "--a 'b" }), 2, /a ' is never closed/],
    [add("x", "claude", { env: ["NOVALUE"] }), 2, /KEY=VALUE/],
    [add("x", "claude", { env: ["LEAP_TAG=y"] }), 2, /set by leap itself/],
    [add("x", "claude", { name: "a\u001b[2J" }), 2, /--name: it holds a control character/],
    [edit("nobody", { flags: "x" }), 3, /no CLI is called 'nobody'; known: claude/],
    [edit("mine", {}), 2, /nothing to change/],
    [edit("mine", {}, ["everything"]), 2, /--unset takes/],
    [edit("mine", {}, ["toString"]), 2, /--unset takes/],
    [edit("claude", {}, [], "codex"), 5, /has no base/],
    [removeClis("claude"), 5, /stays/],
    [removeClis("nobody"), 3, /no CLI of yours is called 'nobody'/],
    [hideClis(["nobody"], true), 3, /no CLI is called/],
    [hideClis(["claude", "codex", "gemini", "copilot", "cursor-agent", "opencode", "mine"], true), 5, /hide the last/],
    [orderClis(["mine", "mine"]), 2, /named twice/],
    [orderClis(["nobody"]), 3, /no CLI is called/]
  ])("refuses bad input with its exit code, and changes nothing (%#)", function* ([command, code, says]) {
    const before = '{"clis": {"mine": {"base": "claude"}, "bad": 5}}'
    const { run, text } = place(before)
    const { exitCode, message } = told(yield* Effect.flip(run(command)))
    assert.strictEqual(exitCode, code, message)
    assert.match(message, says)
    assert.notInclude(message, "\n")
    assert.strictEqual(yield* text, before)
  })
})

describe("patterns of a CLI of the user's own", () => {
  const none = { box: [], busy: [], done: [], dialog: [] }
  const given = (screen: Partial<CliFields["screen"]>): CliFields => ({
    ...words({ command: "odd" }),
    screen: { ...none, ...screen }
  })

  effect("are added, replaced and taken away, each kind by itself", function* () {
    const { run, settings } = place(null)
    const screen = Effect.map(settings, ({ clis }) => clis["odd"]?.screen)
    yield* run(addClis(Option.some("odd"), "generic", given({ box: ["> {draft}"], busy: ["*{wheel} *", "* esc"] })))
    assert.deepStrictEqual(yield* screen, { box: ["> {draft}"], busy: ["*{wheel} *", "* esc"] })
    yield* run(
      editClis("odd", Option.none(), { ...given({ busy: ["x *"], done: ["{box}"] }), command: Option.none() }, ["box"])
    )
    assert.deepStrictEqual(yield* screen, { busy: ["x *"], done: ["{box}"] })
  })

  effectOfEach<readonly [base: string, screen: Partial<CliFields["screen"]>, says: RegExp]>([
    ["claude", { box: ["> {draft}"] }, /a reader of its own/],
    ["generic", { box: ["{draft}"] }, /--box '\{draft\}': it fits any row/],
    ["generic", { busy: ["> {draft}"] }, /only a pattern of the box/],
    ["generic", { dialog: ["{box}"] }, /none of/],
    ["generic", { box: Array.from({ length: 21 }, (_, n) => `x${n}`) }, /at most 20/]
  ])("are refused with a reason: %s %j", function* ([base, screen, says]) {
    const { run, text } = place("{}")
    const { exitCode, message } = told(yield* Effect.flip(run(addClis(Option.some("odd"), base, given(screen)))))
    assert.strictEqual(exitCode, 2)
    assert.match(message, says)
    assert.strictEqual(yield* text, "{}")
  })
})
