import { Context, type Effect } from "effect"
import type { ProcessKey } from "../domain/store/hookSpool/HookOrigin.ts"
import type { ProcessRecord } from "../domain/store/hookSpool/ProcessRecord.ts"

/** Processes that another process may have left behind. */
export type LeftoverProcesses =
  /**
   * All processes of the group that this very process leads or led. With a mark, only if the leader lives and was
   * started with that variable; where the system hides environments, a marked group is never found.
   */
  | { readonly _tag: "Group"; readonly leader: ProcessKey; readonly mark: EnvironmentMark | null }
  /**
   * Every process with this variable in its environment and all their descendants, in any process group or session.
   * `known`: those seen earlier, when more could be seen.
   */
  | { readonly _tag: "Family"; readonly mark: EnvironmentMark; readonly known: ReadonlyArray<ProcessKey> }

/** A variable set in a process's environment, which identifies its descendants wherever they go. */
export interface EnvironmentMark {
  readonly variable: string
  readonly value: string
}

/** A signal to a whole process group. */
export type GroupSignal = "SIGHUP" | "SIGINT" | "SIGTERM" | "SIGKILL" | "SIGSTOP" | "SIGCONT"

/** A signal. `patience`: the timeout, in milliseconds, after which the next signal is sent. */
export interface EndStep {
  readonly signal: GroupSignal
  readonly patience: number
}

/** Whether there was anything to end, and what still lives. */
export interface EndOutcome {
  readonly found: boolean
  readonly left: ReadonlyArray<ProcessKey>
}

/** The processes of this machine, as the operating system shows them. */
export class ProcessTable extends Context.Service<
  ProcessTable,
  {
    /** The process and its ancestors, nearest first, up to the first that is gone; empty if it is gone itself. */
    readonly ancestry: (pid: number) => Effect.Effect<ReadonlyArray<ProcessRecord>>
    /** Whether this very process lives, as opposed to another one with the same pid. */
    readonly isAlive: (process: ProcessKey) => Effect.Effect<boolean>
    /** Whether the process is stopped (by SIGSTOP, SIGTSTP …). False where the system has no /proc. */
    readonly isStopped: (pid: number) => Effect.Effect<boolean>
    /**
     * The process (null for none) and every process with this variable in its environment, with all their descendants,
     * except the caller and the dead. Where the system hides environments, only descendants are found.
     */
    readonly family: (pid: number | null, variable: string, value: string) => Effect.Effect<ReadonlyArray<ProcessKey>>
    /** Signals this very process; 0 only checks it. False if it is dead or its pid belongs to another process. */
    readonly signal: (process: ProcessKey, signal: "SIGTERM" | "SIGKILL" | 0) => Effect.Effect<boolean>
    /**
     * Sends a signal to the group of this very process, or to the process alone if it has no group yet. False if
     * neither exists, or the pid belongs to another process.
     */
    readonly signalGroup: (leader: ProcessKey, signal: GroupSignal) => Effect.Effect<boolean>
    /**
     * Continues the stopped processes (by SIGSTOP, SIGTSTP …) of the group that this very process leads; returns
     * whether any was stopped. Without /proc it only checks the leader.
     */
    readonly resume: (leader: ProcessKey) => Effect.Effect<boolean>
    /**
     * Ends leftover processes by one signal after another, each after the time of the one before, until all are gone. A
     * zombie counts as gone. It never signals an unrelated process with the same pid.
     */
    readonly end: (what: LeftoverProcesses, steps: ReadonlyArray<EndStep>) => Effect.Effect<EndOutcome>
  }
>()("leap/services/ProcessTable") {}
