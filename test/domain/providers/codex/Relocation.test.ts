import { assert, it } from "@effect/vitest"
import {
  databaseFolders,
  isRolloutOf,
  stateDatabase,
  threadEdits
} from "../../../../src/domain/providers/codex/Relocation.ts"
import { codexHome } from "../../../../src/domain/providers/codex/Identity.ts"
import { editsAlone } from "../../../../src/domain/store/relocation/Edits.ts"
import { fault } from "../../../../src/domain/store/relocation/Plan.ts"

it("Codex's home is where it is told, else in the home directory", () => {
  assert.strictEqual(codexHome({ HOME: "/home/me" }), "/home/me/.codex")
  assert.strictEqual(codexHome({ HOME: "/home/me", CODEX_HOME: "" }), "/home/me/.codex")
  assert.strictEqual(codexHome({ HOME: "/home/me", CODEX_HOME: "/etc/c/" }), "/etc/c")
})

it("its databases are where the settings say, then the environment, then at home", () => {
  const table = [
    [{}, null, ["/c"]],
    [{}, 'model = "x"', ["/c"]],
    [{ CODEX_SQLITE_HOME: "/data" }, null, ["/data", "/c"]],
    [{ CODEX_SQLITE_HOME: "" }, 'sqlite_home = "/fast/db"', ["/fast/db", "/c"]],
    [{ CODEX_SQLITE_HOME: "/data" }, 'sqlite_home = "db"\n[features]\nsqlite_home = "/no"', ["/c/db", "/data", "/c"]],
    [{ CODEX_SQLITE_HOME: "/c" }, "sqlite_home = 5", ["/c"]],
    [{}, "this is no TOML", ["/c"]]
  ] as const
  for (const [env, config, folders] of table) assert.deepStrictEqual(databaseFolders(env, "/c", config), folders)
})

it("of several forms of the list the newest counts", () => {
  assert.strictEqual(
    stateDatabase(["logs_2.sqlite", "state_5.sqlite", "state_5.sqlite-wal", "state_12.sqlite", "state_9.sqlite"]),
    "state_12.sqlite"
  )
  assert.isNull(
    stateDatabase([
      "state.sqlite",
      "state_x.sqlite",
      "mystate_5.sqlite",
      "state_5.sqlite.bak",
      "thread_history_1.sqlite"
    ])
  )
})

it("a rollout is named after its session", () => {
  const id = "01a1fede-620b-7670-aac5-644f5ebe16ba"
  assert.isTrue(isRolloutOf(`rollout-2026-11-21T16-09-13-${id}.jsonl`, id))
  assert.isFalse(isRolloutOf(`rollout-2026-11-21T16-09-13-${id}.jsonl.zst`, id))
  assert.isFalse(isRolloutOf(`rollout-2026-11-21T16-09-13-${id}.jsonl`, id.slice(1, -1)))
})

it("no file of it moves", () => {
  const plan = editsAlone("codex", "s1", [
    threadEdits.edit({ database: "/c/state_5.sqlite", thread: "s1", from: "/a", to: "/b" })
  ])
  assert.isNull(fault(plan))
  assert.deepStrictEqual(plan.pieces, [])
  assert.deepStrictEqual(plan.edits, [
    { kind: "codex.threads", detail: { database: "/c/state_5.sqlite", thread: "s1", from: "/a", to: "/b" } }
  ])
})
