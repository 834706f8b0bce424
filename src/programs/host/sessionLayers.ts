import { Layer } from "effect"
import * as Answerer from "./Answerer.ts"
import * as BudgetWatch from "./BudgetWatch.ts"
import * as BoxDraft from "./BoxDraft.ts"
import * as BoxRecall from "./BoxRecall.ts"
import * as PermissionResponder from "./PermissionResponder.ts"
import * as CliOutput from "./CliOutput.ts"
import * as ControlHandlers from "./ControlHandlers.ts"
import * as HostedPty from "./HostedPty.ts"
import * as Keyboard from "./Keyboard.ts"
import * as KeyGate from "./KeyGate.ts"
import * as MemoryKeeper from "./MemoryKeeper.ts"
import * as Notifier from "./Notifier.ts"
import * as AgentMail from "./AgentMail.ts"
import * as Outbox from "./Outbox.ts"
import * as Recorder from "./Recorder.ts"
import * as RecordKeeper from "./RecordKeeper.ts"
import * as RecordWriter from "./RecordWriter.ts"
import * as RestoredSession from "./RestoredSession.ts"
import * as ScreenSampler from "./ScreenSampler.ts"
import * as SessionDriver from "./SessionDriver.ts"
import * as SessionEnd from "./SessionEnd.ts"
import * as SessionMetrics from "./SessionMetrics.ts"
import * as SessionRuntime from "./SessionRuntime.ts"
import * as SessionScreen from "./SessionScreen.ts"
import * as SessionStop from "./SessionStop.ts"
import * as SessionWork from "./SessionWork.ts"
import * as SignalSources from "./SignalSources.ts"
import * as StopWatch from "./StopWatch.ts"
import * as StatusWriter from "./StatusWriter.ts"
import * as StatusPublisher from "./StatusPublisher.ts"
import * as OtherSessions from "./OtherSessions.ts"
import * as Terminal from "./Terminal.ts"
import * as TerminalSize from "./TerminalSize.ts"
import * as UsageTracker from "./UsageTracker.ts"
import * as UserInput from "./UserInput.ts"
import * as UserPresence from "./UserPresence.ts"
import * as Wakefulness from "./Wakefulness.ts"
import * as ViewerChannel from "./ViewerChannel.ts"
import * as Viewers from "./Viewers.ts"

/** The parts of one hosted session above its CLI's process, from the top down: each line needs only what is below it. */
export const parts = Layer.mergeAll(
  ControlHandlers.layer,
  SignalSources.layer,
  SessionDriver.layer,
  Notifier.layer,
  BudgetWatch.layer,
  OtherSessions.layer,
  Wakefulness.layer
).pipe(
  Layer.provideMerge([AgentMail.layer, ViewerChannel.layer]),
  Layer.provideMerge([Terminal.layer, UserInput.layer, PermissionResponder.layer, BoxRecall.layer]),
  Layer.provideMerge([Viewers.layer, Answerer.layer, BoxDraft.layer, SessionStop.layer]),
  Layer.provideMerge([TerminalSize.layer, Keyboard.layer]),
  Layer.provideMerge([ScreenSampler.layer, HostedPty.layer]),
  Layer.provideMerge(SessionRuntime.layer),
  Layer.provideMerge(SessionWork.layer),
  Layer.provideMerge(RecordWriter.layer),
  Layer.provideMerge([KeyGate.layer, StatusWriter.layer, RecordKeeper.layer, UsageTracker.layer, StopWatch.layer]),
  Layer.provideMerge(Outbox.layer),
  Layer.provideMerge([Recorder.layer, SessionMetrics.layer]),
  Layer.provideMerge([StatusPublisher.layer, MemoryKeeper.layer, UserPresence.layer]),
  Layer.provideMerge([RestoredSession.layer, SessionScreen.layer, CliOutput.layer, SessionEnd.layer])
)
