export declare const reportOf: (entry: string, read: (file: string) => string | null) => string
