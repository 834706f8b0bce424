export const completionShells = ["bash", "zsh", "fish"] as const
export type CompletionShell = (typeof completionShells)[number]
