import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { RealCli } from "../hosted.ts"
import { hosted } from "../hosted.ts"
import type { Status } from "../leap.ts"
import { type Reply, say } from "../model/FakeModel.ts"

/** How the user of a CLI denies `touch` by themselves, where all other commands would run unasked. */
interface OwnRule {
  /** Writes it into the CLI's settings. */
  readonly write?: (home: string) => void
  /** Options with which the CLI is started, hosted and without a terminal. */
  readonly args: ReadonlyArray<string>
  /** The command line of a run without a terminal. */
  readonly headless: ReadonlyArray<string>
  /** How the model calls a command that nobody is asked for, where that is another way. */
  readonly shell?: (command: string) => Reply
}

const put = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const change = (file: string, more: object): void =>
  put(
    file,
    JSON.stringify({ ...(existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {}), ...more })
  )

export const ownRules: Readonly<Record<string, OwnRule>> = {
  claude: {
    write: (home) =>
      change(join(home, ".claude/settings.json"), {
        permissions: { defaultMode: "default", deny: ["Bash(touch:*)"] }
      }),
    args: ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(touch:*)", "Bash(mkdir:*)"],
    headless: ["claude", "-p", "Make it."]
  },
  codex: {
    write: (home) =>
      put(
        join(home, ".codex/rules/default.rules"),
        'prefix_rule(pattern = ["touch"], decision = "forbidden")\n' +
          'prefix_rule(pattern = ["mkdir"], decision = "allow")\n'
      ),
    args: ["--dangerously-bypass-approvals-and-sandbox"],
    headless: ["codex", "exec", "--skip-git-repo-check", "Make it."],
    shell: (cmd) => ({
      blocks: [
        {
          type: "tool",
          name: "exec",
          freeform: true,
          input: `text(JSON.stringify(await tools.exec_command(${JSON.stringify({ cmd })})));`,
          instead: { type: "tool", name: "exec_command", input: { cmd } }
        }
      ]
    })
  },
  copilot: {
    args: ["--allow-all-tools", "--deny-tool=shell(touch)"],
    headless: ["copilot", "-p", "Make it."]
  },
  gemini: {
    write: (home) =>
      put(
        join(home, ".gemini/policies/own.toml"),
        '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = "touch"\ndecision = "deny"\npriority = 900\n'
      ),
    args: ["--yolo"],
    headless: ["gemini", "-p", "Make it."]
  },
  opencode: {
    write: (home) =>
      change(join(home, ".config/opencode/opencode.json"), {
        permission: { bash: { "*": "allow", "touch *": "deny" }, edit: "ask" }
      }),
    args: [],
    headless: ["opencode", "run", "Make it."]
  }
}

const run = (
  [command = "", ...args]: ReadonlyArray<string>,
  cwd: string,
  env: Readonly<Record<string, string | undefined>>
) =>
  new Promise<string>((resolve) => {
    const child = execFile(command, args, { cwd, env, timeout: 90_000, killSignal: "SIGKILL" }, (_, out, err) =>
      resolve(out + err)
    )
    child.stdin?.end()
  })

/** Whether a rule of the user's own holds while leap is wired in; null where that could not be seen. */
export interface Obeyed {
  readonly interactive: boolean | null
  readonly headless: boolean | null
  readonly why: string | null
}

/** Has a model try what the user denies and then what they allow, hosted by leap and without a terminal. */
export const obeysOwnRule = async (cli: RealCli): Promise<Obeyed> => {
  const rule = ownRules[cli.id]
  if (rule === undefined) return { interactive: null, headless: null, why: "there is no rule of the user's for it" }
  const mine: RealCli = {
    ...cli,
    args: rule.args,
    prepare: (home, project, endpoint) => {
      const env = cli.prepare(home, project, endpoint)
      rule.write?.(home)
      return env
    }
  }
  let interactive: boolean | null = null
  let headless: boolean | null = null
  let why: string | null = null
  /** The denied one did not run; the other shows that it would have. */
  const judge = (project: string, name: string, what: string): boolean | null => {
    if (existsSync(join(project, `${name}-denied`))) return false
    if (existsSync(join(project, `${name}-allowed`))) return true
    why ??= `${what}: what is allowed did not run either`
    return null
  }
  const shell = rule.shell ?? cli.shell
  const script = (name: string) => [shell(`touch ${name}-denied`), shell(`mkdir ${name}-allowed`), say("That is all.")]
  try {
    await hosted(mine, "own-rule", async ({ api, env, leap, project, tag, until }) => {
      api.script(...script("seen"))
      await leap(["send", tag, "Make it."])
      const over = ({ queue, ready }: Status) => ready && queue.every(({ status }) => status === "done")
      // A version may ask for a command that is allowed; were it to ask for the denied one, that would now run.
      for (let asked = 0; asked < 2; asked++) {
        const now = await until("it asks, or its turn is over", (it) => it.state === "needs_permission" || over(it))
        if (over(now)) break
        await leap(["answer", tag, "1"])
        await until("it goes on", ({ state }) => state !== "needs_permission")
      }
      await until("its turn is over", over)
      interactive = judge(project, "seen", "interactive")
      api.script(...script("unseen"))
      const out = await run([...rule.headless, ...rule.args], project, env)
      headless = judge(project, "unseen", `-p: ${out.trim().split("\n").at(-1) ?? ""}`)
    })
  } catch (error) {
    why ??= error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)
  }
  return { interactive, headless, why }
}
