import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { compareVersions } from "../../../../src/domain/words/reading/Version.ts"
import { claudeHooks } from "../../../../src/domain/providers/claude/Wiring.ts"
import { eventsByVersion, type WiredFile } from "../../../../src/domain/cli/wiring/HookWiring.ts"
import { place } from "../../../support/wiring/wiring.ts"

const event = (name: string, since?: string) => ({
  event: name,
  canAnswer: false,
  timeout: 5,
  matcher: null,
  ...(since === undefined ? {} : { since })
})
const all = [event("Start"), event("Middle", "2.0.0"), event("Late", "3.0.0")]

describe("events by version", () => {
  it.each([
    ["absent", {}, "1.0.0", ["Start Middle Late", "", ""]],
    ["the first", { version: "1.0.0" }, "1.0.0", ["Start", "", "Middle Late"]],
    ["one between", { version: "2.5.0" }, "1.0.0", ["Start Middle", "", "Late"]],
    ["the last", { version: "3.0.0" }, "1.0.0", ["Start Middle Late", "", ""]],
    ["unknown", { version: null }, "2.0.0", ["Start Middle", "Late", ""]],
    ["unknown, as is the oldest", { version: null }, null, ["Start Middle Late", "", ""]],
    ["one event alone", { version: "1.0.0", only: "Start" }, "1.0.0", ["Start", "", ""]]
  ] as const)("%s", (_, at, oldest, [events, tolerated, refused]) => {
    const names = (of: ReadonlyArray<{ readonly event: string }>) => of.map(({ event }) => event).join(" ")
    const found = eventsByVersion(all, at, oldest)
    assert.deepStrictEqual(
      [names(found.events), names(found.tolerated), names(found.refused)],
      [events, tolerated, refused]
    )
  })
})

const file = (version?: string | null): WiredFile => {
  const files = claudeHooks.files(place(version === undefined ? {} : { version }))
  return files[files.length - 1] ?? files[0]
}
const edited = (text: string | null, version: string | null | undefined, act: "install" | "remove" = "install") =>
  Result.getOrThrow(file(version)[act](text, () => null))
const eventsIn = (text: string | null): ReadonlyArray<string> =>
  Object.keys((JSON.parse(text ?? "{}") as { hooks?: object }).hooks ?? {})
const stateAs = (text: string | null, version: string | null) => file(version).status(text, () => null)

const late = ["PermissionDenied", "StopFailure", "PostCompact", "Elicitation", "ElicitationResult"]

describe("Claude Code's settings", () => {
  it.each([
    ["2.0.77", late],
    ["2.1.75", late],
    ["2.1.76", ["PermissionDenied", "StopFailure"]],
    ["2.1.80", ["PermissionDenied"]],
    ["2.1.89", []],
    ["2.1.90", []],
    ["2.1.329", []],
    [null, late]
  ])("for %s have all events but %j", (version, without) => {
    const events = eventsIn(edited(null, version))
    assert.deepStrictEqual(
      claudeHooks.events
        .map(({ event }) => event)
        .filter((event) => !events.includes(event))
        .sort(),
      [...without].sort()
    )
    assert.strictEqual(stateAs(edited(null, version), version).state, "installed")
  })

  it("with an event too new are refused as a whole, told by its name, and mended by an installation", () => {
    const text = edited('{"permissions":{"deny":["Bash(rm *)"]}}', "2.1.329")
    assert.deepStrictEqual(stateAs(text, "2.1.80"), {
      state: "refused",
      details: ["this version does not read the file while it has entries for PermissionDenied"]
    })
    const mended = edited(text, "2.1.80")
    assert.strictEqual(stateAs(mended, "2.1.80").state, "installed")
    // The newer one misses what the older one had to do without.
    assert.strictEqual(stateAs(mended, "2.1.329").state, "partly")
    assert.strictEqual(edited(mended, "2.1.80", "remove"), '{"permissions":{"deny":["Bash(rm *)"]}}')
  })

  const versions = ["1.0.50", "2.0.50", "2.0.77", "2.1.76", "2.1.80", "2.1.90", "2.1.329"]
  const mine = [
    "{}",
    "",
    null,
    '{\n  // mine\n  "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],},\n}\n',
    '\uFEFF{"hooks":{"PermissionDenied":[],"PreToolUse":[]},"model":"opus"}\r\n',
    '{ "permissions": { "deny": ["Bash(rm *)"] } }'
  ]
  it.prop(
    "go through any versions one after another, and come out byte for byte",
    [Schema.Array(Schema.NullOr(Schema.Literals(versions))), Schema.Literals([0, 1, 2, 3, 4, 5])],
    ([path, which]) => {
      const before = mine[which] ?? null
      let text: string | null = before
      for (const version of path) {
        // With a comment in it Claude Code reads nothing of the file: entries of leap's would do nothing there.
        if (text?.includes("// mine") === true) {
          assert.isTrue(Result.isFailure(file(version).install(text, () => null)))
          assert.strictEqual(stateAs(text, version).state, "unreadable")
          continue
        }
        text = edited(text, version)
        assert.strictEqual(edited(text, version), text)
        assert.strictEqual(stateAs(text, version).state, "installed")
      }
      assert.strictEqual(edited(text, path.at(-1) ?? null, "remove"), before)
    },
    { arbitrary: { runs: 100 } }
  )

  it("name a version for every event that the oldest one did not have", () => {
    const sinceWhen = claudeHooks.events.flatMap(({ since }) => since ?? [])
    assert.isNotEmpty(sinceWhen)
    // Later ones refuse no file.
    for (const since of sinceWhen) assert.isBelow(compareVersions(since, "2.1.101"), 0)
  })
})
