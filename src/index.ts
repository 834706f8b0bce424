/**
 * leap as a library: what its programs are made of, one namespace for each file. Nothing runs by being imported.
 * The command line is the stable interface; these names may still change.
 */

// What is known, as data and pure functions.
export * as HostSpec from "./domain/HostSpec.ts"
export * as HookWiring from "./domain/HookWiring.ts"
export * as Message from "./domain/Message.ts"
export * as ProgramStatus from "./domain/ProgramStatus.ts"
export * as Session from "./domain/Session.ts"
export * as SessionEvent from "./domain/SessionEvent.ts"
export * as SessionMachine from "./domain/SessionMachine.ts"
export * as Tag from "./domain/Tag.ts"
export * as Tracker from "./domain/Tracker.ts"
export * as InputHistory from "./domain/usage/InputHistory.ts"
export * as UsageReader from "./domain/usage/UsageReader.ts"

// What is needed: contracts and their errors.
export * as CLIProvider from "./services/CLIProvider.ts"
export * as ControlSocket from "./services/ControlSocket.ts"
export * as FileLock from "./services/FileLock.ts"
export * as HookInbox from "./services/HookInbox.ts"
export * as HostLauncher from "./services/HostLauncher.ts"
export * as HostRpc from "./services/HostRpc.ts"
export * as Machine from "./services/Machine.ts"
export * as ModesStore from "./services/ModesStore.ts"
export * as Paths from "./services/Paths.ts"
export * as Prices from "./services/Prices.ts"
export * as Providers from "./services/Providers.ts"
export * as Pty from "./services/Pty.ts"
export * as QueueStore from "./services/QueueStore.ts"
export * as Screen from "./services/Screen.ts"
export * as SessionRecords from "./services/SessionRecords.ts"
export * as SessionLock from "./services/SessionLock.ts"
export * as SharedFile from "./services/SharedFile.ts"
export * as StatusStore from "./services/StatusStore.ts"
export * as UserSettings from "./services/UserSettings.ts"

// How it is done here.
export * as ControlSocketUnix from "./layers/ControlSocketUnix.ts"
export * as FileLockSqlite from "./layers/FileLockSqlite.ts"
export * as ModesStoreFile from "./layers/ModesStoreFile.ts"
export * as PathsXdg from "./layers/PathsXdg.ts"
export * as PricesFile from "./layers/PricesFile.ts"
export * as ProvidersBuiltin from "./layers/ProvidersBuiltin.ts"
export * as ProvidersConfigured from "./layers/ProvidersConfigured.ts"
export * as PtyNode from "./layers/PtyNode.ts"
export * as QueueStoreFile from "./layers/QueueStoreFile.ts"
export * as ScreenXterm from "./layers/ScreenXterm.ts"
export * as SessionRecordsFile from "./layers/SessionRecordsFile.ts"
export * as SharedFileNode from "./layers/SharedFileNode.ts"
export * as StatusStoreFile from "./layers/StatusStoreFile.ts"
export * as UserSettingsFile from "./layers/UserSettingsFile.ts"

// Programs over these services.
export * as client from "./programs/client.ts"
export * as replay from "./programs/replay.ts"
