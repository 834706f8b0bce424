/**
 * Why a turn ended, in one word for all providers; a reason that is none of these stays as the provider names it.
 * - `end_turn`: the model finished its answer
 * - `stop_sequence`: it produced a stop sequence
 * - `max_tokens`: the answer was cut off at the limit of its length
 * - `max_turns`: the run was ended at the limit of model turns
 * - `tool_use`: it called a tool, and nothing followed
 * - `refusal`: the model refused, or the provider withheld the answer or its end
 * - `loop`: the CLI ended the turn because the model repeated itself
 * - `interrupted`: the user or a signal ended the turn
 */
export const stopReasons = [
  "end_turn",
  "stop_sequence",
  "max_tokens",
  "max_turns",
  "tool_use",
  "refusal",
  "loop",
  "interrupted"
] as const

const names: ReadonlyArray<readonly [RegExp, (typeof stopReasons)[number]]> = [
  [/^(?:end_?turn|stop|completed?|success|finish(?:ed)?)$/, "end_turn"],
  [/^(?:length|max_(?:output_|completion_)?tokens|model_length|model_context_window_exceeded)$/, "max_tokens"],
  [/^(?:max_turns|max_turn_requests|max_steps)$/, "max_turns"],
  [/^(?:tool_?(?:calls?|use)|function_call)$/, "tool_use"],
  [/^(?:content_?filter|refusal|safety|prohibited_content|blocklist|spii)$/, "refusal"],
  [/^(?:user_abort|abort(?:ed)?|cancell?ed|interrupted)$/, "interrupted"]
]

export const stopReasonOf = (own: string | null): string | null => {
  if (own === null) return null
  const name = own.toLowerCase().replaceAll("-", "_")
  return names.find(([pattern]) => pattern.test(name))?.[1] ?? own
}
