import { partly } from "./support/ScenarioTrace.ts"
import type { ListedRows, ScenarioRow } from "./support/scenarioTable.ts"

/** Whose turn it is that ends, where a CLI runs several sessions. */

const hooks =
  "the end is told by hooks and program status, with the session's id, at once: no rollout file has to be guessed"

export const listed: ReadonlyArray<ListedRows> = []

export const rows: ReadonlyArray<ScenarioRow> = [
  partly(
    "ST-129",
    "the session's own hook ends its turn",
    "codex",
    't0=100; send ⇒RUN; hook UserPromptSubmit {"session_id":"own","prompt":"go"}; out[clr: txt / SPIN]; poll→RUN; hook notify {"type":"agent-turn-complete","thread-id":"other"}; poll→RUN; out[clr: txt]; hook Stop {"session_id":"own","last_assistant_message":"ok"}; poll→IDLE',
    hooks
  ),
  partly(
    "ST-130",
    "also with no record of an earlier one",
    "codex",
    't0=100; send ⇒RUN; out[clr: txt]; hook Stop {"last_assistant_message":"ok"}; poll→IDLE',
    hooks
  )
]
