import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { median, type Row } from "./table.ts"
import { Screen } from "./terminal.ts"
import { bundle, hookCalls, type World } from "./world.ts"

const rounds = 15

/** A permission that leap decides on, from the hook's start to its end, beside a shell that does nothing, in turns; both run by the hosted program. */
export const benchDecisions = async (world: World): Promise<ReadonlyArray<Row>> => {
  const tag = "bench-hooks"
  const home = world.env["HOME"] ?? ""
  writeFileSync(join(home, "permission.json"), JSON.stringify({
    session_id: "0f1e", hook_event_name: "PermissionRequest", cwd: home, tool_name: "Bash", tool_input: { command: "npm test", description: "Run the tests" }
  }))
  const settings = join(world.env["LEAP_HOME"] ?? "", "settings.json")
  const rule = (kind: string) => Array.from({ length: 20 }, (_, i) => ({ command: `${kind}-${i} *` }))
  writeFileSync(settings, JSON.stringify({ policy: { deny: rule("never"), ask: rule("sometimes"), allow: [...rule("always"), { command: "npm test" }] } }))
  world.leap(tag, "--cli", "claude", "--detach", "--", tag)
  const screen = new Screen(world, process.execPath, [bundle, "attach", tag])
  try {
    await screen.shows("stand-in-is-up")
    const took = { empty: [] as Array<number>, decided: [] as Array<number> }
    for (let round = -1; round < rounds; round++) {
      const empty = await screen.type("e", "end-of-hooks")
      const decided = await screen.type("h", "end-of-hooks")
      const allowed = readFileSync(join(home, "decided"), "utf8").split("\n").filter((line) => line.includes("\"allow\""))
      if (allowed.length !== hookCalls) throw new Error(`${hookCalls - allowed.length} of the benchmark's hooks were not decided on`)
      // The first round fills caches.
      if (round < 0) continue
      took.empty.push(empty / hookCalls)
      took.decided.push(decided / hookCalls)
    }
    return [{ what: "one hook: permission decided", unit: "ms", leap: median(took.decided), base: { what: "sh -c :", value: median(took.empty) } }]
  } finally {
    writeFileSync(settings, "{}\n")
    world.leap("stop", tag, "--force")
    screen.close()
  }
}
