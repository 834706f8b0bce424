const verbs = ["edit", "move", "remove", "clear", "hold", "release", "retry", "force", "show", "list"] as const

/** Words after `leap queue` that are not tags. */
export type QueueVerb = (typeof verbs)[number]
export const queueVerbs: ReadonlySet<string> = new Set(verbs)
