import type { OverlayContext } from "./OverlayContext.ts"

/** What the keys over the screen do. */
export const helpLines = ({ names }: OverlayContext): ReadonlyArray<string> => [
  ...(names.command === null ? [] : [`${names.command}    leap's menu; then`]),
  "  a   answer the dialog that is open, by its options or in words",
  "  m   write a message for the queue",
  "  q   the messages that wait: change, move, hold, release, send or remove them there",
  "  i   interrupt the turn",
  "  o   modes: answers by policy, messages during background work, going on after a limit, mute",
  "  z   dismiss what it needs: no list shows or tells it again",
  "  c   what it has changed in its work tree",
  "  w   why it is in its state",
  "  x   stop it; what is queued is kept",
  "  n   the next session, in this terminal",
  "  d   detach; the session goes on",
  ...(names.command === null ? [] : [`  k   ${names.command} for the CLI itself`]),
  ...(names.capture === null
    ? []
    : [
        `${names.capture}        write a message: Enter queues, Esc leaves, Ctrl+J breaks the line, !! first ` +
          `sends it at once, ${names.capture} saves it, ↑ and ↓ bring saved ones and those that were left; ` +
          "Ctrl+V a picture; ⌫ first gives the characters to the CLI"
      ]),
  `${names.detach}    detach`,
  "All other keys are the CLI's. attach.commandKey and attach.capture in leap's settings change these keys."
]
