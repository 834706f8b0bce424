import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { parse } from "unbash"
import { decider } from "../../src/domain/policy/decide.ts"
import { presets } from "../../src/domain/policy/presets.ts"
import { requestOf } from "../../src/domain/cli/provider/RequestReading.ts"
import { everyday } from "../../test/domain/policy/everyday.ts"
import { median, type Row } from "./table.ts"
import { terminal } from "./screen.ts"
import { bundle, hookCalls, type World } from "./world.ts"

const rounds = 15

/**
 * Measures what the rules of the preset for development take for an everyday command line, and the parser's part in
 * it, alternately.
 */
export const benchPolicy = (): ReadonlyArray<Row> => {
  const policy = presets.find(({ name }) => name === "development")?.policy
  if (policy === undefined) throw new Error("there is no preset for development")
  const decide = decider({ policy, home: "/home/me", tag: "t", cli: "claude", directory: "/srv/app" })
  const requests = everyday.map((command) => requestOf({ tool: "Bash", kind: "command", command, cwd: "/srv/app" }))
  const timed = (run: () => void): number => {
    const begun = performance.now()
    run()
    return (performance.now() - begun) / requests.length
  }
  const took = { decided: [] as Array<number>, parsed: [] as Array<number> }
  for (let round = -5; round < rounds; round++) {
    const decided = timed(() => {
      for (const request of requests) decide("pause", request)
    })
    const parsed = timed(() => {
      for (const line of everyday) parse(line)
    })
    // The first rounds warm up the compiler.
    if (round < 0) continue
    took.decided.push(decided)
    took.parsed.push(parsed)
  }
  return [
    {
      what: "one everyday command line under the development preset",
      unit: "ms",
      leap: median(took.decided),
      base: { what: "unbash's parse", value: median(took.parsed) }
    }
  ]
}

/**
 * Measures a permission that leap decides, from the hook's start to its end, and a shell that does nothing,
 * alternately; the hosted program runs both.
 */
export const benchDecisions = async (world: World): Promise<ReadonlyArray<Row>> => {
  const tag = "bench-hooks"
  const home = world.env["HOME"] ?? ""
  writeFileSync(
    join(home, "permission.json"),
    JSON.stringify({
      session_id: "0f1e",
      hook_event_name: "PermissionRequest",
      cwd: home,
      tool_name: "Bash",
      tool_input: { command: "npm test", description: "Run the tests" }
    })
  )
  const settings = join(world.env["LEAP_HOME"] ?? "", "settings.json")
  const rule = (kind: string) => Array.from({ length: 20 }, (_, i) => ({ command: `${kind}-${i} *` }))
  writeFileSync(
    settings,
    JSON.stringify({
      policy: { deny: rule("never"), ask: rule("sometimes"), allow: [...rule("always"), { command: "npm test" }] }
    })
  )
  world.leap(tag, "--cli", "claude", "--detach", "--", tag)
  const screen = terminal(world, process.execPath, [bundle, "attach", tag])
  try {
    await screen.waitFor("stand-in-is-up")
    const took = { empty: [] as Array<number>, decided: [] as Array<number> }
    for (let round = -1; round < rounds; round++) {
      const empty = await screen.type("e", "end-of-hooks")
      const decided = await screen.type("h", "end-of-hooks")
      const allowed = readFileSync(join(home, "decided"), "utf8")
        .split("\n")
        .filter((line) => line.includes('"allow"'))
      if (allowed.length !== hookCalls)
        throw new Error(`${hookCalls - allowed.length} of the benchmark's hooks were not decided on`)
      // The first round fills caches.
      if (round < 0) continue
      took.empty.push(empty / hookCalls)
      took.decided.push(decided / hookCalls)
    }
    return [
      {
        what: "one hook: permission decided",
        unit: "ms",
        leap: median(took.decided),
        base: { what: "sh -c :", value: median(took.empty) }
      }
    ]
  } finally {
    writeFileSync(settings, "{}\n")
    world.leap("stop", tag, "--force")
    screen.close()
  }
}
