// A CLI without a terminal that behaves as AGENT_SCENE tells, in the format of Gemini CLI. Its session id is its pid.
import { execFileSync, spawn } from "node:child_process"
import { existsSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs"

const say = (line) => writeSync(1, `${typeof line === "string" ? line : JSON.stringify(line)}\n`)
const text = (content) => say({ type: "message", role: "assistant", content, delta: true })
const done = () =>
  say({ type: "result", status: "success", stats: { total_tokens: 12, input_tokens: 10, output_tokens: 2, cached: 4 } })
const hang = () => setInterval(() => {}, 1_000)
const init = () => say({ type: "init", session_id: String(process.pid), model: "fake" })
const read = async () => {
  let all = ""
  for await (const piece of process.stdin.setEncoding("utf8")) all += piece
  return all
}

/** Whole or not at all: who waits for the file reads it at once. */
const writePids = (...pids) => {
  writeFileSync("pid.part", pids.join(" "))
  renameSync("pid.part", "pid")
}
/**
 * Starts processes in sessions of their own: a child that heeds no signal, one with another environment, and one whose
 * parent is gone.
 */
const scatter = () => {
  const deaf = spawn(
    process.execPath,
    ["-e", "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"],
    { stdio: "ignore", detached: true }
  )
  const bare = spawn("sleep", ["600"], { stdio: "ignore", detached: true, env: {} })
  const orphan = execFileSync("sh", ["-c", "setsid sleep 600 > /dev/null 2>&1 & echo $!"], {
    encoding: "utf8"
  }).trim()
  return { deaf, bare, orphan }
}

const scenes = {
  echo: async () => {
    init()
    text(
      JSON.stringify({
        prompt: await read(),
        args: process.argv.slice(2),
        cwd: process.cwd(),
        tag: process.env.LEAP_TAG ?? null,
        extra: process.env.EXTRA ?? null
      })
    )
    done()
  },
  uncounted: () => {
    init()
    text("one two")
    say({ type: "result", status: "success" })
  },
  json: () => {
    init()
    text('```json\n{"a": 1}\n```')
    done()
  },
  // what it says fits no schema before it is told so
  mends: async () => {
    init()
    const asked = await read()
    const isRepair = process.argv.includes("--resume")
    text(isRepair ? JSON.stringify({ n: 1, asked }) : 'Here: {"n": "one"}\n```json\n{"n": "one"}\n```')
    done()
  },
  // it asks its hook before each of two tools, as the CLI does
  hooked: () => {
    init()
    const hook = `${process.env.LEAP_HOME}/hooks/leap-hook.sh`
    for (const command of ["rm -r x", "touch made"]) {
      const payload = { tool_name: "run_shell_command", tool_input: { command }, cwd: process.cwd() }
      const said = execFileSync("sh", [hook, "BeforeTool", "{}"], { input: JSON.stringify(payload), encoding: "utf8" })
      text(`${command}: ${said}`)
    }
    done()
  },
  // its hooks work once
  slips: () => {
    init()
    const hook = `${process.env.LEAP_HOME}/hooks/leap-hook.sh`
    for (const command of ["touch one", "touch two"]) {
      const payload = { tool_name: "run_shell_command", tool_input: { command }, cwd: process.cwd() }
      if (command === "touch one") execFileSync("sh", [hook, "BeforeTool", "{}"], { input: JSON.stringify(payload) })
      say({ type: "tool_use", tool_id: command, tool_name: payload.tool_name, parameters: payload.tool_input })
      say({ type: "tool_result", tool_id: command, status: "success", output: "" })
    }
    text("both are made")
    done()
  },
  prose: () => {
    init()
    text("no JSON")
    done()
  },
  // text before a tool, then an answer of two pieces, when it is told to go on
  steps: async () => {
    init()
    text("I look.")
    say({ type: "tool_use", tool_id: "t", tool_name: "x", parameters: {} })
    say({ type: "tool_result", tool_id: "t", status: "success", output: "" })
    text("an ")
    const go = process.env.AGENT_GO
    while (go !== undefined && !existsSync(go)) await new Promise((resolve) => setTimeout(resolve, 20))
    text("answer")
    done()
  },
  nothing: () => {
    init()
    done()
  },
  // a model that never has enough of its tools
  turns: () => {
    init()
    let turn = 0
    setInterval(() => {
      say({ type: "tool_use", tool_id: String(++turn), tool_name: "x", parameters: {} })
      say({ type: "tool_result", tool_id: String(turn), status: "success", output: "" })
    }, 20)
  },
  hang: () => {
    init()
    text("so far")
    hang()
  },
  talk: () => {
    init()
    setInterval(() => text("more"), 20)
  },
  // its turn is over, and it does not end
  lingers: () => {
    init()
    text("42")
    done()
    hang()
  },
  polite: () => {
    init()
    text("so far")
    process.on("SIGINT", () => {
      text(", interrupted")
      process.exit(0)
    })
    hang()
  },
  stubborn: () => {
    process.on("SIGINT", () => text(" INT"))
    process.on("SIGTERM", () => text(" TERM"))
    init()
    text("so far")
    hang()
  },
  chatty: () => {
    init()
    let count = 0
    const timer = setInterval(() => {
      process.stderr.write("alive\n")
      if (++count === 8) {
        clearInterval(timer)
        text("at last")
        done()
      }
    }, 100)
  },
  crash: () => {
    init()
    text("half an answer")
    writeSync(2, `${"x".repeat(50_000)}\nboom: api_key=abcdefgh12345678 ${process.env.AGENT_TOKEN}\n`)
    process.exit(3)
  },
  killed: () => {
    init()
    process.kill(process.pid, "SIGKILL")
  },
  reported: () => {
    init()
    say({
      type: "result",
      status: "error",
      error: { type: "unknown", message: `HTTP 429: slow down ${process.env.AGENT_TOKEN}, retry after 3s` }
    })
    process.exit(1)
  },
  deaf: () => {
    process.stdin.destroy()
    init()
    text("I did not listen")
    done()
  },
  family: () => {
    const child = spawn(
      process.execPath,
      ["-e", "process.on('SIGINT', () => {}); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"],
      { stdio: ["ignore", "inherit", "inherit"] }
    )
    init()
    text(String(child.pid))
    done()
    child.unref()
  },
  strays: () => {
    init()
    const { bare, deaf, orphan } = scatter()
    text([deaf.pid, bare.pid, orphan].join(" "))
    if (process.env.AGENT_END === "crash") process.exit(3)
    if (process.env.AGENT_END !== "well") return hang()
    done()
    deaf.unref()
    bare.unref()
  },
  // not logged in, and it keeps no session of that
  lost: () => {
    if (process.argv.includes("--resume")) {
      writeSync(2, "Error resuming session: Invalid session identifier\n")
      process.exit(42)
    }
    init()
    say({ type: "result", status: "error", error: { type: "authentication", message: "not logged in" } })
    process.exit(41)
  },
  // a process of its group that has died, after its parent, who would have buried it
  unburied: async () => {
    init()
    const orphan = execFileSync("sh", ["-c", "sleep 0.2 > /dev/null 2>&1 & echo $!"], { encoding: "utf8" }).trim()
    const state = () => (existsSync(`/proc/${orphan}/stat`) ? readFileSync(`/proc/${orphan}/stat`, "utf8") : "gone")
    while (!/\) [ZX]|gone/.test(state())) await new Promise((resolve) => setTimeout(resolve, 10))
    text(state() === "gone" ? "it was buried" : "it is not buried")
    done()
  },
  // it keeps no session at all
  forgets: async () => {
    if (process.argv.includes("--resume")) return scenes.lost()
    init()
    text(`heard: ${await read()}`)
    done()
  },
  retrying: () => {
    init()
    writeSync(
      2,
      `Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429,"message":"slow down ${process.env.AGENT_TOKEN}"}}\n    at x\n`
    )
    hang()
  },
  // nothing that can be heeded ends it, and it does not look whether anybody reads what it prints
  clings: () => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE"]) process.on(signal, () => {})
    const { bare, deaf, orphan } = scatter()
    init()
    writePids(process.pid, deaf.pid, bare.pid, orphan)
    hang()
  },
  pid: () => {
    writePids(process.pid)
    init()
    hang()
  },
  indiscreet: () => {
    init()
    text(`it is ${process.env.AGENT_TOKEN.slice(0, 6)}`)
    text(process.env.AGENT_TOKEN.slice(6))
    say({ type: "tool_use", tool_id: "t", tool_name: "x", parameters: { command: process.env.AGENT_TOKEN } })
    text(process.env.AGENT_TOKEN)
    if (process.env.AGENT_END === "crash") process.exit(3)
    done()
  },
  // it does not wait until its output is written
  hasty: () => {
    const line = (content, delta) => `${JSON.stringify({ type: "message", role: "assistant", content, delta })}\n`
    process.stdout.write(`${JSON.stringify({ type: "init", session_id: String(process.pid), model: "fake" })}\n`)
    process.stdout.write(line("z".repeat(2_000_000), false) + line("done", false))
    process.stdout.write(`${JSON.stringify({ type: "result", status: "success", stats: {} })}\n`)
    process.exit(0)
  },
  plain: () => say("hello"),
  cut: () => {
    init()
    text("half")
    writeSync(1, '{"type":"mess')
  },
  overlong: () => {
    init()
    say({ type: "message", role: "assistant", content: "x".repeat(17 << 20) })
    text("after it")
    done()
  },
  huge: () => {
    init()
    const line =
      JSON.stringify({ type: "tool_result", tool_id: "t", status: "success", output: "y".repeat(60_000) }) + "\n"
    let left = Number(process.env.AGENT_LINES)
    const write = () => {
      while (left-- > 0) if (!process.stdout.write(line)) return process.stdout.once("drain", write)
      process.stdout.write(
        JSON.stringify({ type: "message", role: "assistant", content: "done", delta: true }) + "\n",
        done
      )
    }
    write()
  }
}

await scenes[process.env.AGENT_SCENE]()
