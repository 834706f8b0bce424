/** The shells that leap's command lines are completed in. */
export const completionShells = ["bash", "zsh", "fish"] as const
export type CompletionShell = (typeof completionShells)[number]
