import { Layer } from "effect"
import * as AuditLogFile from "./layers/files/AuditLogFile.ts"
import * as DirectoryWatchNode from "./layers/files/DirectoryWatchNode.ts"
import * as FileLockSqlite from "./layers/files/FileLockSqlite.ts"
import * as FileTailNode from "./layers/files/FileTailNode.ts"
import * as GitViewDisk from "./layers/files/GitViewDisk.ts"
import * as LoginLinksNode from "./layers/files/LoginLinksNode.ts"
import * as ModesStoreFile from "./layers/files/ModesStoreFile.ts"
import * as PathsXdg from "./layers/files/PathsXdg.ts"
import * as PricesFile from "./layers/files/PricesFile.ts"
import * as QueueStoreFile from "./layers/files/QueueStoreFile.ts"
import * as RecordStoreSqlite from "./layers/files/RecordStoreSqlite.ts"
import * as SessionRecordsFile from "./layers/files/SessionRecordsFile.ts"
import * as SharedFileNode from "./layers/files/SharedFileNode.ts"
import * as StatusStoreFile from "./layers/files/StatusStoreFile.ts"
import * as UserSettingsFile from "./layers/files/UserSettingsFile.ts"
import * as ProvidersBuiltin from "./layers/providers/ProvidersBuiltin.ts"
import * as ProvidersConfigured from "./layers/providers/ProvidersConfigured.ts"
import type { Registration } from "./layers/providers/registry.ts"
import * as ControlSocketUnix from "./layers/control/ControlSocketUnix.ts"
import * as NoticeChannelsNode from "./layers/system/NoticeChannelsNode.ts"
import * as ProcessTableNode from "./layers/system/ProcessTableNode.ts"
import * as SleepInhibitorNode from "./layers/system/SleepInhibitorNode.ts"
import * as SystemNode from "./layers/system/SystemNode.ts"
import * as GitChangesLazy from "./layers/worktrees/GitChangesLazy.ts"

/** The options of leap's layers. */
export interface LeapOptions {
  readonly version: string
  /** The command line that runs leap itself; it starts the hosts. */
  readonly self: ReadonlyArray<string>
  /** The CLIs before the user's settings are applied to them; by default the built-in ones. */
  readonly clis?: ReadonlyArray<Registration>
  /** The environment of leap and the CLIs, which also decides where the user's files are; by default the process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** The absolute directory against which relative paths are resolved; by default the process's. */
  readonly cwd?: string
  /** Services that replace leap's own, also for leap's other services. */
  readonly parts?: Layer.Layer<never>
}

/**
 * A layer with some of its services replaced. Of two services of one name the later one counts; a layer is built once,
 * however often it is used.
 */
export const replacedBy =
  (parts: Layer.Layer<never> | undefined) =>
  <A, E, R>(own: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
    parts === undefined ? own : Layer.merge(own, parts)

/**
 * The layer that every program of leap needs: the user's files, settings and CLIs, the sessions' files and sockets, and
 * this machine. Each main adds what only a command or only a host needs.
 */
export const layerWith = ({ clis = ProvidersBuiltin.registrations, parts, ...program }: LeapOptions) => {
  const replacing = replacedBy(parts)
  const machine = Layer.mergeAll(
    ControlSocketUnix.layer,
    DirectoryWatchNode.layer,
    FileLockSqlite.layer,
    GitViewDisk.layer,
    LoginLinksNode.layer,
    program.env === undefined ? PathsXdg.layer : PathsXdg.layerFrom(program.env, program.cwd),
    ProcessTableNode.layer,
    QueueStoreFile.layer,
    StatusStoreFile.layer,
    SystemNode.layerWith(program)
  )
  const files = Layer.mergeAll(
    AuditLogFile.layer,
    FileTailNode.layer,
    GitChangesLazy.layer,
    NoticeChannelsNode.layer,
    RecordStoreSqlite.layer,
    SharedFileNode.layer,
    SleepInhibitorNode.layer
  ).pipe(replacing, Layer.provideMerge(replacing(machine)))
  const settings = Layer.mergeAll(
    ModesStoreFile.layer,
    UserSettingsFile.layerOf(clis.map(({ identity }) => identity.id))
  ).pipe(replacing, Layer.provideMerge(files))
  const providers = Layer.mergeAll(PricesFile.layer, ProvidersConfigured.layerOf(clis)).pipe(
    replacing,
    Layer.provideMerge(settings)
  )
  return SessionRecordsFile.layer.pipe(replacing, Layer.provideMerge(providers))
}
