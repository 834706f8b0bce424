import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { claude } from "./cli/claude.ts"
import { codex } from "./cli/codex.ts"
import { copilot } from "./cli/copilot.ts"
import { gemini } from "./cli/gemini.ts"
import { opencode } from "./cli/opencode.ts"
import { makeProject, type RealCli, untilStatus } from "./hosted.ts"
import { runLeap, type Status } from "./leap.ts"
import { FakeModel, say } from "./model/FakeModel.ts"
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
