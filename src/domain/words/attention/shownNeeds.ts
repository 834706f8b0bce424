import type { NeedKind } from "./Need.ts"

/** How a need is shown apart from its words: in a terminal's title, by a sign, and as which notice; null: no notice. */
interface ShownNeed {
  readonly title: string
  readonly sign: string
  readonly style: "warn" | "bad"
  readonly notice: "needs" | "failed" | "limit" | null
}

/** Each kind of need, the same on every surface. */
export const shownNeeds: Readonly<Record<NeedKind, ShownNeed>> = {
  permission: { title: "needs you", sign: "!", style: "warn", notice: "needs" },
  question: { title: "needs you", sign: "?", style: "warn", notice: "needs" },
  // no notice: notices are sent by the host, and mostly it is the host that is stuck
  stuck: { title: "needs you", sign: "~", style: "bad", notice: null },
  failed: { title: "failed", sign: "!", style: "bad", notice: "failed" },
  held: { title: "needs you", sign: "‖", style: "bad", notice: "needs" },
  unknown_screen: { title: "needs you", sign: "‖", style: "bad", notice: "needs" },
  limit: { title: "limit reached", sign: "!", style: "bad", notice: "limit" },
  ended: { title: "ended", sign: "×", style: "bad", notice: "failed" }
}
