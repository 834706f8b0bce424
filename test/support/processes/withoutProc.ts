import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { lockHolder } from "../../../src/layers/files/lockHolder.ts"
import { closeInherited } from "../../../src/layers/system/hostProcess.ts"
import { isProcessStopped } from "../../../src/layers/system/proc.ts"
import { procPids } from "../../../src/layers/system/procPids.ts"
import * as OpenFilesNode from "../../../src/layers/system/OpenFilesNode.ts"
import * as ProcessTableNode from "../../../src/layers/system/ProcessTableNode.ts"
import * as SystemNode from "../../../src/layers/system/SystemNode.ts"
import { hasPipelineWriter, watchReader } from "../../../src/layers/terminal/pipeEnds.ts"
import { OpenFiles } from "../../../src/services/OpenFiles.ts"
import { ProcessTable } from "../../../src/services/ProcessTable.ts"
import { System } from "../../../src/services/System.ts"

/** Prints what each of these tells in a directory with a locked file `lock` and one that is held open, `held`; its argument: a process that is stopped. */
const stopped = Number(process.argv[2])
const here = process.cwd()
const { dev, ino } = fs.statSync("held", { bigint: true })
closeInherited()

const found = Effect.gen(function* () {
  const table = yield* ProcessTable
  const files = yield* OpenFiles
  const [own, parent] = yield* table.ancestry(process.pid)
  const holders = yield* files.holders([{ dev: String(dev), ino: String(ino) }])
  const workers = yield* files.workers(here)
  fs.mkdirSync("gone")
  process.chdir("gone")
  fs.rmdirSync(path.join(here, "gone"))
  const { cwd } = yield* System.pipe(Effect.provide(SystemNode.layerWith({ version: "0", self: [] }), { local: true }))
  return {
    pids: procPids().length > 0,
    own: own?.pid === process.pid && own.birth !== null,
    parent: parent?.pid === process.ppid,
    holders,
    holder: lockHolder(path.join(here, "lock")),
    stopped: isProcessStopped(stopped),
    resumed: yield* table.resume({ pid: stopped, birth: null }),
    workers: workers?.map(({ pid }) => pid).includes(process.pid),
    lives: [
      yield* table.isAlive({ pid: process.pid, birth: "another" }),
      yield* table.isAlive({ pid: 2 ** 30, birth: null })
    ],
    writer: hasPipelineWriter(),
    reader: watchReader() !== null,
    cwd: cwd.replace(here, "")
  }
})

process.stdout.write(
  JSON.stringify(await Effect.runPromise(Effect.provide(found, [ProcessTableNode.layer, OpenFilesNode.layer])))
)
