import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { endless, hosted, inOrder, makeProject, type RealCli, untilStatus } from "./hosted.ts"
import { roomOf, runLeap, type Status } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"
import { each } from "../support/data/fields.ts"
import { openWindow, windows } from "../support/processes/Window.ts"
import { isThorough } from "../support/run/thorough.ts"

interface Place {
  readonly home: string
  readonly project: string
}
interface Layer {
  readonly name: string
  readonly prepare?: (place: Place) => void
  readonly args?: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  /** Files in /etc, by which an administrator switches them off. */
  readonly etc?: Readonly<Record<string, string>>
  /** What is said of where it stands; null where leap cannot see it and goes by the events alone. */
  readonly names: RegExp | null
}

const put = (file: string, text: string) => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const merge = (file: string, more: object) =>
  put(
    file,
    JSON.stringify({ ...(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {}), ...more })
  )
const off = JSON.stringify({ disableAllHooks: true })
const noHooks = "\n[features]\nhooks = false\n"
const disabled = { hooksConfig: { enabled: false } }

/** A program of the CLI's name that hands it these arguments, which leap does not see. */
const behind =
  (id: string, ...args: ReadonlyArray<string>) =>
  ({ home }: Place) => {
    const real = execFileSync("sh", ["-c", `command -v ${id}`], { encoding: "utf8" }).trim()
    const words = args.map((arg) => `'${arg}'`).join(" ")
    put(join(home, "bin", id), `#!/bin/sh\nexec "${real}" "$@" ${words}\n`)
    chmodSync(join(home, "bin", id), 0o755)
  }

/** Runs what follows in a mount namespace of its own, whose /etc is a copy with these files. */
const withEtc = (home: string, files: Readonly<Record<string, string>>): ReadonlyArray<string> => {
  const etc = join(home, "etc")
  // what only another user may read stays out of it
  execFileSync("sh", ["-c", 'cp -a /etc "$1" 2> /dev/null || test -d "$1"', "sh", etc])
  for (const [name, text] of Object.entries(files)) put(join(etc, name), text)
  return ["unshare", "-m", "sh", "-c", 'mount --bind "$0" /etc && exec "$@"', etc]
}

/** Every layer in which the hooks of these CLIs can be switched off. */
const layers: ReadonlyArray<readonly [RealCli, Layer]> = [
  [
    claude,
    {
      name: "a project",
      prepare: ({ project }) => put(join(project, ".claude/settings.json"), off),
      names: /disableAllHooks in .*\.claude\/settings\.json/
    }
  ],
  [
    claude,
    {
      name: "a project, for oneself",
      prepare: ({ project }) => put(join(project, ".claude/settings.local.json"), off),
      names: /settings\.local\.json/
    }
  ],
  [
    claude,
    {
      name: "the user",
      prepare: ({ home }) => merge(join(home, ".claude/settings.json"), { disableAllHooks: true }),
      names: /disableAllHooks/
    }
  ],
  [
    claude,
    {
      name: "the administrator",
      etc: { "claude-code/managed-settings.json": off },
      names: /disableAllHooks in \/etc\/claude-code\/managed-settings\.json, which is managed/
    }
  ],
  [
    claude,
    {
      name: "the administrator, who allows their own alone",
      etc: { "claude-code/managed-settings.d/10-hooks.json": JSON.stringify({ allowManagedHooksOnly: true }) },
      names: /allowManagedHooksOnly in \/etc\/claude-code\/managed-settings\.d\/10-hooks\.json/
    }
  ],
  [claude, { name: "an option", args: ["--settings", off], names: /--settings/ }],
  [claude, { name: "sources", args: ["--setting-sources", "project,local"], names: /--setting-sources/ }],
  [claude, { name: "nobody knows what", prepare: behind("claude", "--settings", off), names: null }],
  [
    codex,
    {
      name: "the user",
      prepare: ({ home }) =>
        put(join(home, ".codex/config.toml"), readFileSync(join(home, ".codex/config.toml"), "utf8") + noHooks),
      names: /features\.hooks is off/
    }
  ],
  [
    codex,
    {
      name: "a project",
      prepare: ({ project }) => put(join(project, ".codex/config.toml"), noHooks),
      names: /features\.hooks is off in .*project/
    }
  ],
  [
    codex,
    {
      name: "the system",
      etc: { "codex/config.toml": noHooks },
      names: /features\.hooks is off in \/etc\/codex\/config\.toml/
    }
  ],
  [
    codex,
    {
      name: "the administrator",
      etc: { "codex/managed_config.toml": noHooks },
      names: /features\.hooks is off in \/etc\/codex\/managed_config\.toml, which is managed/
    }
  ],
  [
    codex,
    {
      name: "what is required",
      etc: { "codex/requirements.toml": "allow_managed_hooks_only = true\n" },
      names: /allow_managed_hooks_only in \/etc\/codex\/requirements\.toml/
    }
  ],
  [codex, { name: "an option", args: ["--disable", "hooks"], names: /--disable hooks/ }],
  [codex, { name: "nobody knows what", prepare: behind("codex", "--disable", "hooks"), names: null }],
  [
    gemini,
    {
      name: "a project",
      prepare: ({ project }) => put(join(project, ".gemini/settings.json"), JSON.stringify(disabled)),
      names: /hooksConfig\.enabled is off/
    }
  ],
  [
    gemini,
    {
      name: "a project, by name",
      prepare: ({ project }) => put(join(project, ".gemini/settings.json"), '{"hooksConfig":{"disabled":["leap"]}}'),
      names: /hooksConfig\.disabled names/
    }
  ],
  [
    gemini,
    {
      name: "the user",
      prepare: ({ home }) => merge(join(home, ".gemini/settings.json"), disabled),
      names: /hooksConfig\.enabled is off/
    }
  ],
  [
    gemini,
    {
      name: "the administrator",
      etc: { "gemini-cli/settings.json": JSON.stringify(disabled) },
      names: /hooksConfig\.enabled is off in \/etc\/gemini-cli\/settings\.json/
    }
  ],
  [
    gemini,
    {
      name: "the system's defaults",
      etc: { "gemini-cli/system-defaults.json": JSON.stringify(disabled) },
      names: /hooksConfig\.enabled is off in \/etc\/gemini-cli\/system-defaults\.json/
    }
  ],
  [
    copilot,
    {
      name: "a project",
      prepare: ({ project }) => put(join(project, ".github/copilot/settings.json"), off),
      names: /\.github\/copilot\/settings\.json/
    }
  ],
  [
    copilot,
    {
      name: "a project, for oneself",
      prepare: ({ project }) => put(join(project, ".github/copilot/settings.local.json"), off),
      names: /settings\.local\.json/
    }
  ],
  [
    copilot,
    {
      name: "a project, for Claude Code",
      prepare: ({ project }) => put(join(project, ".claude/settings.json"), off),
      names: /\.claude\/settings\.json/
    }
  ],
  [opencode, { name: "an option", args: ["--pure"], names: /--pure/ }],
  [opencode, { name: "the environment", env: { OPENCODE_PURE: "1" }, names: /OPENCODE_PURE/ }],
  [opencode, { name: "nobody knows what", prepare: behind("opencode", "--pure"), names: null }]
]

interface UnwiredStatus extends Status {
  readonly unwired?: { readonly text: string; readonly rules: number } | null
}

describe("a deny rule that the hooks of the real CLI cannot hold", () => {
  // the first and the last of each CLI in CI, all with LEAP_THOROUGH=1
  const tried = layers.filter(([cli], n) => isThorough || layers[n - 1]?.[0] !== cli || layers[n + 1]?.[0] !== cli)
  it.each(tried.map(([cli, layer]) => ({ cli, layer, id: cli.id, by: layer.name })))(
    "is said of $id, switched off by $by",
    async ({ cli, layer: { args = [], env: more = {}, etc, names, prepare } }) => {
      const tag = `off-${cli.id}`
      const home = join(process.env["HOME"] ?? "", `${tag}-${Math.random().toString(36).slice(2, 8)}`)
      const project = join(home, "project")
      makeProject(project)
      const api = new FakeModel(cli.wire)
      const env = {
        ...process.env,
        ...cli.prepare(home, project, await api.open()),
        ...more,
        HOME: home,
        LEAP_HOME: join(home, "leap"),
        PATH: `${join(home, "bin")}:${process.env["PATH"] ?? ""}`
      }
      const within = etc === undefined ? [] : withEtc(home, etc)
      const leap = (...words: ReadonlyArray<string>) => runLeap(env, words, undefined, within)
      mkdirSync(join(home, "leap"), { recursive: true, mode: 0o700 })
      writeFileSync(join(home, "leap", "settings.json"), JSON.stringify({ policy: { deny: [{ command: "touch *" }] } }))
      try {
        assert.strictEqual((await leap("hooks", "install", "--cli", cli.id)).code, 0)
        prepare?.({ home, project })
        const status = async () => {
          const { sessions } = JSON.parse((await leap("status", tag, "--json")).out) as {
            sessions: ReadonlyArray<UnwiredStatus>
          }
          return sessions[0]!
        }
        const cliArgs = [...(cli.args ?? []), ...args]
        const begun = Date.now()
        const start = [tag, "--cli", cli.id, "--cwd", project, "--detach"]
        const started = await leap(...start, ...(cliArgs.length === 0 ? [] : ["--", ...cliArgs]))
        assert.strictEqual(started.code, 0, started.err)
        const up = ({ ready, state }: Status) => state === "idle" && ready
        // One that promises no event before its first turn, and whose settings tell nothing, is found out by that.
        if (names === null && cli !== claude) {
          await untilStatus("the CLI is up", status, up)
          api.script(say("It is done."))
          await leap("send", tag, "say done")
        }
        const told = (await untilStatus(
          "it is said",
          status,
          (now) => (now as UnwiredStatus).unwired != null
        )) as UnwiredStatus
        process.stderr.write(
          `${cli.id}, ${names === null ? "by its events" : String(names)}: said ${Date.now() - begun} ms after the start\n`
        )
        assert.strictEqual(told.unwired?.rules, 1)
        if (names !== null) {
          assert.match(told.unwired?.text ?? "", names)
          assert.match(started.err, names)
        }
        await leap("send", tag, "do more")
        const held = await untilStatus("it is held", status, ({ queue }) => queue.some((one) => one.status === "held"))
        assert.strictEqual(held.pause?.kind, "unwired")
        assert.match((await leap("why", tag)).out, /not wired here/)
        assert.match((await leap("doctor")).out, /not wired here/)

        // Options of the CLI's own are a session's.
        if (args.length > 0) return
        const run = ["exec", "--provider", cli.id, "--cwd", project, "say done"]
        if (names === null) api.script(cli.shell("touch marker"), say("It is done."))
        const ran = await leap(...run)
        assert.strictEqual(ran.code, 2, `${ran.out}${ran.err}`)
        assert.match(ran.err, /would not heed leap's rules/)
        if (names !== null) assert.isFalse(existsSync(join(project, "marker")))
      } finally {
        await leap("stop", tag, "--force")
        await api.close()
      }
    }
  )
})

/** When the last start began, and what of it is known, in milliseconds since then. */
const started = { at: 0, told: "" }
const tellStart = (id: string, how: string) =>
  process.stderr.write(`${id}, ${how}: ${started.told}, its state known after ${Date.now() - started.at} ms\n`)

/** How the first start of a CLI at a terminal goes: what is answered to the question, until it is seen and left. */
const starting =
  (answer: string): NonNullable<RealCli["starts"]> =>
  (words, { env, project }) =>
    Effect.gen(function* () {
      started.at = Date.now()
      const since = () => Date.now() - started.at
      const window = yield* openWindow(roomOf(env, project), words, { cols: 100, rows: 30 })
      yield* window.shows("add the hooks and start")
      const asked = since()
      yield* window.type(answer)
      // the hint lies over what the CLI has painted
      yield* window.shows("ctrl-\\ leaves")
      started.told = `asked after ${asked} ms, painted after ${since()} ms`
      yield* window.type("\x1c")
      assert.strictEqual((yield* window.exit).code, 0)
      assert.include(window.screen(), "[detached; session")
    }).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(...windows)), Effect.runPromise)

const [down, enter] = ["\x1b[B", "\r"]

describe.each([claude, codex, copilot, gemini, opencode].map((cli) => [cli.id, cli] as const))(
  "%s without leap's hooks",
  (id, cli) => {
    const texts = (list: ReadonlyArray<string>) => list.map(cli.arrives ?? ((text) => text))
    const unwired: RealCli = { ...cli, unwired: true }

    it("gets four queued messages, each after the turn before, and none into a dialog or after an interrupt", () =>
      hosted(
        { ...unwired, starts: starting(`${down}${enter}`) },
        `${id}-unwired`,
        async ({ api, leap, project, screenShows, stays, status, tag, tryLeap, until }) => {
          tellStart(id, "without hooks")
          const first = "Begin, please."
          const queued = ["Make the folder.", "And the second:\n  two lines", "第三 — 'three' 🎉", "The fourth."]
          const turn = endless("Working")
          api.script(turn.reply, cli.shell("touch made"), say("Made."), say("Two."), say("Three."), say("Four."))
          await leap(["send", tag, first])
          await api.until("the first turn streams", (main) => main[0]?.startedAt != null)
          await leap(["wait", tag, "--until", "running", "--timeout", "30"])
          for (const text of queued) await leap(["send", tag, text])
          const waiting = ({ queue, ready }: Status, count: number) =>
            !ready && queue.filter((message) => message.status === "queued").length === count
          await stays("four wait while it streams", 2000, (now) => now.state === "running" && waiting(now, 4))
          turn.end()
          await leap(["wait", tag, "--until", "needs_permission", "--timeout", "60"])
          await stays("three wait in its dialog", 3000, (now) => now.state === "needs_permission" && waiting(now, 3))
          assert.lengthOf(api.main, 2)
          await leap(["answer", tag, "1"])
          await api.until("all are answered", (main) => main.length === 6 && main[5]?.endedAt != null, 90_000)
          const rest = ({ queue, ready, state }: Status) =>
            state === "idle" && ready && queue.every((message) => message.status === "done")
          await until("at rest", rest)
          assert.isTrue(existsSync(join(project, "made")))
          const said = [first, ...queued]
          assert.deepStrictEqual(
            each(api.main, "conversation"),
            [1, 2, 2, 3, 4, 5].map((n) => texts(said.slice(0, n)))
          )
          inOrder(api.main)

          const long = endless("This takes long")
          api.script(long.reply, say("I go on."), say("And that too."))
          await leap(["send", tag, "Do something long."])
          await screenShows("This takes long (")
          await leap(["interrupt", tag])
          await leap(["wait", tag, "--until", "interrupted", "--timeout", "30"])
          await api.until("the CLI hung up", (main) => main[6]?.aborted === true)
          long.end()
          await leap(["send", tag, "Later."])
          await stays("it waits after an interrupt", 3000, (now) => now.state === "interrupted" && waiting(now, 1))
          await leap(["send", tag, "--force", "Go on."])
          await api.until("both are answered", (main) => main.length === 9 && main[8]?.endedAt != null)
          await until("at rest again", rest)
          const interrupted = cli.forgetsInterrupted === true ? [] : ["Do something long."]
          assert.deepStrictEqual(api.main[8]?.conversation, texts([...said, ...interrupted, "Go on.", "Later."]))

          // what only hooks tell is said where it is missing
          const { context, cost, lastResponse } = await status()
          assert.deepStrictEqual([context, cost, lastResponse], [null, null, null])
          const last = await tryLeap(["last", tag])
          assert.strictEqual(last.code, 1)
          assert.match(last.err, /runs without leap's hooks/)
          assert.match(await leap(["why", tag]), /^not known +context, cost, last message: only hooks tell of them$/m)
          for (const words of [["status", tag], ["doctor"]])
            assert.match((await tryLeap(words)).out, /not wired here: .*; not known: context, cost, last message/)
        }
      ))

    it("is refused where a deny rule needs them, and tells of one that is made later", () =>
      hosted(unwired, `${id}-denied`, async ({ env, leap, project, tag, tryLeap, until }) => {
        const settings = join(env["HOME"] ?? "", ".config/leap/settings.json")
        put(settings, JSON.stringify({ policy: { deny: [{ command: "touch *" }] } }))
        const told = (await until("it is said", (now) => (now as UnwiredStatus).unwired?.rules === 1)) as UnwiredStatus
        assert.match(told.unwired?.text ?? "", /not wired/)
        await leap(["send", tag, "do more"])
        const held = await until("it is held", ({ queue }) => queue.some((one) => one.status === "held"))
        assert.strictEqual(held.pause?.kind, "unwired")
        for (const start of [
          ["other", "--cli", id, "--cwd", project, "--detach"],
          ["exec", "--provider", id, "say done"]
        ]) {
          const refused = await tryLeap(start)
          assert.strictEqual(refused.code, start[0] === "exec" ? 2 : 6, refused.err)
          assert.match(refused.err, /deny command\(touch \*\)|would not heed leap's rules/)
        }
        assert.notInclude(await leap(["status", "--json"]), '"other"')
      }))

    it("is wired by what its first start asks, and its hooks are heard", () =>
      hosted({ ...unwired, starts: starting(enter) }, `${id}-asked`, async ({ api, leap, status, tag, until }) => {
        tellStart(id, "hooks added")
        api.script(say("It is done."))
        await leap(["send", tag, "say done"])
        await until("its answer", ({ lastResponse, ready }) => ready && lastResponse === "It is done.")
        assert.isNull(((await status()) as UnwiredStatus).unwired)
        assert.include(await leap(["hooks", "status", "--cli", id]), "installed")
      }))
  }
)
