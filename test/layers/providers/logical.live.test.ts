// Moves of sessions whose storage does not depend on the directory: what the CLIs' own registries say, and no file,
// changes.
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SessionRecord } from "../../../src/domain/store/conversations/SessionRecord.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as RelocationFilesNode from "../../../src/layers/relocator/RelocationFilesNode.ts"
import { protocol as codex } from "../../../src/layers/providers/codex/Relocation.ts"
import { protocol as copilot } from "../../../src/layers/providers/copilot/Relocation.ts"
import { protocol as opencode } from "../../../src/layers/providers/opencode/Relocation.ts"
import type { RelocationProtocol } from "../../../src/services/RelocationProtocol.ts"
import { inHome, type Home } from "../../support/relocation/moverHome.ts"
import {
  ask,
  databases,
  dump,
  exec,
  ids,
  placesIn,
  plantCodex,
  plantCopilot,
  plantOpenCode,
  subagent,
  workspaceOf
} from "../../support/relocation/registries.ts"

const real = Layer.merge(RelocationFilesNode.layer, OpenFilesNode.layer)

/** A directory of its own, with two working directories in it. */
interface Ground {
  readonly root: string
  readonly a: string
  readonly b: string
}

const onGround = (use: (ground: Ground) => Effect.fn.Return<void, unknown, Scope.Scope | Layer.Success<typeof real>>) =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "leap-registries-")))
      const [a, b] = [path.join(root, "work/A's: proj #1"), path.join(root, "work/B é🎉")]
      for (const directory of [a, b]) fs.mkdirSync(directory, { recursive: true })
      return { root, a, b } satisfies Ground
    }),
    (ground) => Effect.scoped(Effect.fnUntraced(use)(ground)).pipe(Effect.provide(real)),
    ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
  )

/** A test on ground of its own. */
const grounded = (name: string, use: Parameters<typeof onGround>[0]) => it.live(name, () => onGround(use))

const planned = (
  protocol: RelocationProtocol,
  ground: Ground,
  session: SessionRecord,
  to = ground.b,
  more: Readonly<Record<string, string>> = {}
) =>
  protocol.plan({
    session,
    from: session.cwd,
    to,
    env: { HOME: ground.root, PATH: process.env["PATH"] ?? "", ...more }
  })

const applied = Effect.fnUntraced(function* (
  protocol: RelocationProtocol,
  ground: Ground,
  session: SessionRecord,
  to = ground.b
) {
  const { plan } = yield* planned(protocol, ground, session, to)
  for (const edit of plan.edits) yield* protocol.apply(edit)
  return plan.edits
})

const clis = [
  ["codex", codex, plantCodex],
  ["opencode", opencode, plantOpenCode],
  ["copilot", copilot, plantCopilot]
] as const

const git = (cwd: string, ...args: ReadonlyArray<string>) =>
  execFileSync(
    "git",
    ["-c", "user.name=dev", "-c", "user.email=dev@example.invalid", "-c", "init.defaultBranch=main", ...args],
    { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
  ).trim()

const makeRepository = (directory: string): string => {
  git(directory, "init", "-q")
  git(directory, "commit", "-q", "--allow-empty", "-m", `start ${directory}`)
  return git(directory, "rev-list", "--max-parents=0", "HEAD")
}

describe.each(clis)("%s", (cli, protocol, plant) => {
  grounded(
    "a plan changes nothing; what it plans can be done and undone, twice over, and leaves all else as it was",
    function* (ground) {
      const session = plant(ground)
      const before = placesIn(ground)
      const files = fs.readdirSync(ground.root, { recursive: true }).map(String).sort()
      const { plan, transcriptPath } = yield* planned(protocol, ground, session)
      assert.isNull(transcriptPath)
      assert.deepStrictEqual(plan.pieces, [])
      assert.deepStrictEqual(placesIn(ground), before)
      const [edit, ...others] = plan.edits
      if (edit === undefined) throw new Error("there is nothing to do")
      assert.deepStrictEqual(others, [])
      assert.isTrue(edit.kind.startsWith(`${cli}.`), "the edit is found by its CLI")

      yield* protocol.revert(edit)
      assert.deepStrictEqual(placesIn(ground), before, "nothing was done that could be undone")
      yield* protocol.apply(edit)
      const after = placesIn(ground)
      assert.notDeepEqual(after[cli], before[cli])
      assert.include(JSON.stringify(after[cli]), path.basename(ground.b))
      yield* protocol.apply(edit)
      assert.deepStrictEqual(placesIn(ground), after)
      // the session lives there now, and there is nothing to do
      assert.deepStrictEqual((yield* planned(protocol, ground, { ...session, cwd: ground.b })).plan.edits, [])

      yield* protocol.revert(edit)
      assert.deepStrictEqual(placesIn(ground), before)
      yield* protocol.revert(edit)
      assert.deepStrictEqual(placesIn(ground), before)
      assert.deepStrictEqual(
        fs.readdirSync(ground.root, { recursive: true }).map(String).sort(),
        files,
        "nothing is left behind"
      )
    }
  )

  grounded("back again by a plan of its own", function* (ground) {
    const session = plant(ground)
    const before = placesIn(ground)
    yield* applied(protocol, ground, session)
    yield* applied(protocol, ground, { ...session, cwd: ground.b }, ground.a)
    const after = placesIn(ground)
    assert.deepStrictEqual(after.codex, before.codex)
    // nobody has told it of the repository yet, which it finds itself
    assert.strictEqual(
      after.copilot,
      before.copilot
        ?.replace(/^(git_root|branch): .*\n/gm, "")
        .replace(/^cwd: .*$/m, () => `cwd: '${ground.a.replaceAll("'", "''")}'`) ?? null
    )
    const directories = (it: typeof before) =>
      (it.opencode?.["session"] ?? []).map((row) => (row as { readonly directory: string }).directory)
    assert.deepStrictEqual(directories(after), directories(before))
  })

  grounded("a change that somebody else made meanwhile stands, and the move is told so", function* (ground) {
    const session = plant(ground)
    const { plan } = yield* planned(protocol, ground, session)
    const move: Readonly<Record<typeof cli, () => void>> = {
      codex: () =>
        exec(path.join(ground.root, databases.codex), `UPDATE threads SET cwd = '/third' WHERE id = '${ids.codex}'`),
      opencode: () =>
        exec(
          path.join(ground.root, databases.opencode),
          `UPDATE session SET directory = '/third' WHERE id = '${ids.opencode}'`
        ),
      copilot: () =>
        fs.writeFileSync(
          workspaceOf(ground),
          fs.readFileSync(workspaceOf(ground), "utf8").replace(/^cwd: .*$/m, "cwd: /third")
        )
    }
    move[cli]()
    const before = placesIn(ground)
    for (const edit of plan.edits) {
      const error = yield* Effect.flip(protocol.apply(edit))
      assert.match(error.message, /^could not tell .* where the session is: .*meanwhile; try again/)
      assert.deepStrictEqual(placesIn(ground), before)
      yield* protocol.revert(edit)
      assert.deepStrictEqual(placesIn(ground), before)
    }
  })

  grounded("what is gone cannot be changed, and need not be changed back", function* (ground) {
    const session = plant(ground)
    const { plan } = yield* planned(protocol, ground, session)
    const registry = { ...databases, copilot: path.relative(ground.root, workspaceOf(ground)) }[cli]
    for (const gone of [registry, registry.split("/")[0] ?? ""]) {
      fs.rmSync(path.join(ground.root, gone), { recursive: true })
      for (const edit of plan.edits) {
        assert.match((yield* Effect.flip(protocol.apply(edit))).message, /could not tell/)
        yield* protocol.revert(edit)
      }
      assert.isFalse(fs.existsSync(path.join(ground.root, gone)), "no empty one was made")
    }
    const refusal = yield* Effect.flip(planned(protocol, ground, session))
    assert.strictEqual(refusal.reason, "source-missing")
    assert.match(refusal.message, /was not moved: /)
    // nobody can say so of what was not found
    assert.notInclude(refusal.message, "complete")
  })

  grounded("an edit of another kind, or of a detail that cannot be read, is refused", function* (ground) {
    plant(ground)
    const before = placesIn(ground)
    for (const edit of [
      { kind: `${cli}.other`, detail: {} },
      {
        kind: { codex: "codex.threads", opencode: "opencode.session", copilot: "copilot.workspace" }[cli],
        detail: { to: "/b" }
      }
    ]) {
      assert.match((yield* Effect.flip(protocol.apply(edit))).message, /^could not /)
      assert.match((yield* Effect.flip(protocol.revert(edit))).message, /^could not /)
    }
    assert.deepStrictEqual(placesIn(ground), before)
  })
})

describe("Codex", () => {
  it.live(
    "a session whose rollout is there moves in the books and its path stays; without one it is refused; books that fail undo it",
    () =>
      inHome(function* (home: Home) {
        const record = plantCodex(home)
        home.record("one", record)
        const moved = yield* home.move(record)
        assert.deepStrictEqual(moved.session, { ...record, cwd: home.b })
        assert.deepStrictEqual(home.said(ids.codex), [["one", home.b, record.transcriptPath]])
        assert.deepStrictEqual(ask(home.at(databases.codex), "SELECT cwd FROM threads WHERE id = ?", ids.codex), [
          { cwd: home.b }
        ])

        exec(
          home.at(databases.codex),
          `CREATE TRIGGER no BEFORE UPDATE ON threads BEGIN SELECT RAISE(ABORT, 'no change today'); END`
        )
        const error = yield* Effect.flip(home.move(moved.session, home.a))
        assert.match(
          error.message,
          /was not moved: could not tell Codex where the session is: .*no change today.*It is where it was, complete/
        )
        assert.deepStrictEqual(home.said(ids.codex), [["one", home.b, record.transcriptPath]])

        fs.rmSync(record.transcriptPath ?? "")
        const missing = yield* Effect.flip(home.move(moved.session, home.a))
        assert.match(missing.message, /there is no such rollout/)
      })
  )

  it.live(
    "a moved session goes on where it was moved to, though its rollout names where it began, and that is still there",
    () =>
      inHome(function* (home: Home) {
        const record = plantCodex(home)
        home.record("one", record)
        const { session } = yield* home.move(record)
        assert.isTrue(fs.existsSync(home.a))
        assert.include(
          fs.readFileSync(session.transcriptPath ?? "", "utf8"),
          JSON.stringify(home.a),
          "the rollout was not touched"
        )
        assert.strictEqual(yield* home.healed(session), home.b)
        const provider = home.providers.find(({ id }) => id === "codex")
        assert.deepStrictEqual(provider?.resume?.args(ids.codex, yield* home.healed(session)), [
          "-C",
          home.b,
          "resume",
          ids.codex
        ])
      })
  )

  grounded(
    "without a list of sessions, or with one of another form, it is a move in leap's records alone",
    function* (ground) {
      const session = plantCodex(ground, { database: false })
      assert.deepStrictEqual((yield* planned(codex, ground, session)).plan.edits, [])
      // the path is not known, but there is a rollout of that name
      assert.deepStrictEqual((yield* planned(codex, ground, { ...session, transcriptPath: null })).plan.edits, [])
      const database = path.join(ground.root, databases.codex)
      exec(database, "CREATE TABLE threads (id TEXT, folder TEXT)")
      assert.deepStrictEqual((yield* planned(codex, ground, session)).plan.edits, [])
      assert.deepStrictEqual(dump(database), { threads: [] })
      fs.writeFileSync(database, "no database at all, but long enough to be read as one ".repeat(100))
      const refusal = yield* Effect.flip(planned(codex, ground, session))
      assert.strictEqual(refusal.reason, "unreadable")
    }
  )

  grounded("an archived session moves; a list where the settings put it is the one that changes", function* (ground) {
    const session = plantCodex(ground)
    const archived = path.join(ground.root, ".codex/archived_sessions", path.basename(session.transcriptPath ?? ""))
    fs.mkdirSync(path.dirname(archived))
    fs.renameSync(session.transcriptPath ?? "", archived)
    const elsewhere = path.join(ground.root, "fast")
    fs.cpSync(path.join(ground.root, databases.codex), path.join(elsewhere, "state_6.sqlite"))
    fs.writeFileSync(path.join(ground.root, ".codex/config.toml"), `sqlite_home = ${JSON.stringify(elsewhere)}\n`)
    for (const edit of yield* applied(codex, ground, session))
      assert.strictEqual(edit.detail["database"], path.join(elsewhere, "state_6.sqlite"))
    assert.strictEqual(
      ask(path.join(elsewhere, "state_6.sqlite"), "SELECT cwd FROM threads WHERE id = ?", ids.codex)[0]?.["cwd"],
      ground.b
    )
    assert.strictEqual(
      ask(path.join(ground.root, databases.codex), "SELECT cwd FROM threads WHERE id = ?", ids.codex)[0]?.["cwd"],
      ground.a
    )
  })

  grounded(
    "a session that a process goes on with is refused; one that only the server has loaded is not",
    function* (ground) {
      const session = plantCodex(ground)
      const lock = path.join(ground.root, ".codex/thread-writer-locks", `${ids.codex}.lock`)
      fs.mkdirSync(path.dirname(lock), { recursive: true })
      fs.writeFileSync(lock, "")
      assert.lengthOf((yield* planned(codex, ground, session)).plan.edits, 1)
      const holder = yield* opening(lock)
      const refusal = yield* Effect.flip(planned(codex, ground, session))
      assert.strictEqual(refusal.reason, "in-use")
      assert.include(refusal.message, `process ${holder} goes on with the session`)
      fs.mkdirSync(path.join(ground.root, ".codex/app-server-daemon"))
      fs.writeFileSync(
        path.join(ground.root, ".codex/app-server-daemon/daemon.pid"),
        JSON.stringify({ pid: holder, processStartTime: "x" })
      )
      assert.lengthOf((yield* planned(codex, ground, session)).plan.edits, 1)
    }
  )
})

/** Another process that has the file open until the scope ends; gives its pid. */
const opening = (file: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly pid: number; readonly kill: () => void }>((resume) => {
      const child = spawn("sh", ["-c", `exec 3<> "$0"; echo open; read line`, file], {
        stdio: ["pipe", "pipe", "inherit"]
      })
      child.stdout.once("data", () =>
        resume(Effect.succeed({ pid: child.pid ?? -1, kill: () => void child.kill("SIGKILL") }))
      )
    }),
    ({ kill }) => Effect.sync(kill)
  ).pipe(Effect.map(({ pid }) => pid))

describe("OpenCode", () => {
  const rows = (ground: Ground, sql: string) => ask(path.join(ground.root, databases.opencode), sql)
  const projects = (ground: Ground) => rows(ground, "SELECT id, worktree, vcs FROM project ORDER BY time_created DESC")

  grounded("goes with the sessions of its subagents that live with it, and no other", function* (ground) {
    const session = plantOpenCode(ground)
    const first = makeRepository(ground.b)
    yield* applied(opencode, ground, session)
    assert.deepStrictEqual(
      rows(ground, "SELECT id, directory, project_id FROM session ORDER BY id"),
      [
        { id: ids.opencode, directory: ground.b, project_id: first },
        { id: subagent, directory: ground.b, project_id: first },
        { id: "ses_elsewhere", directory: "/elsewhere", project_id: "f78e4b62b9092ab6630f43e48aa2a02cf4485794" },
        { id: "ses_neighbour", directory: ground.a, project_id: "f78e4b62b9092ab6630f43e48aa2a02cf4485794" }
      ].toSorted((x, y) => (x.id < y.id ? -1 : 1))
    )
    assert.deepStrictEqual(projects(ground)[0], { id: first, worktree: ground.b, vcs: "git" })
  })

  grounded("a directory in a repository, one without any, one whose repository OpenCode knows", function* (ground) {
    const session = plantOpenCode(ground)
    const place = (id = ids.opencode as string) =>
      rows(ground, `SELECT project_id AS project, path FROM session WHERE id = '${id}'`)[0]
    const to = (directory: string) =>
      Effect.sync(() => fs.mkdirSync(directory, { recursive: true })).pipe(
        Effect.andThen(applied(opencode, ground, session, directory))
      )

    yield* to(path.join(ground.b, "plain"))
    assert.deepStrictEqual(place(), { project: "global", path: path.join(ground.b, "plain").slice(1) })
    assert.deepStrictEqual(projects(ground)[0], { id: "global", worktree: "/", vcs: null })

    const first = makeRepository(ground.b)
    yield* to(path.join(ground.b, "sub/x"))
    assert.deepStrictEqual(place(), { project: first, path: "sub/x" })

    git(ground.b, "remote", "add", "origin", "git@GitHub.com:acme/rocket.git")
    yield* to(path.join(ground.b, "sub"))
    assert.deepStrictEqual(place(), { project: "4a54e8471e5b9c7dc583b9dc88b913c902518bcb", path: "sub" })

    fs.writeFileSync(path.join(ground.b, ".git/opencode"), "f78e4b62b9092ab6630f43e48aa2a02cf4485794")
    const count = projects(ground).length
    yield* to(ground.b)
    assert.deepStrictEqual(place(), { project: "f78e4b62b9092ab6630f43e48aa2a02cf4485794", path: "" })
    assert.strictEqual(projects(ground).length, count, "it was known")

    const tree = path.join(ground.root, "work/tree")
    git(ground.b, "worktree", "add", "-q", tree)
    yield* to(path.join(tree, "deep"))
    assert.deepStrictEqual(place(), { project: "f78e4b62b9092ab6630f43e48aa2a02cf4485794", path: "deep" })
  })

  grounded("a project that OpenCode has been in since stays when the move is taken back", function* (ground) {
    const session = plantOpenCode(ground)
    const first = makeRepository(ground.b)
    const database = path.join(ground.root, databases.opencode)
    const edits = yield* applied(opencode, ground, session)
    exec(database, `UPDATE project SET time_updated = time_updated + 1 WHERE id = '${first}'`)
    for (const edit of edits) yield* opencode.revert(edit)
    assert.deepStrictEqual(rows(ground, `SELECT directory FROM session WHERE id = '${ids.opencode}'`), [
      { directory: ground.a }
    ])
    assert.strictEqual(projects(ground)[0]?.["id"], first)

    const again = yield* applied(opencode, ground, session)
    exec(database, `UPDATE session SET directory = '${ground.b}', project_id = '${first}' WHERE id = 'ses_neighbour'`)
    for (const edit of again) yield* opencode.revert(edit)
    assert.deepStrictEqual(rows(ground, "SELECT project_id FROM session WHERE id = 'ses_neighbour'"), [
      { project_id: first }
    ])
  })

  grounded("a database of another form, a workspace's session, and none on a disk are refused", function* (ground) {
    const session = plantOpenCode(ground)
    const database = path.join(ground.root, databases.opencode)
    const refuses = Effect.fnUntraced(function* (
      reason: string,
      message: RegExp,
      env: Readonly<Record<string, string>> = {}
    ) {
      const error = yield* Effect.flip(planned(opencode, ground, session, ground.b, env))
      assert.strictEqual(error.reason, reason)
      assert.match(error.message, message)
    })
    yield* refuses("source-missing", /in memory alone/, { OPENCODE_DB: ":memory:" })
    yield* refuses("source-missing", /no such database/, { XDG_DATA_HOME: "/nowhere" })
    exec(database, `UPDATE session SET workspace_id = 'w1' WHERE id = '${ids.opencode}'`)
    yield* refuses("in-use", /a workspace of OpenCode's/)
    exec(database, `DELETE FROM session WHERE id = '${ids.opencode}'`)
    yield* refuses("source-missing", /no such session/)
    exec(database, "ALTER TABLE session RENAME COLUMN directory TO folder")
    yield* refuses("unreadable", /no session.directory/)
  })

  grounded("an older database without paths is changed as far as it goes", function* (ground) {
    const session = plantOpenCode(ground)
    exec(path.join(ground.root, databases.opencode), "ALTER TABLE session DROP COLUMN path")
    const before = placesIn(ground)
    const edits = yield* applied(opencode, ground, session)
    assert.deepStrictEqual(rows(ground, `SELECT directory FROM session WHERE id = '${ids.opencode}'`), [
      { directory: ground.b }
    ])
    for (const edit of edits) yield* opencode.revert(edit)
    assert.deepStrictEqual(placesIn(ground), before)
  })
})

describe("Copilot", () => {
  grounded("the file keeps its mode, and what a mover that died left beside it goes", function* (ground) {
    const session = plantCopilot(ground)
    const file = workspaceOf(ground)
    fs.chmodSync(file, 0o640)
    const rest = path.join(path.dirname(file), ".leap-workspace.in")
    fs.writeFileSync(rest, "half")
    yield* applied(copilot, ground, session)
    assert.strictEqual(fs.statSync(file).mode & 0o777, 0o640)
    assert.isFalse(fs.existsSync(rest))
    assert.match(fs.readFileSync(file, "utf8"), /^cwd: '.*work\/B é🎉'\nclient_name/m)
  })

  grounded("what is not as Copilot writes it is refused and stays", function* (ground) {
    const session = plantCopilot(ground)
    const file = workspaceOf(ground)
    const refuses = Effect.fnUntraced(function* (reason: string) {
      const before = fs.readFileSync(file)
      assert.strictEqual((yield* Effect.flip(planned(copilot, ground, session))).reason, reason)
      assert.deepStrictEqual(fs.readFileSync(file), before)
    })
    for (const strange of [
      "",
      "[1]\n",
      "id: x\n",
      "cwd: [a\n",
      "cwd: /a\nname: 'unclosed\n",
      Buffer.from("cwd: /a\nname: \xff\n", "latin1")
    ]) {
      fs.writeFileSync(file, strange)
      yield* refuses("unreadable")
    }
    fs.renameSync(file, `${file}.real`)
    fs.symlinkSync(`${file}.real`, file)
    yield* refuses("source-kind")
    fs.rmSync(file)
    assert.strictEqual((yield* Effect.flip(planned(copilot, ground, session))).reason, "source-missing")
  })

  grounded(
    "a session that a living Copilot has open is refused; one whose Copilot was killed is not",
    function* (ground) {
      const session = plantCopilot(ground)
      const home = path.join(ground.root, ".copilot")
      const open = (refreshedAt: number) =>
        fs.writeFileSync(
          path.join(home, "open-sessions-state.json"),
          JSON.stringify({
            [ids.copilot]: { schemaVersion: 1, refreshedAt: new Date(refreshedAt).toISOString(), working: false }
          })
        )
      const log = (pid: number) => {
        fs.rmSync(path.join(home, "logs"), { recursive: true, force: true })
        fs.mkdirSync(path.join(home, "logs"))
        fs.writeFileSync(path.join(home, `logs/process-1795287916470-${pid}.log`), "")
      }
      open(Date.now())
      log(spawnSync("true").pid)
      assert.lengthOf((yield* planned(copilot, ground, session)).plan.edits, 1)
      log(process.pid)
      const refusal = yield* Effect.flip(planned(copilot, ground, session))
      assert.strictEqual(refusal.reason, "in-use")
      assert.match(refusal.message, /has the session open/)
      open(Date.now() - 90_000)
      assert.lengthOf((yield* planned(copilot, ground, session)).plan.edits, 1)
    }
  )
})

describe("a database that others write to", () => {
  it.effect("is waited for, for a while; then the change is refused and nothing is changed", () =>
    onGround(function* (ground) {
      const session = plantCodex(ground)
      const { plan } = yield* planned(codex, ground, session)
      const before = placesIn(ground)
      const other = new DatabaseSync(path.join(ground.root, databases.codex))
      yield* Effect.addFinalizer(() => Effect.sync(() => other.isOpen && other.close()))
      const apply = Effect.forEach(plan.edits, (edit) => codex.apply(edit))

      other.exec("BEGIN IMMEDIATE; UPDATE threads SET title = 'other'")
      const waiting = yield* Effect.forkChild(Effect.flip(apply), { startImmediately: true })
      yield* TestClock.adjust("1 second")
      assert.isUndefined(waiting.pollUnsafe())
      yield* TestClock.adjust("1 minute")
      assert.match(
        (yield* Fiber.join(waiting)).message,
        /could not change .*state_5\.sqlite": another program writes to it and does not come to an end/
      )
      other.exec("ROLLBACK")
      assert.deepStrictEqual(placesIn(ground), before)

      other.exec("BEGIN IMMEDIATE; UPDATE threads SET title = 'other'")
      const second = yield* Effect.forkChild(apply, { startImmediately: true })
      yield* TestClock.adjust("1 second")
      other.exec("COMMIT")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(second)
      assert.deepStrictEqual(
        ask(path.join(ground.root, databases.codex), "SELECT cwd, title FROM threads WHERE id = ?", ids.codex),
        [{ cwd: ground.b, title: "other" }]
      )
    })
  )
})
