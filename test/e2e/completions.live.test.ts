import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as path from "node:path"
import { type CompletionShell, completionShells } from "../../src/domain/words/arguments/completionShells.ts"
import { sessionStatus } from "../support/data/sessionStatus.ts"
import { makeRoom } from "../support/processes/Room.ts"
import { hasTmux, openPane } from "../support/processes/Tmux.ts"
import { live } from "../support/run/effects.ts"

/** What a shell runs if it evaluates anything of it, and a terminal obeys if it is shown as it is. */
const hostile = "$(touch PWNED)`touch PWNED`;touch PWNED\n\u001b]2;PWNED\u0007'\"%{\u202e"

/** The words that start each shell so that it has leap's completions as docs/completions.md installs them. */
const prepare: Readonly<Record<CompletionShell, (home: string, script: string) => ReadonlyArray<string>>> = {
  bash: (home, script) => {
    fs.writeFileSync(path.join(home, "rc.bash"), `PS1='$ '; bind 'set enable-bracketed-paste off'\n${script}`)
    return ["bash", "--rcfile", path.join(home, "rc.bash"), "-i"]
  },
  zsh: (home, script) => {
    fs.mkdirSync(path.join(home, ".zfunc"))
    fs.writeFileSync(path.join(home, ".zfunc/_leap"), script)
    fs.writeFileSync(
      path.join(home, ".zshrc"),
      "PS1='$ '; fpath=(~/.zfunc $fpath); autoload -Uz compinit; compinit -u -D; setopt noautomenu"
    )
    return ["zsh", "-i"]
  },
  fish: (home, script) => {
    const completions = path.join(home, ".config/fish/completions")
    fs.mkdirSync(completions, { recursive: true })
    fs.writeFileSync(path.join(completions, "leap.fish"), script)
    fs.writeFileSync(
      path.join(home, ".config/fish/config.fish"),
      "function fish_prompt; echo '$ '; end\nset -U fish_greeting ''\nset -g fish_autosuggestion_enabled 0"
    )
    return ["fish", "-i"]
  }
}

const isThere = (shell: string): boolean => spawnSync(shell, ["-c", "true"]).status === 0
const missing = [...completionShells.filter((shell) => !isThere(shell)), ...(hasTmux ? [] : ["tmux"])]
if (missing.length > 0) process.stderr.write(`completions are not tried in: ${missing.join(", ")} (not installed)\n`)

/** A leap with sessions whose files hold what must not reach a shell, and the shell in a terminal. */
const openShell = Effect.fnUntraced(function* (shell: CompletionShell) {
  const room = yield* makeRoom()
  const home = room.dir
  // in the place of the sessions' hosts, and ended as they would be
  const host = yield* Effect.acquireRelease(
    Effect.sync(() => spawn("sleep", ["120"], { stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const session = (tag: string, status: Parameters<typeof sessionStatus>[0]) => {
    const dir = path.join(home, "leap/sessions", tag)
    fs.mkdirSync(dir, { recursive: true })
    const session = sessionStatus({ tag, hostPid: host.pid ?? null, ...status })
    fs.writeFileSync(path.join(dir, "status.json"), JSON.stringify({ schema: 1, session }))
  }
  const message = {
    images: [],
    queuedAt: "2026-01-01T00:00:00.000Z",
    status: "queued",
    force: false,
    why: null
  } as const
  session("feature-x", {
    state: "needs_permission",
    message: `Reading ${hostile}`,
    queue: [{ ...message, id: "01JAAAAAAAAAAAAAAAAAAABCDE", text: `fix ${hostile}` }]
  })
  session("$(touch PWNED)", {})
  session("feature;touch PWNED", {})
  session("old", { state: "exited", hostPid: null, exit: { code: 0, signal: null } })
  fs.writeFileSync(
    path.join(home, "leap/settings.json"),
    JSON.stringify({ clis: { "zz-mine": { base: hostile }, [`zz${hostile}`]: { base: "claude" } } })
  )
  fs.mkdirSync(path.join(home, "bin"))
  fs.writeFileSync(path.join(home, "bin/leap"), `#!/bin/sh\nexec "${room.command.join('" "')}" "$@"\n`, { mode: 0o755 })
  const { code, stdout } = yield* room.leap(["completions", shell])
  assert.strictEqual(code, 0)
  const env = { ...room.env, PATH: `${path.join(home, "bin")}:${room.env["PATH"]}`, TERM: "xterm-256color" }
  const command = prepare[shell](home, stdout) as [string, string]
  const pane = yield* openPane({ command, dir: home, env }, "shell", [], { cols: 100, rows: 20 })
  yield* pane.shows((screen) => screen.includes("$"), "a prompt")
  const line = (lines: ReadonlyArray<string>) => lines.findLast((text) => text.includes("leap ")) ?? ""
  return {
    home,
    shows: pane.shows,
    lines: pane.lines,
    /** The line that a text becomes with Tab. */
    completes: (typed: string, to: string) =>
      Effect.gen(function* () {
        yield* pane.type(`${typed}\t`)
        yield* pane.shows((screen) => line(screen.split("\n")).includes(to), `'${typed}' becomes '${to}'`)
        yield* pane.type("\x15")
      }),
    type: pane.type
  }
})

describe("completions in a real shell", () => {
  for (const shell of completionShells) {
    describe.skipIf(!hasTmux || !isThere(shell))(`in ${shell}`, () => {
      live("completes commands, sessions, messages, CLIs and modes, and runs nothing of what they hold", function* () {
        const { completes, home, lines, shows, type } = yield* openShell(shell)
        yield* completes("leap sto", "leap stop")
        yield* completes("leap stop fe", "leap stop feature-x")
        yield* completes("leap forget ", "leap forget old")
        yield* completes("leap queue edit feature-x ", "leap queue edit feature-x ABCDE")
        yield* completes("leap start --cli zz", "leap start --cli zz-mine")
        yield* completes("leap mode feature-x --churn=s", "--churn=send")
        yield* completes("leap mode feature-x --auto-send al", "--auto-send always")
        yield* completes("leap send --image bi", "--image bin/")
        yield* completes("leap status '$(touch PWNED)' --j", "--json")
        // a list of several, with what they do where the shell shows that
        yield* type("leap why \t\t")
        yield* shows((screen) => screen.includes("feature-x") && screen.includes("old"), "a list of sessions")
        const text = (yield* lines).join("\n")
        if (shell !== "bash") assert.include(text, "needs permission")
        yield* type("\x1b\x15")
        assert.deepStrictEqual(
          fs.readdirSync(home).filter((name) => name.includes("PWNED")),
          []
        )
      })
    })
  }
})
