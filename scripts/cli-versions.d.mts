export declare const cache: string
export declare const packages: Readonly<Record<string, string>>
export declare const older: Readonly<Record<"claude" | "codex", ReadonlyArray<string>>>
export declare const others: Readonly<Record<"qwen" | "cline", ReadonlyArray<string>>>
export declare const folderOf: (cli: string, version: string) => string
export declare const installVersion: (cli: string, version: string) => string | null
