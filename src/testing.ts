/**
 * `leap/testing`: the tools of leap's own tests, for programs that embed it and for custom providers. It needs no test
 * runner: everything is an Effect, its clock the `TestClock` of `effect/testing`.
 */

// A session in memory: the host and the emulator are real, everything else is fake.
export * as stage from "../test/support/host/stage.ts"
export * as PtyFake from "../test/support/fakes/PtyFake.ts"
export * as ControlSocketFake from "../test/support/host/ControlSocketFake.ts"
export * as DirectoryWatchFake from "../test/support/host/DirectoryWatchFake.ts"
/** Queues, statuses, modes, records and audit logs in memory, with faults on demand. */
export * as DiskFake from "../test/support/host/DiskFake.ts"
export * as FileTailFake from "../test/support/host/FileTailFake.ts"
export * as HookInboxFake from "../test/support/host/HookInboxFake.ts"
export * as SystemFake from "../test/support/host/SystemFake.ts"
export * as UserTerminalFake from "../test/support/fakes/UserTerminalFake.ts"

// CLIs on the fake pseudo-terminal.
export * as DemoCliFake from "../test/support/host/DemoCliFake.ts"
export * as OddCliFake from "../test/support/host/OddCliFake.ts"

// Generators: bytes of terminals and of their users, screens, JSON as CLIs write it.
export * as providerValues from "../test/suites/provider/values.ts"
export * as terminalInput from "../test/support/data/inputs.ts"
export * as terminalOutput from "../test/support/data/streams.ts"

// Laws of every session: sequences of named events at any distance, and the laws that they keep with any provider that
// reads its screens correctly. Both are drawn by `effect/Arbitrary`.
export * as sessionLaws from "../test/support/session/SessionLaws.ts"
export * as sessionLives from "../test/support/session/lives.ts"
