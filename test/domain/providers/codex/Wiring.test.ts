import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { codexHooks } from "../../../../src/domain/providers/codex/Wiring.ts"
import { parse, valueAt } from "../../../../src/domain/words/formats/TomlEdit.ts"
import { commandOf, installed, place, removed, statusOf, type Texts } from "../../../support/wiring/wiring.ts"

const hooksJson = "/home/me/.codex/hooks.json"
const configToml = "/home/me/.codex/config.toml"
const paths = (env: Record<string, string>, realPath = (path: string) => path) =>
  codexHooks.files(place({ env, realPath })).map(({ path }) => path)

/** Files that Codex 0.169.0 itself has written, but for the home directory: its user had trusted every hook. */
const fixture = (name: string) =>
  readFileSync(new URL(`../../../fixtures/settings/codex/${name}`, import.meta.url), "utf8")
const real: Texts = { [hooksJson]: fixture("hooks.json"), [configToml]: fixture("config.toml") }

const trustIn = (
  texts: Texts
): Readonly<Record<string, { readonly trusted_hash: string; readonly enabled?: boolean }>> =>
  (valueAt(Result.getOrThrow(parse(texts[configToml] ?? "")).value, ["hooks", "state"]) ?? {}) as never
const keysIn = (texts: Texts) => Object.keys(trustIn(texts)).map((key) => key.replace(`${hooksJson}:`, ""))

describe("files", () => {
  it("are named as Codex names them: links of CODEX_HOME are followed, those of the home directory are not", () => {
    const realPath = (path: string) => (path.startsWith("/link") ? path.replace("/link", "/real") : `/followed${path}`)
    assert.deepStrictEqual(paths({ HOME: "/home/me", CODEX_HOME: "/link/c/" }, realPath), [
      "/real/c/config.toml",
      "/real/c/hooks.json"
    ])
    assert.deepStrictEqual(paths({ HOME: "/home/me" }, realPath), [configToml, hooksJson])
  })
})

describe("trust", () => {
  it("is what Codex would have written, for every shape of hook", () => {
    // Each of the user's hooks in turn is called leap's, as far as its hash is concerned.
    const hooks = JSON.parse(fixture("hooks.json")) as {
      hooks: Record<string, Array<{ matcher?: string; hooks: Array<Record<string, unknown>> }>>
    }
    const wanted = trustIn(real)
    assert.strictEqual(Object.keys(wanted).length, 11)
    const own = fixture("hooks.json").replaceAll("/bin/true", "/bin/leap-hook.sh")
    const status = codexHooks.files(place())[0].status(fixture("config.toml"), () => own)
    // Same shapes, other commands: every hash differs, none is missing.
    assert.strictEqual(status.state, "outdated")
    for (const [event, groups] of Object.entries(hooks.hooks)) {
      for (const [group, { hooks: inner, matcher }] of groups.entries()) {
        for (const [index, hook] of inner.entries()) {
          const key = `${hooksJson}:${event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase()}:${group}:${index}`
          const hash = wanted[key]?.trusted_hash
          // A digest that stands for the text lets the test see what is hashed, and for leap only.
          const alone = {
            hooks: {
              [event]: [
                { ...(matcher === undefined ? {} : { matcher }), hooks: [{ ...hook, command: "leap-hook.sh" }] }
              ]
            }
          }
          const said: Array<string> = []
          codexHooks
            .files(
              place({
                sha256: (text) => {
                  said.push(text)
                  return ""
                }
              })
            )[0]
            .status("", () => JSON.stringify(alone))
          const digest = place().sha256((said[0] ?? "").replace('"leap-hook.sh"', JSON.stringify(hook["command"])))
          assert.strictEqual(`sha256:${digest}`, hash, key)
        }
      }
    }
  })

  it("goes to leap's hooks alone, at the places where they stand", () => {
    const texts = installed(codexHooks, real)
    for (const [key, { trusted_hash: hash }] of Object.entries(trustIn(real)))
      assert.strictEqual(trustIn(texts)[key]?.trusted_hash, hash)
    assert.isTrue(texts[configToml]?.startsWith(real[configToml] ?? "none"))
    assert.deepStrictEqual(statusOf(codexHooks, texts), { state: "installed", details: [] })
  })

  it("is missed when Codex would ask: after a change of the user's, until leap is installed again", () => {
    const texts = installed(codexHooks, real)
    // The user puts a group before leap's.
    const hooks = JSON.parse(texts[hooksJson] ?? "") as { hooks: Record<string, Array<unknown>> }
    hooks.hooks["Stop"]?.unshift({ hooks: [{ type: "command", command: "true" }] })
    const changed = { ...texts, [hooksJson]: JSON.stringify(hooks, null, 1) }
    const status = statusOf(codexHooks, changed)
    assert.deepStrictEqual(status.details, ["Codex does not trust leap's hook for Stop"])
    assert.strictEqual(status.state, "partly")
    const mended = installed(codexHooks, changed)
    assert.strictEqual(statusOf(codexHooks, mended).state, "installed")
    assert.include(keysIn(mended), "stop:3:0")
    assert.strictEqual(mended[hooksJson], changed[hooksJson])
  })

  it("of the user's moves along when leap's hooks go from before theirs", () => {
    const texts = installed(codexHooks, {})
    const hooks = JSON.parse(texts[hooksJson] ?? "") as { hooks: Record<string, Array<unknown>> }
    hooks.hooks["Stop"]?.push({
      hooks: [
        { type: "command", command: "one" },
        { type: "command", command: "two" }
      ]
    })
    const user = `\n[hooks.state."${hooksJson}:stop:1:0"] # mine\ntrusted_hash = "sha256:one"\nenabled = false\n\n[hooks.state."${hooksJson}:stop:1:1"]\ntrusted_hash = "sha256:two"\n`
    const filled = { [hooksJson]: JSON.stringify(hooks, null, 1), [configToml]: texts[configToml] + user }
    const left = removed(codexHooks, filled)
    assert.deepStrictEqual(trustIn(left), {
      [`${hooksJson}:stop:0:0`]: { trusted_hash: "sha256:one", enabled: false },
      [`${hooksJson}:stop:0:1`]: { trusted_hash: "sha256:two" }
    })
    assert.include(left[configToml], "# mine")
  })

  it("in what leap left behind half-way is taken back", () => {
    const texts = installed(codexHooks, {})
    // hooks.json is already without leap's hooks, config.toml is not.
    const { [hooksJson]: _, ...half } = texts
    assert.strictEqual(statusOf(codexHooks, half).state, "missing")
    assert.deepStrictEqual(installed(codexHooks, half), texts)
  })

  describe("where an edit was cut off between its two files, the next one finishes it", () => {
    const hookOf = (command: string) => ({ type: "command", command })
    const hashOf = (command: string) => {
      const hook = { async: false, command, timeout: 600, type: "command" }
      return `sha256:${place().sha256(JSON.stringify({ event_name: "stop", hooks: [hook] }))}`
    }
    const trusting = (entries: ReadonlyArray<readonly [place: string, command: string]>) =>
      entries
        .map(([at, command]) => `[hooks.state."${hooksJson}:${at}"]\ntrusted_hash = "${hashOf(command)}"\n`)
        .join("\n")
    /** As the files are when the second one, `late`, was not written. */
    const cut = (before: Texts, after: Texts, late: string): Texts => {
      const { [late]: _, ...rest } = after
      return before[late] === undefined ? rest : { ...rest, [late]: before[late] }
    }

    it("the user's hooks behind leap's", () => {
      const texts = installed(codexHooks, {})
      const hooks = JSON.parse(texts[hooksJson] ?? "") as { hooks: Record<string, Array<unknown>> }
      hooks.hooks["Stop"]?.push({ hooks: [hookOf("one"), hookOf("two")] })
      const user = trusting([
        ["stop:1:0", "one"],
        ["stop:1:1", "two"]
      ])
      const there = { [hooksJson]: JSON.stringify(hooks), [configToml]: `${texts[configToml]}\n${user}` }
      const left = removed(codexHooks, there)
      assert.deepStrictEqual(trustIn(left), {
        [`${hooksJson}:stop:0:0`]: { trusted_hash: hashOf("one") },
        [`${hooksJson}:stop:0:1`]: { trusted_hash: hashOf("two") }
      })
      assert.deepStrictEqual(trustIn(removed(codexHooks, cut(there, left, configToml))), trustIn(left))
    })
  })

  it("says what else keeps hooks from running", () => {
    const texts = installed(codexHooks, { [configToml]: "[features]\nhooks = false\n" })
    assert.deepStrictEqual(statusOf(codexHooks, texts), {
      state: "disabled",
      details: ["features.hooks is off: no hook will run"]
    })
    const off = { ...texts, [configToml]: (texts[configToml] ?? "").replace(/(stop:0:0"\]\n)/, "$1enabled = false\n") }
    assert.include(statusOf(codexHooks, off).details, "leap's hook for Stop is switched off")
  })

  it("is not written into a file that is no TOML", () => {
    for (const text of ["a = \n", "hooks = 3\n[hooks.state]\n", "hooks = { state = {} }\n"]) {
      assert.throws(() => installed(codexHooks, { [configToml]: text }), /config\.toml/)
    }
    assert.strictEqual(statusOf(codexHooks, { [configToml]: "a = \n" }).state, "unreadable")
    assert.throws(() => installed(codexHooks, { [hooksJson]: "{" }), /hooks\.json/)
  })

  it.prop(
    "holds whatever the user's hooks are, and leaves theirs alone",
    [
      Schema.Array(
        Schema.Struct({
          event: Schema.Literals(["Stop", "PreToolUse", "SessionEnd", "Mine"]),
          commands: Schema.Array(Schema.Literals(["true", "a b", "/old/leap-hook.sh idle"])),
          matcher: Schema.NullOr(Schema.Literals(["", "Bash"]))
        })
      )
    ],
    ([groups]) => {
      const hooks: Record<string, Array<unknown>> = {}
      for (const { commands, event, matcher } of groups) {
        ;(hooks[event] ??= []).push({
          ...(matcher === null ? {} : { matcher }),
          hooks: commands.map((command) => ({ type: "command", command }))
        })
      }
      const text = JSON.stringify({ hooks }, null, 2)
      const users = (texts: Texts) => {
        const all =
          (
            JSON.parse(texts[hooksJson] ?? "{}") as {
              hooks?: Record<string, Array<{ hooks: Array<{ command: string }> }>>
            }
          ).hooks ?? {}
        return Object.entries(all).flatMap(([event, list]) =>
          list.flatMap((group, g) =>
            group.hooks.flatMap(({ command }, h) =>
              command.includes("leap-hook.sh")
                ? []
                : [
                    [
                      `${event} ${command}`,
                      `${hooksJson}:${event.replace(/(?<=.)[A-Z]/g, "_$&").toLowerCase()}:${g}:${h}`
                    ] as const
                  ]
            )
          )
        )
      }
      // The user has trusted their own, each by its place.
      const state = users({ [hooksJson]: text }).map(
        ([name, key], index) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${name} ${index}"\n`
      )
      const before = { [hooksJson]: text, [configToml]: state.join("\n") }
      const trusted = (texts: Texts) => users(texts).map(([name, key]) => [name, trustIn(texts)[key]?.trusted_hash])
      const there = installed(codexHooks, before)
      assert.deepStrictEqual(statusOf(codexHooks, there), { state: "installed", details: [] })
      assert.deepStrictEqual(trusted(there), trusted(before))
      assert.deepStrictEqual(trusted(removed(codexHooks, there)), trusted(before))
      if (!text.includes("leap-hook.sh")) assert.deepStrictEqual(removed(codexHooks, there), before)
    },
    { arbitrary: { runs: 150 } }
  )
})

describe("events", () => {
  it("wait no longer than Codex lets them", () => {
    for (const { event, timeout } of codexHooks.events)
      if (event === "Interrupt" || event === "SessionEnd") assert.isAtMost(timeout, 3)
    const { hooks } = JSON.parse(installed(codexHooks, {})[hooksJson] ?? "") as { hooks: Record<string, unknown> }
    assert.deepStrictEqual(hooks["Interrupt"], [
      { hooks: [{ type: "command", command: commandOf("Interrupt"), timeout: 3 }] }
    ])
  })
})
