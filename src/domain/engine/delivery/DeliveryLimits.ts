/** The bounds of all waits of a delivery, in milliseconds. */
export const timing = {
  /** How long a message must have been deliverable before it is typed. */
  debounce: 300,
  /** Minimum time since the user's last key and the last resize. */
  quiet: 500,
  /** The wait for a key of the user's for which the CLI draws nothing. */
  undrawn: 10_000,
  /** After this time since a key of the user's, an empty box shows that the key is no longer on its way there. */
  typed: 2_000,
  /** An answer that has not appeared in the box by then was accepted by its dialog. */
  answerLate: 30_000,
  /** How long the box must show an answer's keys; `answerHeld`: again, once the user's keys are held. */
  answerShown: 1_000,
  answerHeld: 100,
  /** After an attempt is recorded: handles events that came meanwhile, before the first byte is written. */
  recorded: 20,
  /** The wait for the text to show in the box; `mixedEcho`: if the user typed in between, or if it has shown before. */
  echo: 5_000,
  mixedEcho: 1_000,
  /** A text that the box shows differently for this long will not change any more. */
  unlike: 1_500,
  /** Between the text on screen and Enter: a suggestion menu opens in this time. */
  settle: 100,
  /** The wait for a suggestion menu to close after a blank. */
  menu: 1_000,
  /** The wait for the text to leave the box after the last Enter. */
  submit: 3_000,
  /** Before Enter is pressed again: a CLI that is only slow to read the first would send the text twice. */
  resubmit: 8_000,
  maxEnters: 2,
  /** The longest time that the user's keys are held without a break, however long each wait is. */
  held: 20_000,
  /** A box that is missing from an uncovered screen for this long no longer contains the text. */
  boxGone: 500,
  /** How long a possible trace must stay before a redraw; `typedTrace`: if the user typed since the last prompt. */
  trace: 2_000,
  typedTrace: 30_000,
  /** The wait for the cleared box to be empty, and for a restored draft to show; `clearTrace`: for a trace. */
  clear: 2_000,
  clearTrace: 1_200,
  /** After a dialog: the wait for the screen to show the text's state; `boxBack`: for a box to return. */
  afterDialog: 300,
  boxBack: 5_000,
  /** The wait for a CLI's redraw after the last resize; `redraws`: in all, however many resizes follow. */
  redraw: 5_000,
  redraws: 10_000,
  /** A session classified as running for this long proves that a turn began. */
  viewStart: 3_500,
  /** After this much rest without a sign of a turn, the message has none; sooner for a CLI's command. */
  noTurnCommand: 1_500,
  noTurn: 10_000,
  /** A text that has been back in the box for this long was not accepted. */
  givenBack: 1_000,
  /** A turn that began, but was never classified as running, is over after this time. */
  unseenTurn: 1_500,
  /** After a failed turn: the hook with the reason may come later than other signs. */
  failureTold: 1_200,
  /** The wait for a hook to report the end of a turn that looks over, if the CLI's hooks report ends. */
  endTold: 5_000,
  /** A CLI that shows something else instead of its login request does so for less than this. */
  loginGone: 10_000,
  /** The longest time a CLI needs between two turns, for a message typed during the first. */
  aheadEnd: 3_000,
  /** Rest longer than this is not a pause before a turn that was typed ahead. */
  betweenTurns: 400,
  /** From a turn's beginning until the screen shows its work, at least. */
  shownWork: 100,
  /** How long a suggestion of the CLI's may block a message before it is closed. */
  suggestion: 5_000,
  maxDismissals: 2,
  maxAttempts: 3,
  backoff: [1_000, 5_000] as ReadonlyArray<number>,
  /** The wait for a turn that shows that the user's key, or an Enter that was read late, sent the text. */
  uncertain: 3_000,
  /** The wait before another write to the log after a failure. */
  logRetry: 10_000
} as const
