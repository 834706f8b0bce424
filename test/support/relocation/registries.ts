// Sessions of CLIs that keep them independent of directories, in a home: databases of the forms that the real CLIs
// made, with neighbours that no move may touch.
import * as fs from "node:fs"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import { recordOf } from "../data/sessionRecords.ts"

/** A place for files: a home, or any directory. */
export interface Ground {
  readonly root: string
  readonly a: string
}

export const ids = {
  codex: "01a1ff84-3a27-78c0-a87c-0006292fcf05",
  opencode: "ses_e00902318ffeyRbJ4dQfZzg6Bv",
  copilot: "41b6f8b3-895c-4d1e-89d2-2acb927e6c2e"
} as const

const schema = (name: string) =>
  fs.readFileSync(path.join(import.meta.dirname, "../../fixtures/registries", `${name}.sql`), "utf8")

export const databases = { codex: ".codex/state_5.sqlite", opencode: ".local/share/opencode/opencode.db" } as const
export const workspaceOf = ({ root }: Ground, id: string = ids.copilot) =>
  path.join(root, ".copilot/session-state", id, "workspace.yaml")

const put = (file: string, text: string, mode = 0o600): string => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, text, { mode })
  return file
}

/** A new database, as its CLI leaves it when it has ended. */
const make = (file: string, name: string, fill: (database: DatabaseSync) => void) => {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const database = new DatabaseSync(file)
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; BEGIN")
  database.exec(schema(name))
  fill(database)
  database.exec("COMMIT")
  database.close()
}

/** All rows of these tables. */
export const dump = (file: string): Readonly<Record<string, ReadonlyArray<unknown>>> => {
  const database = new DatabaseSync(file)
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
      .all()
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        database
          .prepare(`SELECT * FROM "${String(name)}" ORDER BY 1, 2`)
          .all()
          .map((row) => ({ ...row }))
      ])
    )
  } finally {
    database.close()
  }
}

/** Rows of a database as a test asks for them. */
export const ask = (
  file: string,
  sql: string,
  ...values: ReadonlyArray<string>
): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const database = new DatabaseSync(file)
  try {
    return database
      .prepare(sql)
      .all(...values)
      .map((row) => ({ ...row }))
  } finally {
    database.close()
  }
}

export const exec = (file: string, sql: string) => {
  const database = new DatabaseSync(file)
  try {
    database.exec(sql)
  } finally {
    database.close()
  }
}

const text = (value: string) => `'${value.replaceAll("'", "''")}'`

/** A session of Codex, one of another directory and an archived one. */
export const plantCodex = (
  ground: Ground,
  options: { readonly cwd?: string; readonly database?: boolean } = {}
): SessionRecord => {
  const cwd = options.cwd ?? ground.a
  const rollout = (id: string) =>
    path.join(ground.root, ".codex/sessions/2026/11/21", `rollout-2026-11-21T19-10-09-${id}.jsonl`)
  const transcriptPath = put(
    rollout(ids.codex),
    `${JSON.stringify({ type: "session_meta", payload: { id: ids.codex, cwd } })}\n`
  )
  if (options.database !== false) {
    make(path.join(ground.root, databases.codex), "codex-state_5", (database) => {
      for (const [id, at] of [
        [ids.codex, cwd],
        ["01a1ff7e-00c3-7243-8f44-145367539198", cwd],
        ["01a1ff6f-b22e-7210-9207-763e18c0d292", "/elsewhere"]
      ] as const) {
        database.exec(`INSERT INTO threads (id, rollout_path, created_at, updated_at, source, model_provider, cwd, title, sandbox_policy, approval_mode, preview)
          VALUES (${[id, rollout(id)].map(text).join(", ")}, 1795286872, 1795286873, 'vscode', 'lab', ${text(at)}, 'remember', '{}', 'never', 'remember')`)
      }
    })
  }
  return recordOf({ cli: "codex", sessionId: ids.codex, cwd, transcriptPath })
}

export const subagent = "ses_e0090231sub00000000000001"

/** A session of OpenCode with a subagent's session, and one of the same project that stays. */
export const plantOpenCode = (ground: Ground, options: { readonly cwd?: string } = {}): SessionRecord => {
  const cwd = options.cwd ?? ground.a
  const project = "f78e4b62b9092ab6630f43e48aa2a02cf4485794"
  make(path.join(ground.root, databases.opencode), "opencode", (database) => {
    database.exec(
      `INSERT INTO project (id, worktree, vcs, time_created, time_updated, sandboxes) VALUES (${text(project)}, ${text(cwd)}, 'git', 1, 2, '[]')`
    )
    database.exec(
      `INSERT INTO project_directory (project_id, directory, time_created) VALUES (${text(project)}, ${text(cwd)}, 1)`
    )
    const sessions = [
      [ids.opencode, null, cwd, ""],
      [subagent, ids.opencode, cwd, ""],
      ["ses_elsewhere", ids.opencode, "/elsewhere", "x"],
      ["ses_neighbour", null, cwd, ""]
    ] as const
    for (const [id, parent, directory, place] of sessions) {
      database.exec(`INSERT INTO session (id, project_id, parent_id, slug, directory, path, title, version, time_created, time_updated)
        VALUES (${text(id)}, ${text(project)}, ${parent === null ? "NULL" : text(parent)}, 'happy-meadow', ${text(directory)}, ${text(place)}, 'A test', '1.18.33', 1, 2)`)
      database.exec(
        `INSERT INTO message (id, session_id, time_created, time_updated, data) VALUES (${text(`msg_${id}`)}, ${text(id)}, 1, 2, '{"role":"user"}')`
      )
    }
  })
  return recordOf({ cli: "opencode", sessionId: ids.opencode, cwd })
}

/** A session of Copilot, and a neighbour. */
export const plantCopilot = (ground: Ground, options: { readonly cwd?: string } = {}): SessionRecord => {
  const cwd = options.cwd ?? ground.a
  const said = `'${cwd.replaceAll("'", "''")}'`
  for (const id of [ids.copilot, "222a573e-564c-476f-ab65-c9202cc96d38"]) {
    put(
      workspaceOf(ground, id),
      `id: ${id}\ncwd: ${said}\ngit_root: ${said}\nbranch: main\nclient_name: github/cli\nname: remember\nuser_named: false\ncreated_at: 2026-11-21T18:48:00.068Z\n`
    )
    put(path.join(path.dirname(workspaceOf(ground, id)), "events.jsonl"), '{"type":"session.start"}\n')
  }
  const transcriptPath = path.join(path.dirname(workspaceOf(ground)), "events.jsonl")
  return recordOf({ cli: "copilot", sessionId: ids.copilot, cwd, transcriptPath })
}

/** What the CLIs' own registries say of where their sessions are. */
export const placesIn = (ground: Ground) => ({
  codex: fs.existsSync(path.join(ground.root, databases.codex))
    ? dump(path.join(ground.root, databases.codex))["threads"]
    : null,
  opencode: fs.existsSync(path.join(ground.root, databases.opencode))
    ? dump(path.join(ground.root, databases.opencode))
    : null,
  copilot: fs.existsSync(workspaceOf(ground)) ? fs.readFileSync(workspaceOf(ground), "utf8") : null
})
