import type { Condition } from "../session/Message.ts"

/** The conditions that a message waits for: `at 2026-01-01 06:00Z, after 'other'`; seconds unless zero. */
export const conditionText = (when: ReadonlyArray<Condition>): string =>
  when
    .map((condition) => {
      switch (condition._tag) {
        case "At":
          return `at ${condition.at.slice(0, 19).replace("T", " ").replace(/:00$/, "")}Z`
        case "Background":
          return "after background work"
        case "Session":
          return `after '${condition.tag}'`
        case "Reset":
          return "after the limit"
      }
    })
    .join(", ")
