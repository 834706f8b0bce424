import { assert } from "@effect/vitest"
import { Arbitrary, Effect, Result, Schema } from "effect"
import type { HookWiring } from "../../../src/domain/cli/wiring/HookWiring.ts"
import { CLIProvider, type Provider } from "../../../src/services/CLIProvider.ts"
import { installed, place, removed, statusOf, type Texts } from "../../support/wiring/wiring.ts"
import { examined, type It } from "./examined.ts"
import { Json } from "./values.ts"

/** Without a wiring nothing may wait for what it would tell. */
const unwired = ({ detection, permissions }: Provider) => {
  assert.isFalse(detection.capabilities.turnHooks)
  assert.isEmpty(permissions.decisions)
}

/** The wiring of the provider that is examined, where it has one. */
const wired = (check: (hooks: HookWiring, provider: Provider) => void) =>
  examined((provider) => {
    if (provider.hooks === null) unwired(provider)
    else check(provider.hooks, provider)
  })

/** Texts that a user's file of this name may have. */
const usual = (path: string): ReadonlyArray<string> =>
  path.endsWith(".toml")
    ? ["", "# mine", 'model = "x"\n', '[a]\nb = 1 # c\r\n\r\n[[d]]\ne = [\n  "f",\n]']
    : path.endsWith(".json")
      ? ["", "{}", '{\n  "version": 1,\n  "mine": [1]\n}\n', '{"a":1}\r\n', '\ufeff{\n\t"b": "c" // d\n}']
      : path.endsWith("npmrc")
        ? ["a=1\n"]
        : []

const Layout = Schema.Struct({
  indent: Schema.Literals(["", "  ", "    ", "\t"]),
  ending: Schema.Literals(["", "\n", "\r\n", "\n\n"]),
  head: Schema.Literals(["", "\n", "// mine\n", "/* mine */ "])
})
const Key = Schema.Literals(["model", "version", "hooks", "env", "mine", "statusLine", "disableAllHooks"])
const Document = Arbitrary.map(
  Arbitrary.array(Arbitrary.all([Arbitrary.schema(Key), Json]), { maxLength: 5 }),
  (fields): Readonly<Record<string, unknown>> => Object.fromEntries(fields)
)

const toml = [
  'model = "x"',
  "# a note",
  "",
  "[mcp]",
  'a.b = "c"',
  "[[list]]",
  "n = 1",
  "hooks = 5",
  "[features]",
  "x = true"
]

/** Whether the texts can be wired at all: what cannot be understood is refused, and stays as it is. */
const wires = (hooks: HookWiring, texts: Texts): boolean =>
  hooks
    .files(place())
    .every((file) => Result.isSuccess(file.install(texts[file.path] ?? null, (path) => texts[path] ?? null)))

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text.replace(/^\ufeff/, ""))
    return true
  } catch {
    return false
  }
}

/** How leap is told of its events: every file as it was, once leap is out of it again. */
export const wiring = (it: It, real: ReadonlyArray<Texts>) => {
  it.effect("comes where nothing is, and goes without a trace", () =>
    wired((hooks) => {
      assert.strictEqual(statusOf(hooks, {}).state, "missing")
      const texts = installed(hooks, {})
      assert.isNotEmpty(Object.keys(texts))
      assert.deepStrictEqual(statusOf(hooks, texts), { state: "installed", details: [] })
      assert.deepStrictEqual(installed(hooks, texts), texts)
      assert.deepStrictEqual(removed(hooks, texts), {})
      assert.deepStrictEqual(removed(hooks, {}), {})
      for (const text of Object.values(texts)) if (text.includes('"command"')) assert.include(text, "leap-hook.sh")
    })
  )

  it.effect("is brought up to date when leap moves, and then goes without a trace", () =>
    wired((hooks) => {
      const old = installed(hooks, {}, place({ script: "/older/leap-hook.sh" }))
      const texts = installed(hooks, old)
      assert.deepStrictEqual(texts, installed(hooks, {}))
      assert.deepStrictEqual(removed(hooks, texts), {})
      if (Object.values(old).some((text) => text.includes("/older/")))
        assert.strictEqual(statusOf(hooks, old).state, "foreign")
    })
  )

  it.effect("says when one of several files is gone", () =>
    wired((hooks) => {
      const texts = installed(hooks, {})
      const main = hooks.files(place()).at(-1)?.path ?? ""
      const { [main]: gone, ...rest } = texts
      assert.isDefined(gone)
      assert.notStrictEqual(statusOf(hooks, rest).state, "installed")
      assert.deepStrictEqual(installed(hooks, rest), texts)
    })
  )

  it.effect("tells of each event once, and of none that is not read", () =>
    wired(({ events }, { detection }) => {
      const names = events.map(({ event }) => event)
      assert.strictEqual(new Set(names).size, names.length)
      for (const { event, timeout } of events) {
        assert.match(event, /^[A-Za-z][A-Za-z.]*$/)
        assert.isAtLeast(timeout, 0)
        const said = {
          session_id: "s",
          sessionId: "s",
          sessionID: "s",
          conversation_id: "s",
          text: "Done.",
          last_assistant_message: "Done.",
          notification_type: event === "notification" ? "permission_prompt" : "ToolPermission",
          toolName: "bash",
          status: { type: "busy" },
          part: { type: "text", text: "Done.", time: { start: 1, end: 2 } },
          error: { message: "m" },
          prompt: "p",
          trigger: "manual"
        }
        const read = detection.readHook(event, said).map(({ _tag }) => _tag)
        assert.notDeepEqual(read, ["Ignored"], event)
      }
    })
  )

  it.effect("never leaves a file of the user's that it did not find", () =>
    wired((hooks) => {
      for (const { path } of hooks.files(place()))
        for (const text of usual(path)) {
          const texts: Texts = { [path]: text }
          if (!wires(hooks, texts)) {
            // comments, where the CLI reads JSON alone and would ignore the file
            assert.isTrue(path.endsWith(".json") && !isJson(text), text)
            continue
          }
          const there = installed(hooks, texts)
          assert.strictEqual(statusOf(hooks, there).state, "installed", path)
          assert.deepStrictEqual(installed(hooks, there), there)
          assert.deepStrictEqual(removed(hooks, there), texts)
        }
    })
  )

  // Of some CLIs there are no files that a user left.
  if (real.length > 0)
    it.effect("gives files as the CLI's users have them back byte for byte", () =>
      wired((hooks) => {
        for (const texts of real) {
          const there = installed(hooks, texts)
          assert.notDeepEqual(there, texts)
          assert.include(["installed", "disabled"], statusOf(hooks, there).state)
          assert.deepStrictEqual(installed(hooks, there), there)
          assert.deepStrictEqual(removed(hooks, there), texts)
        }
      })
    )

  it.effect.prop(
    "gives any file that it can understand back byte for byte, and refuses the others",
    { document: Document, layout: Layout, rows: Schema.Array(Schema.Literals(toml)), missing: Schema.Boolean },
    ({ document, layout, missing, rows }) =>
      Effect.gen(function* () {
        const provider = yield* CLIProvider
        const { hooks } = provider
        if (hooks === null) return unwired(provider)
        const json = `${layout.head}${JSON.stringify(document, null, layout.indent)}${layout.ending}`
        const paths = hooks.files(place()).map(({ path }) => path)
        const texts: Texts = Object.fromEntries(
          paths.flatMap((path, n) =>
            missing && n > 0
              ? []
              : path.endsWith(".json")
                ? [[path, json] as const]
                : path.endsWith(".toml")
                  ? [[path, rows.join(layout.ending === "\r\n" ? "\r\n" : "\n") + layout.ending] as const]
                  : []
          )
        )
        const before = statusOf(hooks, texts)
        if (!wires(hooks, texts)) return
        const there = installed(hooks, texts)
        assert.include(["installed", "disabled", "partly"], statusOf(hooks, there).state, before.state)
        assert.deepStrictEqual(installed(hooks, there), there)
        assert.deepStrictEqual(removed(hooks, there), texts)
      }),
    { arbitrary: { runs: 50 } }
  )
}
